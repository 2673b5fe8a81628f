"""Months of statements, in the mall's time zone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from django.utils import timezone


def month_of(moment: datetime) -> date:
    """Return the first day of the moment's month."""
    return timezone.localtime(moment).date().replace(day=1)


def next_month(month: date) -> date:
    """Return the first day of the next month."""
    return (month + timedelta(days=32)).replace(day=1)


def months(first: date, last: date) -> Iterator[date]:
    """Yield the first days of the months of a range, both ends inclusive."""
    while first <= last:
        yield first
        first = next_month(first)
