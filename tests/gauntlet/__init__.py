"""Faults and races with real processes on the configured database (docs: the table Never, G1 to G6)."""
