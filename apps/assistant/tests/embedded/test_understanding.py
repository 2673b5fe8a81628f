"""What the embedded assistant understood, and what it says about the rest. `bench/assistant`
measures how well it understands 400 questions.
"""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

import pytest

from apps.assistant.embedded.cart_lines import read_wanted_lines
from apps.assistant.embedded.periods import find_periods
from apps.assistant.embedded.slots import parse_slots
from apps.assistant.tests.embedded.test_lists import ask_in_turn
from apps.assistant.tools.model_tools import tool_run
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory, category_path
from apps.orders.tests.factories import place_order, settle_in
from apps.org.models import Account
from apps.reports.services.facts import facts_update
from apps.search.keyword import get_lexicon

TODAY = date(2026, 11, 26)


@pytest.fixture
def pen(db: None) -> Product:
    return ProductFactory(
        code="600001",
        name="墨岚 中性笔 0.5mm 黑色",
        category=category_path("办公", "书写", "中性笔"),
        market_price=Decimal("2.00"),
        attributes={"颜色": "黑色", "线幅": "0.5mm"},
    )


@pytest.mark.parametrize(
    ("words", "since", "until"),
    [
        ("上个月", date(2026, 10, 1), date(2026, 10, 31)),
        ("本季度到现在", date(2026, 10, 1), TODAY),
        ("去年下半年", date(2025, 7, 1), date(2025, 12, 31)),
        ("12月", date(2025, 12, 1), date(2025, 12, 31)),
        ("11月1号到15号", date(2026, 11, 1), date(2026, 11, 15)),
        ("8月到10月", date(2026, 8, 1), date(2026, 10, 31)),
        ("前三季度", date(2026, 1, 1), date(2026, 9, 30)),
        ("上周", date(2026, 11, 16), date(2026, 11, 22)),
        ("最近三个月", date(2026, 9, 1), TODAY),
    ],
)
def test_a_period_is_read_as_people_say_it(words: str, since: date, until: date) -> None:
    (period,) = find_periods(f"{words}花了多少", TODAY)[1]

    assert (period.since, period.until) == (since, until)


def test_an_object_leaves_its_letter_in_the_shape(buyer: Account, pen: Product) -> None:
    slots = parse_slots(
        f"{buyer.nickname}上个月买50元以内的黑色中性笔花了多少",
        actor=buyer,
        lexicon=get_lexicon(""),
    )

    assert slots.shape == "PT买CK花了多少"
    assert slots.max_price == Decimal(50)


def test_a_colour_with_its_own_quantity_is_a_line_of_its_own(buyer: Account, pen: Product) -> None:
    slots = parse_slots("中性笔黑色20支蓝色10支", actor=buyer, lexicon=get_lexicon(""))

    assert [(line.slots.colours, line.quantity) for line in read_wanted_lines(slots)] == [
        (("黑色",), 20),
        (("蓝色",), 10),
    ]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("上个月和谁吃火锅花了多少", "吃火锅"),
        ("上个月的中性笔有哪些", "上个月"),
        ("有没有量子中性笔", "量子"),
    ],
)
def test_a_word_it_does_not_understand_is_named_and_nothing_else_is_said(
    buyer: Account, pen: Product, text: str, word: str
) -> None:
    turn = ask_in_turn(buyer, text)

    assert word in turn.text
    assert (turn.codes, "¥" in turn.text) == ([], False)


def test_a_product_that_is_not_there_is_not_replaced_in_a_proposal(
    buyer: Account, pen: Product
) -> None:
    turn = ask_in_turn(buyer, "来10支红色中性笔")

    assert (turn.proposed, turn.codes) == ({}, [])
    assert "没有找到 红色 中性笔" in turn.text


def test_a_condition_that_no_product_meets_is_named(buyer: Account, pen: Product) -> None:
    turn = ask_in_turn(buyer, "红色中性笔")

    assert turn.codes == ["600001"]
    assert "下面这些不符合“红色”" in turn.text


def test_the_next_question_replaces_one_object_only(buyer: Account, pen: Product) -> None:
    settle_in(buyer)
    facts_update([place_order(buyer, (pen, 5)).pk])

    assert "¥10.00" in ask_in_turn(buyer, "上个月花了多少", "那今天呢").text
    assert "¥0.00" in ask_in_turn(buyer, "今天花了多少", "那上个月呢").text


@pytest.mark.parametrize("text", ["{name}今天花了多少", "{name}今天下了几单", "{name}今天买了什么"])
def test_somebody_with_his_own_data_only_gets_no_figure_of_a_colleague(
    buyer: Account, limited: Account, pen: Product, text: str
) -> None:
    settle_in(buyer)
    order = place_order(buyer, (pen, 5))
    facts_update([order.pk])
    turn = ask_in_turn(limited, text.format(name=buyer.nickname))

    assert "没有查看同事、部门或公司数据的权限" in turn.text
    assert (order.order_no in turn.text, "¥" in turn.text) == (False, False)


def test_a_model_that_asks_for_a_colleague_gets_the_same_refusal(
    buyer: Account, limited: Account, pen: Product
) -> None:
    settle_in(buyer)
    facts_update([place_order(buyer, (pen, 5)).pk])
    asked = {"since": "2020-01-01", "until": "2099-12-31", "person": buyer.nickname}

    refused = tool_run(actor=limited, name="spending", arguments=json.dumps(asked))[1].data
    own = tool_run(actor=buyer, name="spending", arguments=json.dumps(asked))[1].data

    assert "没有查看同事、部门或公司数据的权限" in refused["error"]
    assert (own["total"], own["orders"]) == ("10.00", 1)
