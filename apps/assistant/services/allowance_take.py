"""How often an account may ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from apps.assistant.errors import AskedEnoughToday, AskedTooOften
from apps.common.limits.counters import hit

if TYPE_CHECKING:
    from apps.org.models import Account

MINUTE, DAY = 60, 24 * 60 * 60


def allowance_take(*, actor: Account) -> None:
    """Count one question of the account, over all processes. Call it before a transaction is opened.

    Raises:
        AskedTooOften: it is one too many for this minute.
        AskedEnoughToday: it is one too many for this day.
    """
    minute, day = settings.ASSISTANT_PER_MINUTE, settings.ASSISTANT_PER_DAY
    if minute and hit(name=f"assistant:minute:{actor.pk}", limit=minute, window_seconds=MINUTE) > minute:
        raise AskedTooOften(body={"RetryAfter": MINUTE})
    if day and hit(name=f"assistant:day:{actor.pk}", limit=day, window_seconds=DAY) > day:
        raise AskedEnoughToday(body={"RetryAfter": DAY})
