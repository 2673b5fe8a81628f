"""The custom dictionary of the tokenizer: the names of brands and categories in the database."""

from __future__ import annotations

import time

from apps.catalog.indexing.text import normalise, words_add
from apps.catalog.models import Brand, Category

# A name added by another process reaches this tokenizer within this time. Until then the search
# uses its characters.
REFRESH_SECONDS = 300
_loaded_at = 0.0
_vocabulary: tuple[str, ...] = ()


def dictionary_load() -> None:
    """Add all names to the tokenizer. Call it before indexing and after brands or categories
    are added. Two queries.
    """
    global _loaded_at, _vocabulary
    names = [
        *Brand.objects.values_list("name", flat=True),
        *Category.objects.values_list("name", flat=True),
    ]
    words_add(names)
    _vocabulary = tuple(dict.fromkeys(normalise(name) for name in names))
    _loaded_at = time.monotonic()


def dictionary_refresh() -> None:
    """Load the names if this process has not loaded them in the last REFRESH_SECONDS."""
    if not _loaded_at or time.monotonic() - _loaded_at > REFRESH_SECONDS:
        dictionary_load()


def get_vocabulary() -> tuple[str, ...]:
    """Return the normalised names of brands and categories as this process last loaded them."""
    dictionary_refresh()
    return _vocabulary
