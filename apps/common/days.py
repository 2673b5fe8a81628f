"""Days of the mall's own time zone as moments, and moments as people read them."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from django.db.models import Q
from django.utils import timezone


def day_begins(day: date) -> datetime:
    """Return the first moment of the day."""
    return timezone.make_aware(datetime.combine(day, time.min))


def moment_text(at: datetime, *, has_seconds: bool = False) -> str:
    """Return the moment by the mall's own clock, 2026-03-02 09:05; `has_seconds` adds them: 2026-03-02 09:05:07."""
    return timezone.localtime(at).strftime("%Y-%m-%d %H:%M:%S" if has_seconds else "%Y-%m-%d %H:%M")


def within_days(field: str, since: date | None, until: date | None) -> Q:
    """Return the filter of rows whose `field` lies from the day `since` to the day `until`, both included; none bounds nothing."""
    wanted = Q()
    if since:
        wanted &= Q((f"{field}__gte", day_begins(since)))
    if until:
        wanted &= Q((f"{field}__lt", day_begins(until) + timedelta(days=1)))
    return wanted
