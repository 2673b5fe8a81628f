"""A fixed clock for the demo's history. The current services write past events inside
`clock_at`.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from unittest.mock import patch


@contextmanager
def clock_at(moment: datetime) -> Generator[None]:
    """Make `django.utils.timezone.now()` return `moment`. All services and auto_now fields use
    it.
    """
    with patch("django.utils.timezone.now", lambda: moment):
        yield
