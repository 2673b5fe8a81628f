"""Background work: the outbox and its delivery, periodic jobs, and the embedded runner."""
