"""The number of catalogue queries for a line of a wish list is limited, however long the line
is.
"""

from __future__ import annotations

import pytest

from apps.search.keyword import get_lexicon
from apps.selection.selectors.products import parse_words

pytestmark = pytest.mark.django_db


def test_the_first_twelve_different_words_of_a_line_are_looked_at() -> None:
    lexicon = get_lexicon("")
    words = [f"word{number}" for number in range(20)]

    assert [concept.text for concept in parse_words(" ".join(words), lexicon)] == words[:12]
    assert [concept.text for concept in parse_words("stapler paper stapler paper", lexicon)] == [
        "stapler",
        "paper",
    ]
