"""The arguments of a tool, as a model writes them."""

from __future__ import annotations

import pytest

from apps.assistant.tools.tool import Arguments, BadArguments


@pytest.mark.parametrize("value", [0, 21, -1, True, 1.5, "3"])
def test_a_number_outside_its_range_is_refused(value: object) -> None:
    with pytest.raises(BadArguments):
        Arguments({"Count": value}).get_whole_number("Count", default=5, maximum=20)


def test_a_number_within_its_range_is_taken() -> None:
    taken = [
        Arguments(values).get_whole_number("Count", default=5, maximum=20)
        for values in ({"Count": 1}, {"Count": 20}, {})
    ]
    assert taken == [1, 20, 5]
