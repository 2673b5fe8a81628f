"""是 and 否 in the lists of the back office."""

import pytest
from unfold.utils import display_for_value


@pytest.mark.parametrize(("value", "title"), [(True, "是"), (False, "否"), (None, "未知")])
def test_a_plain_no_is_no_alarm(value: bool | None, title: str) -> None:
    shown = display_for_value(value, "—", boolean=True)
    assert (f'title="{title}"' in shown, "red" in shown, "close" in shown) == (True, False, False)
