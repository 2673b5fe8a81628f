"""A client's counter is closed (by a solved captcha or a success) while its calls are counted,
with real processes.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from apps.common.limits.counters import add_hits, forget
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
NAME = "writes:203.0.113.9"


def count_hits(times: int) -> int:
    return sum(add_hits(name=NAME, limit=1, window_seconds=60) > 1 for _ in range(times))


def delete_counter(times: int) -> bool:
    return all(forget(name=NAME) for _ in range(times))


def test_a_call_counted_while_its_counter_is_closed_is_answered(settings: Any) -> None:
    """The counter may be deleted before its block is written."""
    settings.CACHE_URL = ""

    outcomes = run_race([partial(count_hits, 400), partial(delete_counter, 400)] * 2)

    assert all(outcome.value for outcome in outcomes)  # some calls were held back
