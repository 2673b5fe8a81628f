"""Days and months in Shanghai time: conversion to moments, and moments as text."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

from django.db.models import Q
from django.utils import timezone


def start_of_day(day: date) -> datetime:
    """Return the first moment of the day."""
    return timezone.make_aware(datetime.combine(day, time.min))


def format_moment(at: datetime, *, has_seconds: bool = False) -> str:
    """Return the moment in Shanghai time: 2026-03-02 09:05, with seconds 2026-03-02 09:05:07."""
    return timezone.localtime(at).strftime("%Y-%m-%d %H:%M:%S" if has_seconds else "%Y-%m-%d %H:%M")


def filter_days(field: str, since: date | None, until: date | None) -> Q:
    """Return the condition that `field` lies between two days, both included; None is open."""
    condition = Q()
    if since:
        condition &= Q((f"{field}__gte", start_of_day(since)))
    if until:
        condition &= Q((f"{field}__lt", start_of_day(until) + timedelta(days=1)))
    return condition


def get_month(moment: datetime) -> date:
    """Return the first day of the moment's month."""
    return timezone.localtime(moment).date().replace(day=1)


def get_next_month(month: date) -> date:
    """Return the first day of the next month."""
    return (month + timedelta(days=32)).replace(day=1)


def list_months(first: date, last: date) -> Iterator[date]:
    """Yield the first days of the months of a range, both ends inclusive."""
    while first <= last:
        yield first
        first = get_next_month(first)
