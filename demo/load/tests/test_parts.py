"""The parts of the demo that follow the orders."""

from __future__ import annotations

import random
from datetime import datetime

from django.utils import timezone

from demo.load.parts import DEMO_PARTS, DemoPart


def draw(_now: datetime, chance: random.Random) -> str:
    return str(chance.randrange(10**9))


def test_facts_are_built_after_all_other_parts() -> None:
    assert DEMO_PARTS[-1].title == "报表"


def test_each_part_has_its_own_random_numbers() -> None:
    now = timezone.now()
    alone = DemoPart("取消", draw).run(now=now)

    first, second = (DemoPart(title, draw).run(now=now) for title in ("取消", "退货"))

    assert first == alone != second
