"""A primary key in a request consists of plain digits only."""

from __future__ import annotations

import pytest

from apps.common.numbers import parse_key


@pytest.mark.parametrize(
    ("text", "key"),
    [("19", 19), (19, 19), ("１９", 0), ("²", 0), ("-1", 0), ("", 0), ("9" * 19, 0)],
)
def test_text_other_than_plain_digits_is_no_key(text: object, key: int) -> None:
    assert parse_key(text) == key
