"""Examples of the schema: which value a key gets, and that two apps cannot give one key two
values.
"""

from __future__ import annotations

import pytest

from apps.common.api.docs import Examples, build_example, merge_examples

ORDERS = Examples(
    values={"Status": "pending"},
    components={"Return": {"Status": "sent"}, "ReturnDetail": {"Status": "received"}},
)
TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("component", "example"),
    [("Order", "pending"), ("ReturnRow", "sent"), ("ReturnDetailLine", "received")],
)
def test_the_longest_beginning_of_a_component_decides(component: str, example: str) -> None:
    assert build_example(ORDERS, "Status", TEXT, component=component) == example


def test_example_of_a_field_is_the_same_in_all_apps() -> None:
    assert merge_examples([ORDERS, Examples(values={"Unit": "支"})]).values == {
        "Status": "pending",
        "Unit": "支",
    }
    with pytest.raises(ValueError, match="Status"):
        merge_examples([ORDERS, Examples(values={"Status": "paid"})])
