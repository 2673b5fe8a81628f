"""热门搜索: pinned keywords, then keywords that customers searched for and ordered in a period,
without hidden keywords.

The group's own keywords come first. Keywords of other groups appear only if at least three groups
searched for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Count

from apps.catalog.indexing.text import normalise
from apps.search.enums import HotKeywordKind
from apps.search.models import HotKeyword, SearchLog

if TYPE_CHECKING:
    from apps.org.models import Account

# Keywords of other customers are shown only if at least this number of groups searched for them,
# so that no group's own keywords become visible to another.
SHARED_BY_GROUPS = 3
HIGHLIGHTED = 2


@dataclass(frozen=True, slots=True)
class HotPeriod:
    """A group and a period."""

    group_id: int | None
    begin: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class HotWord:
    """A keyword below the search box. The first ones are highlighted."""

    keyword: str
    is_highlight: bool


WordSource = Callable[[HotPeriod], Iterable[tuple[str, int]]]
_sources: list[WordSource] = []


def hot_word_source(source: WordSource) -> WordSource:
    """Register a function that returns (word, weight) pairs for a group's period, such as the
    categories that it ordered. Call it in AppConfig.ready().
    """
    if source not in _sources:
        _sources.append(source)
    return source


def hot_words(*, actor: Account, begin: datetime, end: datetime, top: int) -> list[HotWord]:
    """Return at most `top` keywords: pinned ones in order, then the group's own by weight, then
    shared ones. Three queries plus those of the sources.

    Pinned and hidden keywords are read at the current time, whatever the period, so that a change
    takes effect in the next request.
    """
    period = HotPeriod(actor.group_id, begin, end)
    kept = list(HotKeyword.objects.in_force().values_list("key", "keyword", "kind"))
    taken = {key for key, _, _ in kept}
    own: Counter[str] = Counter()
    for word, weight in (
        *_searched(period, top, taken),
        *(pair for source in _sources for pair in source(period)),
    ):
        own[word] += weight
    ranked = [
        word
        for word, _ in sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))
        if normalise(word) not in taken
    ]
    pinned = [keyword for _, keyword, kind in kept if kind == HotKeywordKind.PINNED]
    words = list(dict.fromkeys([*pinned, *ranked, *_shared(period, top, taken)]))[:top]
    return [HotWord(word, place < HIGHLIGHTED) for place, word in enumerate(words)]


def _searched(period: HotPeriod, top: int, taken: set[str]) -> list[tuple[str, int]]:
    rows = SearchLog.objects.filter(
        group_id=period.group_id, at__gte=period.begin, at__lte=period.end, results__gt=0
    )
    rows = rows.exclude(keyword__in=taken)
    return list(
        rows.values_list("keyword").annotate(times=Count("pk")).order_by("-times", "keyword")[:top]
    )


def _shared(period: HotPeriod, top: int, taken: set[str]) -> list[str]:
    rows = SearchLog.objects.filter(
        at__gte=period.begin, at__lte=period.end, results__gt=0, group_id__isnull=False
    )
    rows = rows.exclude(keyword__in=taken)
    counted = rows.values("keyword").annotate(
        times=Count("pk"), groups=Count("group_id", distinct=True)
    )
    shared = counted.filter(groups__gte=SHARED_BY_GROUPS).order_by("-times", "keyword")
    return list(shared.values_list("keyword", flat=True)[:top])
