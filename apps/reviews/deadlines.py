"""The periods in which a review may be changed and followed up."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings


def edit_by(written_at: datetime) -> datetime:
    """Return the end of the period in which the author may change a review."""
    return written_at + timedelta(days=settings.REVIEW_EDIT_DAYS)


def follow_up_by(written_at: datetime) -> datetime:
    """Return the end of the period in which the author may add a follow-up review."""
    return written_at + timedelta(days=settings.REVIEW_DAYS)
