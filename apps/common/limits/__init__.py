"""Rate limits: the rules, the counters shared by all processes, and the blocked clients."""
