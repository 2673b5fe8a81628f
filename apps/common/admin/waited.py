"""How long something waits, as people say it: 4 天 7 小时."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.timesince import timesince


def waited(since: datetime, *, depth: int = 2) -> str:
    """Return how long ago that was, in words; less than a minute is 不到 1 分钟."""
    now = timezone.now()
    if (now - since).total_seconds() < 60:
        return "不到 1 分钟"
    return timesince(since, now, depth=depth).replace("\xa0", " ").replace("，", " ")
