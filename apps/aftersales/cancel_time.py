"""How long staff have to decide on a cancellation, and when they are reminded."""

from datetime import timedelta

from django.conf import settings


def decide_within() -> timedelta:
    """Return the time from the request to its deadline."""
    return timedelta(hours=settings.CANCEL_DECIDE_HOURS)


def remind_before() -> timedelta:
    """Return how long before the deadline staff are reminded: a quarter of the whole time."""
    return decide_within() / 4
