"""Remember what was searched for: hot keywords and one's own history come from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone

from apps.catalog.models import SearchLog
from apps.catalog.search.text import normalised

if TYPE_CHECKING:
    from apps.org.models import Account


def search_logged(*, actor: Account | None, keyword: str, results: int) -> None:
    """Write one search; keywords longer than 60 characters are not words that anybody shares."""
    word = normalised(keyword)
    if 0 < len(word) <= 60:
        group_id = actor.group_id if actor is not None else None
        SearchLog.objects.create(group_id=group_id, account=actor, keyword=word, results=results, at=timezone.now())


def search_history_forget(*, actor: Account, keyword: str = "") -> int:
    """Forget that the actor searched for the keyword, or for anything where there is none; return how many searches.

    The searches stay, nobody's: the hot keywords of his group count them still.
    """
    mine = SearchLog.objects.filter(account=actor)
    if word := normalised(keyword):
        mine = mine.filter(keyword=word)
    return mine.update(account=None)
