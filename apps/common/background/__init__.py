"""What is done behind the requests: the outbox and its delivery, jobs by the clock, the embedded runner."""
