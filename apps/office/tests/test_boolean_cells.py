"""是 and 否 in the lists of the back office."""

import pytest
from unfold.utils import display_for_value


@pytest.mark.parametrize(("value", "title"), [(True, "是"), (False, "否"), (None, "未知")])
def test_a_plain_no_is_no_alarm(value: bool | None, title: str) -> None:
    result = display_for_value(value, "—", boolean=True)
    assert (f'title="{title}"' in result, "red" in result, "close" in result) == (
        True,
        False,
        False,
    )
