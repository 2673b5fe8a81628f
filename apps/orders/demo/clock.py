"""The demo's history is made by the services of today: inside `clock_at` Django's clock stands where the story is."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from unittest.mock import patch


@contextmanager
def clock_at(moment: datetime) -> Generator[None]:
    """Let `django.utils.timezone.now()`, which every service and auto_now field asks, answer `moment`."""
    with patch("django.utils.timezone.now", lambda: moment):
        yield
