"""The number of questions that an account may ask per minute and per day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from apps.assistant.errors import DailyLimitReached, TooManyQuestions
from apps.common.limits.counters import hit

if TYPE_CHECKING:
    from apps.org.models import Account

MINUTE, DAY = 60, 24 * 60 * 60


def allowance_take(*, actor: Account) -> None:
    """Count one question of the account, over all processes. Call it before a transaction is
    opened.

    Raises:
        TooManyQuestions: the limit of this minute is reached.
        DailyLimitReached: the limit of this day is reached.
    """
    minute, day = settings.ASSISTANT_PER_MINUTE, settings.ASSISTANT_PER_DAY
    if (
        minute
        and hit(name=f"assistant:minute:{actor.pk}", limit=minute, window_seconds=MINUTE) > minute
    ):
        raise TooManyQuestions(body={"RetryAfter": MINUTE})
    if day and hit(name=f"assistant:day:{actor.pk}", limit=day, window_seconds=DAY) > day:
        raise DailyLimitReached(body={"RetryAfter": DAY})
