"""Faults and races with real processes on the configured database (G1 to G6)."""
