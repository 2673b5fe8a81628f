"""How sheets and papers name a person."""

from __future__ import annotations

import pytest

from apps.org.models import Account


@pytest.mark.parametrize(
    ("full_name", "shown"),
    [("", "小王"), ("小王", "小王"), ("王建国", "小王（王建国）")],
)
def test_legal_name_is_shown_beside_the_nickname(full_name: str, shown: str) -> None:
    assert Account(nickname="小王", full_name=full_name).name_with_full_name == shown
