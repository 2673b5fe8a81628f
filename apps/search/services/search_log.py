"""The search log, the source of hot keywords and of an account's search history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from apps.catalog.indexing.text import normalise
from apps.search.models import SearchLog

if TYPE_CHECKING:
    from apps.org.models import Account


def search_log_record(*, actor: Account | None, keyword: str, results: int) -> None:
    """Log one search. Keywords longer than 60 characters are not logged, because nobody shares
    them.
    """
    word = normalise(keyword)
    if 0 < len(word) <= 60:
        group_id = actor.group_id if actor is not None else None
        SearchLog.objects.create(
            group_id=group_id, account=actor, keyword=word, results=results, at=timezone.now()
        )


def search_history_forget(*, actor: Account, keyword: str = "") -> int:
    """Remove the keyword, or every keyword if none is given, from the actor's history. Return
    the number of searches.

    The rows remain without an account, so that the group's hot keywords still count them.
    """
    mine = SearchLog.objects.filter(account=actor)
    if word := normalise(keyword):
        mine = mine.filter(keyword=word)
    return mine.update(account=None)
