"""A primary key in a request consists of plain digits only."""

from __future__ import annotations

import pytest

from apps.common.numbers import parse_key


@pytest.mark.parametrize(
    ("text", "key"),
    [("19", 19), (19, 19), ("１９", 0), ("²", 0), ("-1", 0), ("", 0), ("9" * 19, 0)],
)
def test_a_text_that_is_not_plain_digits_names_no_row(text: object, key: int) -> None:
    assert parse_key(text) == key
