"""The time limit for a decision on a cancellation, and the time of the reminder."""

from datetime import timedelta

from django.conf import settings


def decide_within() -> timedelta:
    """Return the time from the request to its deadline."""
    return timedelta(hours=settings.CANCEL_DECIDE_HOURS)


def remind_before() -> timedelta:
    """Return the time between the reminder of staff and the deadline: a quarter of the whole
    time.
    """
    return decide_within() / 4
