"""How long a line may be reviewed, a review changed, and followed up."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings


def review_by(received_at: datetime) -> datetime:
    """Return until when what was received then may be reviewed."""
    return received_at + timedelta(days=settings.REVIEW_DAYS)


def edit_by(written_at: datetime) -> datetime:
    """Return until when a review may be changed."""
    return written_at + timedelta(days=settings.REVIEW_EDIT_DAYS)


def follow_up_by(written_at: datetime) -> datetime:
    """Return until when a review may be followed up."""
    return written_at + timedelta(days=settings.REVIEW_DAYS)
