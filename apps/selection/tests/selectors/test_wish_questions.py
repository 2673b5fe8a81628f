"""The number of catalogue queries for a line of a wish list is limited, however long the line
is.
"""

from __future__ import annotations

import pytest

from apps.search.keyword import lexicon_of
from apps.selection.selectors.products import words_of

pytestmark = pytest.mark.django_db


def test_the_first_twelve_different_words_of_a_line_are_looked_at() -> None:
    lexicon = lexicon_of("")
    words = [f"word{number}" for number in range(20)]

    assert [concept.text for concept in words_of(" ".join(words), lexicon)] == words[:12]
    assert [concept.text for concept in words_of("stapler paper stapler paper", lexicon)] == [
        "stapler",
        "paper",
    ]
