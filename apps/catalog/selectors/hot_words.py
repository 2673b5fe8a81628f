"""热门搜索: what was searched for and ordered in a period. A group's own words first; others' only where three groups share them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Count

from apps.catalog.models import SearchLog

if TYPE_CHECKING:
    from apps.org.models import Account

# A word of other customers is shown only where so many groups searched for it: nothing of one group is visible to another.
SHARED_BY_GROUPS = 3
HIGHLIGHTED = 2


@dataclass(frozen=True, slots=True)
class HotPeriod:
    """Whose words of which period are asked for."""

    group_id: int | None
    begin: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class HotWord:
    """A word to offer below the search box; the first ones are highlighted."""

    keyword: str
    is_highlight: bool


WordSource = Callable[[HotPeriod], Iterable[tuple[str, int]]]
_sources: list[WordSource] = []


def hot_word_source(source: WordSource) -> WordSource:
    """Register a function that answers (word, weight) of a group's period, such as the categories it ordered; in AppConfig.ready()."""
    if source not in _sources:
        _sources.append(source)
    return source


def hot_words(*, actor: Account, begin: datetime, end: datetime, top: int) -> list[HotWord]:
    """Return at most `top` words, the group's own by weight first. Two queries and what the sources cost."""
    period = HotPeriod(actor.group_id, begin, end)
    own: Counter[str] = Counter()
    for word, weight in (*_searched(period, top), *(pair for source in _sources for pair in source(period))):
        own[word] += weight
    ranked = [word for word, _ in sorted(own.items(), key=lambda pair: (-pair[1], pair[0]))]
    words = list(dict.fromkeys([*ranked, *_shared(period, top)]))[:top]
    return [HotWord(word, place < HIGHLIGHTED) for place, word in enumerate(words)]


def _searched(period: HotPeriod, top: int) -> list[tuple[str, int]]:
    rows = SearchLog.objects.filter(group_id=period.group_id, at__gte=period.begin, at__lte=period.end, results__gt=0)
    return list(rows.values_list("keyword").annotate(times=Count("pk")).order_by("-times", "keyword")[:top])


def _shared(period: HotPeriod, top: int) -> list[str]:
    rows = SearchLog.objects.filter(at__gte=period.begin, at__lte=period.end, results__gt=0, group_id__isnull=False)
    counted = rows.values("keyword").annotate(times=Count("pk"), groups=Count("group_id", distinct=True))
    shared = counted.filter(groups__gte=SHARED_BY_GROUPS).order_by("-times", "keyword")
    return list(shared.values_list("keyword", flat=True)[:top])
