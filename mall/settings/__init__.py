"""Settings: base for all, then dev, test and prod."""
