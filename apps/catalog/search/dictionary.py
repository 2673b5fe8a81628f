"""The tokenizer's own words: the names of brands and categories, read from the database."""

from __future__ import annotations

import time

from apps.catalog.models import Brand, Category
from apps.catalog.search.text import normalised, words_added

# A word that another process has added becomes one here within this time; until then its characters are searched for.
REFRESH_SECONDS = 300
_loaded_at = 0.0
_vocabulary: tuple[str, ...] = ()


def dictionary_loaded() -> None:
    """Teach the tokenizer all names now: before indexing, and after brands or categories were added. Two queries."""
    global _loaded_at, _vocabulary
    names = [*Brand.objects.values_list("name", flat=True), *Category.objects.values_list("name", flat=True)]
    words_added(names)
    _vocabulary = tuple(dict.fromkeys(normalised(name) for name in names))
    _loaded_at = time.monotonic()


def dictionary_ready() -> None:
    """Load the names where this process has not done so lately."""
    if not _loaded_at or time.monotonic() - _loaded_at > REFRESH_SECONDS:
        dictionary_loaded()


def vocabulary() -> tuple[str, ...]:
    """Return the names of brands and categories as this process last read them."""
    dictionary_ready()
    return _vocabulary
