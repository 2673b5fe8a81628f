"""The search box of large lists. Each related table is searched once, without joins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Model, Q, QuerySet
from django.utils.text import smart_split, unescape_string_literal

from apps.common.queries import has_text, newest_keys

# With more matches than this, the list keeps the condition instead of a list of keys.
MOST_FOUND = 2000
# Newest matches used of a related table (accounts, enterprises, products).
MOST_BESIDE = 1000
MOST_TEXT = 60


def split_words(text: str) -> list[str]:
    """Return the words of a search. All must match; a quoted text is one word."""
    words = smart_split(text[:MOST_TEXT])
    return [
        unescape_string_literal(word)
        if len(word) > 1 and word[0] in "\"'" and word[0] == word[-1]
        else word
        for word in words
    ]


def reduce_to_keys(rows: QuerySet[Any], fitting: QuerySet[Any]) -> QuerySet[Any]:
    """Replace the condition by the primary keys of the matches.

    The count and the page of a list then cost one search. With more than MOST_FOUND matches the
    queryset is returned unchanged.
    """
    keys = list(fitting.order_by().values_list("pk", flat=True)[: MOST_FOUND + 1])
    return fitting if len(keys) > MOST_FOUND else rows.filter(pk__in=keys)


@dataclass
class Search:
    """One search: each word must match at least one of the fields.

    Fields are named as in `search_fields`; a leading `=` compares the whole value. `is_cut` is
    True afterwards if a related table had more matches than MOST_BESIDE.
    """

    names: Iterable[str]
    text: str
    is_cut: bool = False

    def of(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows that match."""
        fitting = rows
        for word in split_words(self.text):
            fitting = fitting.filter(self._fits(rows.model, list(self.names), word))
        return reduce_to_keys(rows, fitting)

    def _fits(self, model: type[Model], names: list[str], word: str) -> Q:
        """Return the condition for one word. Related tables are queried first, without joins."""
        fits, beside = Q(pk__in=()), defaultdict(list)
        for name in names:
            step, _, rest = name.lstrip("=").partition("__")
            if rest:
                beside[step].append("=" * name.startswith("=") + rest)
            else:
                fits |= _has(model, name, word)
        for step, rests in beside.items():
            fits |= self._leads(model, step, rests, word)
        return fits

    def _leads(self, model: type[Model], step: str, names: list[str], word: str) -> Q:
        """Return the condition that the relation refers to one of the newest matches."""
        relation: Any = model._meta.get_field(step)
        rows = relation.related_model._default_manager.filter(
            self._fits(relation.related_model, names, word)
        )
        here, there = (
            ("pk", relation.field.attname) if relation.one_to_many else (relation.attname, "pk")
        )
        keys, is_cut = newest_keys(rows, there, most=MOST_BESIDE)
        self.is_cut = self.is_cut or is_cut
        return Q(**{f"{here}__in": keys})


def _has(model: type[Model], name: str, word: str) -> Q:
    if not name.startswith("="):
        return has_text(name, word)
    is_text = isinstance(model._meta.get_field(name[1:]), CharField)
    return Q(**{f"{name[1:]}__{'exact' if is_text else 'iexact'}": word})
