"""The parts of the demo that apps register."""

from __future__ import annotations

import random
from datetime import datetime

import pytest
from django.utils import timezone

from apps.common import demo


@pytest.fixture(autouse=True)
def _no_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "_parts", {})


def drawn(_now: datetime, chance: random.Random) -> str:
    return str(chance.randrange(10**9))


def test_parts_play_in_the_order_they_were_registered() -> None:
    demo.demo_part("退货", drawn)
    demo.demo_part("取消", drawn)

    assert [part.title for part in demo.demo_parts()] == ["退货", "取消"]


def test_one_part_draws_the_same_whatever_others_there_are() -> None:
    now = timezone.now()
    demo.demo_part("取消", drawn)
    alone = demo.demo_parts()[0].play(now=now)
    demo.demo_part("退货", drawn)

    first, second = (part.play(now=now) for part in demo.demo_parts())
    assert first == alone != second
