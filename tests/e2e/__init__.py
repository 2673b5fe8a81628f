"""Journeys in a real browser against the production server and the demo data."""
