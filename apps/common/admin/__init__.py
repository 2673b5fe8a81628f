"""What the back office's pages share: rows to look at, acts that call a service, look-ups within one group."""
