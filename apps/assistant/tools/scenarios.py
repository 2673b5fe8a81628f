"""Scenarios for quick lists: the words that name them, and their kinds if staff have no scenario
with that code.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from decimal import Decimal

from apps.selection.selectors.scenarios import KindRequest


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of product: quantity per head, and a minimum in total. `unit` None means the unit that
    staff use for the kind.
    """

    name: str
    per_head: float
    least: int = 1
    unit: str | None = None

    def asked(self, people: int) -> KindRequest:
        """Return the kind with the quantity for `people` people."""
        return KindRequest(
            self.name,
            per_head=Decimal(0),
            fixed=max(self.least, math.ceil(self.per_head * people)),
            unit=self.unit,
        )


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario: its name, the pattern that recognises it, its kinds, and the code of the staff's
    scenario (选品场景), if any.
    """

    name: str
    said: re.Pattern[str]
    kinds: tuple[Kind, ...]
    code: str = ""


PENS, BOOKS, NOTES = "中性笔", "笔记本", "便利贴"
SCENARIOS = (
    Scenario(
        "入职礼包",
        re.compile("入职|新员工|新同事|新人|迎新"),
        (
            Kind(BOOKS, 1),
            Kind(PENS, 2),
            Kind("马克杯", 1),
            Kind("文件袋", 1),
            Kind(NOTES, 1),
            Kind("鼠标垫", 1),
        ),
        "onboarding",
    ),
    Scenario(
        "节日福利",
        re.compile("福利|中秋|端午|春节|年货|节日|过节"),
        (
            Kind("坚果", 1, unit="罐/袋/盒/包"),
            Kind("糖果巧克力", 1, unit="袋/罐/盒"),
            Kind("毛巾", 2, unit="条"),
            Kind("抽纸", 10, unit="包"),
        ),
        "festival",
    ),
    Scenario(
        "培训用品",
        re.compile("培训|讲座|授课"),
        (
            Kind(BOOKS, 1),
            Kind(PENS, 1),
            Kind("白板笔", 0.2, 2),
            Kind(NOTES, 0.2, 2),
            Kind("饮用水", 2, unit="瓶"),
            Kind("文件袋", 1),
        ),
    ),
    Scenario(
        "会议用品",
        re.compile("会议|开会|研讨|年会|座谈"),
        (
            Kind(BOOKS, 1),
            Kind(PENS, 1),
            Kind("饮用水", 2, unit="瓶"),
            Kind("白板笔", 0.2, 2),
            Kind(NOTES, 0.2, 2),
            Kind("台卡台签", 1),
        ),
        "meeting",
    ),
    Scenario(
        "打印耗材",
        re.compile("耗材|打印用品|硒鼓.*墨盒|复印纸.*硒鼓"),
        (
            Kind("A4 复印纸", 1, 5, "包"),
            Kind("黑色硒鼓", 0.2, 2),
            Kind("墨盒", 0.2, 2),
            Kind("标签纸", 0.1, 1, "包"),
        ),
        "printing",
    ),
    Scenario(
        "清洁用品",
        re.compile("清洁|保洁|打扫|卫生间|洗手间"),
        (
            Kind("抽纸", 1, unit="包"),
            Kind("洗手液", 0.2, 2),
            Kind("擦手纸", 0.5, 4, "包"),
            Kind("抹布", 0.2, 2),
            Kind("垃圾袋", 0.5, 4, "卷/包"),
            Kind("消毒液", 0.1, 1),
        ),
    ),
    Scenario(
        "茶水间补货",
        re.compile("茶水间|茶歇|下午茶|零食补货|茶点"),
        (
            Kind("袋泡茶", 0.1, 2, "盒"),
            Kind("速溶咖啡", 0.1, 2, "盒"),
            Kind("饮用水", 2, 12, "瓶"),
            Kind("纸杯", 5, 50, "只"),
            Kind("饼干", 0.5, 4, "包"),
        ),
    ),
    Scenario(
        "办公文具",
        re.compile("文具|办公用品|办公室|开业|新店|新公司"),
        (
            Kind(PENS, 2),
            Kind(BOOKS, 1),
            Kind("订书机", 0.2, 1),
            Kind("订书钉", 0.2, 1, "盒"),
            Kind("单强力文件夹", 2),
            Kind("剪刀", 0.2, 1),
            Kind("透明胶带", 0.4, 2, "卷/个"),
            Kind(NOTES, 1),
        ),
    ),
)


def scenario_of(text: str) -> Scenario | None:
    """Return the scenario that a text names, or None."""
    return next((scenario for scenario in SCENARIOS if scenario.said.search(text)), None)
