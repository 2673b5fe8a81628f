"""The search box of a list over hundreds of thousands of rows: each table is gone through by itself, and once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Model, Q, QuerySet
from django.utils.text import smart_split, unescape_string_literal

from apps.common.searching import has_text, newest_keys

# Of more matches than this the list asks the condition itself, which ends at its page.
MOST_FOUND = 2000
# Of the rows beside the list's own (people, enterprises, goods) the newest so many are gone by.
MOST_BESIDE = 1000
MOST_TEXT = 60


def words_of(text: str) -> list[str]:
    """Return the words of a search, each of which must be found; what stands in quotes is one."""
    words = smart_split(text[:MOST_TEXT])
    return [unescape_string_literal(word) if len(word) > 1 and word[0] in "\"'" and word[0] == word[-1] else word for word in words]


def looked_up(rows: QuerySet[Any], fitting: QuerySet[Any]) -> QuerySet[Any]:
    """Return the fitting of the rows by their keys, so that the count and the page of a list cost one search; many as they are."""
    keys = list(fitting.order_by().values_list("pk", flat=True)[: MOST_FOUND + 1])
    return fitting if len(keys) > MOST_FOUND else rows.filter(pk__in=keys)


@dataclass
class Search:
    """One search: every word in some of the fields, named as `search_fields` are; `=` before a name asks for the whole value.

    `is_cut` tells afterwards that more people, customers or goods bear the words than were gone by.
    """

    names: Iterable[str]
    text: str
    is_cut: bool = False

    def of(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return those of the rows that are found."""
        fitting = rows
        for word in words_of(self.text):
            fitting = fitting.filter(self._fits(rows.model, list(self.names), word))
        return looked_up(rows, fitting)

    def _fits(self, model: type[Model], names: list[str], word: str) -> Q:
        """Return the condition on the model's rows; the tables beside it are asked first, by themselves, and none is joined."""
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
        """Return the condition that the relation leads to a row that fits, the newest of those."""
        relation: Any = model._meta.get_field(step)
        rows = relation.related_model._default_manager.filter(self._fits(relation.related_model, names, word))
        here, there = ("pk", relation.field.attname) if relation.one_to_many else (relation.attname, "pk")
        keys, is_cut = newest_keys(rows, there, most=MOST_BESIDE)
        self.is_cut = self.is_cut or is_cut
        return Q(**{f"{here}__in": keys})


def _has(model: type[Model], name: str, word: str) -> Q:
    if not name.startswith("="):
        return has_text(name, word)
    is_text = isinstance(model._meta.get_field(name[1:]), CharField)
    return Q(**{f"{name[1:]}__{'exact' if is_text else 'iexact'}": word})
