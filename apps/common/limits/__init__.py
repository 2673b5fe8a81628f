"""How often somebody may call: rules, counters over all processes, and who is held back now."""
