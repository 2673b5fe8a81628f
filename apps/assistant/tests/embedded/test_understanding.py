"""What the embedded assistant understood, and what it says about the rest. `bench/assistant`
measures how well it understands 400 questions.
"""

from __future__ import annotations

import json
import time
from datetime import date
from decimal import Decimal

import pytest

from apps.assistant.embedded.cart_lines import read_wanted_lines
from apps.assistant.embedded.periods import find_periods
from apps.assistant.embedded.slots import (
    AMOUNT,
    BUDGET,
    NTH,
    PACK,
    PEOPLE,
    PER_HEAD,
    QUANTITY,
    THAN_PRICE,
    parse_slots,
)
from apps.assistant.tests.embedded.test_lists import ask_in_turn
from apps.assistant.tools.model_tools import tool_run
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory, create_category_path
from apps.orders.tests.factories import place_order, settle_in
from apps.org.enums import PurchasingRight
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, RoleFactory
from apps.reports.services.facts import facts_update
from apps.search.keyword import get_lexicon

TODAY = date(2026, 11, 26)


@pytest.fixture
def pen(db: None) -> Product:
    return ProductFactory(
        code="600001",
        name="墨岚 中性笔 0.5mm 黑色",
        category=create_category_path("办公", "书写", "中性笔"),
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

    assert slots.masked_text == "PT买CK花了多少"
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
def test_unknown_word_is_named_without_products_or_prices(
    buyer: Account, pen: Product, text: str, word: str
) -> None:
    turn = ask_in_turn(buyer, text)

    assert word in turn.text
    assert (turn.codes, "¥" in turn.text) == ([], False)


def test_missing_product_is_not_replaced_in_a_proposal(buyer: Account, pen: Product) -> None:
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
    query = {"since": "2020-01-01", "until": "2099-12-31", "person": buyer.nickname}

    refused = tool_run(actor=limited, name="spending", arguments=json.dumps(query))[1].data
    own = tool_run(actor=buyer, name="spending", arguments=json.dumps(query))[1].data

    assert "没有查看同事、部门或公司数据的权限" in refused["error"]
    assert (own["total"], own["orders"]) == ("10.00", 1)


def test_the_cheaper_pack_counts_the_contents_of_the_products(buyer: Account) -> None:
    """¥0.036, ¥0.042 and ¥0.040 per 张 are not equal, although all are ¥0.04 in cents."""
    paper = create_category_path("办公", "纸品", "复印纸")
    for code, unit, pack, contents, price in (
        ("600011", "箱", "5包×500张/箱", 2500, "91.00"),
        ("600012", "包", "500张/包", 500, "21.00"),
        ("600013", "箱", "5包/箱", 2500, "100.00"),
    ):
        ProductFactory(
            code=code,
            name=f"复印纸 {code}",
            category=paper,
            unit=unit,
            pack=pack,
            base_unit="张",
            contents=contents,
            market_price=Decimal(price),
        )

    compared = ask_in_turn(buyer, "600012 和 600011 和 600013 哪个划算")
    cheapest = ask_in_turn(buyer, "最便宜的复印纸")

    assert "折合每张更便宜的是 **复印纸 600011**" in compared.text
    assert "600012 ¥0.042、600011 ¥0.036、600013 ¥0.040" in compared.text
    assert cheapest.codes == ["600011", "600013", "600012"]


def test_a_message_of_digits_takes_no_quadratic_time() -> None:
    """A search of every pattern from every digit takes more than a second."""
    text = "1" * 2000
    started = time.process_time()
    for pattern in (QUANTITY, PEOPLE, BUDGET, PER_HEAD, AMOUNT, THAN_PRICE, NTH, PACK):
        assert pattern.search(text) is None
    assert find_periods(text, TODAY) == (text, [])

    assert time.process_time() - started < 0.3


def test_price_limit_is_not_mentioned_without_the_price_right(buyer: Account, pen: Product) -> None:
    viewer = AccountFactory(department=buyer.department)
    viewer.roles.add(RoleFactory(group=buyer.group, purchasing=PurchasingRight.BROWSE_UNPRICED))

    turn = ask_in_turn(viewer, "50元以上的中性笔")

    assert turn.codes == ["600001"]
    assert "50 元" not in turn.text
