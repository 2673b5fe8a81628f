"""Days of the mall's own time zone as moments."""

from __future__ import annotations

from datetime import date, datetime, time

from django.utils import timezone


def day_begins(day: date) -> datetime:
    """Return the first moment of the day."""
    return timezone.make_aware(datetime.combine(day, time.min))
