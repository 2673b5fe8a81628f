"""A clock for tests, in Shanghai time."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from unittest.mock import patch
from zoneinfo import ZoneInfo

SHANGHAI = ZoneInfo("Asia/Shanghai")


def parse_moment(text: str) -> datetime:
    """Return a moment in Shanghai, e.g. "2026-11-20 17:00"."""
    return datetime.fromisoformat(text).replace(tzinfo=SHANGHAI)


@contextmanager
def clock(text: str) -> Generator[None]:
    """Set the clock to a moment in Shanghai. The clock itself returns UTC."""
    moment = parse_moment(text).astimezone(UTC)
    with patch("django.utils.timezone.now", lambda: moment):
        yield
