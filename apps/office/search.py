"""The search box of large lists. Each related table is searched once, without joins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Model, Q, QuerySet
from django.utils.text import smart_split, unescape_string_literal

from apps.common.queries import build_text_condition, list_newest_keys

# With more matches than this, the list keeps the condition instead of a list of keys.
MAX_KEYS = 2000
# Newest matches used of a related table (accounts, enterprises, products).
MAX_RELATED = 1000
MAX_SEARCH_CHARACTERS = 60


def split_words(text: str) -> list[str]:
    """Return the words of a search. All must match; a quoted text is one word."""
    words = smart_split(text[:MAX_SEARCH_CHARACTERS])
    return [
        unescape_string_literal(word)
        if len(word) > 1 and word[0] in "\"'" and word[0] == word[-1]
        else word
        for word in words
    ]


def reduce_to_keys(rows: QuerySet[Any], matches: QuerySet[Any]) -> QuerySet[Any]:
    """Replace the condition by the primary keys of the matches.

    The count and the page of a list then cost one search. With more than MAX_KEYS matches the
    queryset is returned unchanged.
    """
    keys = list(matches.order_by().values_list("pk", flat=True)[: MAX_KEYS + 1])
    return matches if len(keys) > MAX_KEYS else rows.filter(pk__in=keys)


@dataclass
class Search:
    """One search: each word must match at least one of the fields.

    Fields are named as in `search_fields`; a leading `=` compares the whole value. `is_cut` is
    True afterwards if a related table had more matches than MAX_RELATED.
    """

    names: Iterable[str]
    text: str
    is_cut: bool = False

    def filter(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows that contain every word of the search."""
        matches = rows
        for word in split_words(self.text):
            matches = matches.filter(self._build_word_condition(rows.model, list(self.names), word))
        return reduce_to_keys(rows, matches)

    def _build_word_condition(self, model: type[Model], names: list[str], word: str) -> Q:
        """Return the condition for one word. Related tables are queried first, without joins."""
        condition, related_fields = Q(pk__in=()), defaultdict(list)
        for name in names:
            relation, _, rest = name.lstrip("=").partition("__")
            if rest:
                related_fields[relation].append("=" * name.startswith("=") + rest)
            else:
                condition |= _build_field_condition(model, name, word)
        for relation, fields in related_fields.items():
            condition |= self._build_relation_condition(model, relation, fields, word)
        return condition

    def _build_relation_condition(
        self, model: type[Model], relation_name: str, names: list[str], word: str
    ) -> Q:
        """Return the condition that the relation refers to one of the newest matches."""
        relation: Any = model._meta.get_field(relation_name)
        rows = relation.related_model._default_manager.filter(
            self._build_word_condition(relation.related_model, names, word)
        )
        own_column, related_column = (
            ("pk", relation.field.attname) if relation.one_to_many else (relation.attname, "pk")
        )
        keys, is_cut = list_newest_keys(rows, related_column, limit=MAX_RELATED)
        self.is_cut = self.is_cut or is_cut
        return Q(**{f"{own_column}__in": keys})


def _build_field_condition(model: type[Model], name: str, word: str) -> Q:
    """Return the condition that the field contains the word; a name that begins with = must be
    equal.
    """
    if not name.startswith("="):
        return build_text_condition(name, word)
    is_text = isinstance(model._meta.get_field(name[1:]), CharField)
    return Q(**{f"{name[1:]}__{'exact' if is_text else 'iexact'}": word})
