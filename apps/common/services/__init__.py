"""Writes that every app shares."""
