"""Generators of the demo sheets."""
