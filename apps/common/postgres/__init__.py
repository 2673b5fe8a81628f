"""The mall's PostgreSQL: Django's backend with two things that every request of the API pays for otherwise."""
