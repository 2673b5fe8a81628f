"""Quick lists: for a number of people, never above the budget, from the staff's scenario if
there is one, and changed by the next message.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.assistant.answers import Event, Proposal, Turn
from apps.assistant.embedded.acts import Act
from apps.assistant.embedded.answer import embedded_answer
from apps.assistant.embedded.understanding import Understanding
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory, create_category_path
from apps.org.models import Account
from apps.search.keyword import get_lexicon
from apps.selection.models import ScenarioKind, SelectionScenario

KIT = (("笔记本", "6.00"), ("中性笔", "2.00"), ("马克杯", "20.00"), ("文件袋", "3.00"))


@pytest.fixture(autouse=True)
def _kit(db: None) -> None:
    """Two products of each kind: one at its price, one at three times the price. The dearer one
    sells better.
    """
    for name, price in KIT:
        for factor in (1, 3):
            category = create_category_path("办公", "文具", name)
            ProductFactory(
                category=category,
                name=name,
                market_price=Decimal(price) * factor,
                sales_count=factor,
                stock=500,
            )


def ask_in_turn(actor: Account, *texts: str) -> Turn:
    """Send the texts as one conversation and return the last turn."""
    turns: list[Turn] = []
    for text in texts:
        turn = Turn(text)
        for event in embedded_answer(actor=actor, turns=turns, text=text):
            turn.take(event)
        turns.append(turn)
    return turns[-1]


def list_proposed(events: list[Event]) -> list[tuple[str, int, Decimal]]:
    lines = [line for event in events if isinstance(event, Proposal) for line in event.lines]
    return [
        (line.offer.product.category.name, line.quantity, line.offer.price * line.quantity)
        for line in lines
    ]


@pytest.mark.parametrize("budget", ["20", "57", "100", "333.33", "500", "3000"])
@pytest.mark.parametrize("people", [1, 5, 12])
def test_a_list_is_never_dearer_than_the_budget_and_always_in_stock(
    buyer: Account, people: int, budget: str
) -> None:
    lines = list_proposed(
        list(
            embedded_answer(
                actor=buyer, turns=[], text=f"给{people}个新员工准备入职礼包，预算{budget}元"
            )
        )
    )

    assert sum((amount for *_, amount in lines), Decimal()) <= Decimal(budget)
    assert all(quantity <= 500 for _, quantity, _ in lines)


@pytest.mark.parametrize(
    "text",
    [
        "12 个新人的入职礼包，预算 3000 元",
        "入职礼包 12人 预算3000",
        "12份入职礼包，3000元以内",
        "给12名新员工配入职礼包，每人250元",
    ],
)
def test_head_count_and_budget_are_read_in_any_phrasing(buyer: Account, text: str) -> None:
    answer = ask_in_turn(buyer, text)

    assert answer.text.startswith("12 人“入职礼包”，预算 ¥3,000.00：")
    quantities = {
        Product.objects.select_related("category").get(code=code).category.name: n
        for code, n in answer.proposed.items()
    }
    assert quantities == {"笔记本": 12, "中性笔": 24, "马克杯": 12, "文件袋": 12}


def test_item_beyond_the_budget_is_named(buyer: Account) -> None:
    # The cheapest complete list costs 5 × (6 + 2×2 + 20 + 3) = 165.
    answer = ask_in_turn(buyer, "给5个新员工准备入职礼包，预算100元")

    assert "马克杯（超出预算）" in answer.text
    assert sum(answer.proposed.values()) == 20


def test_unwanted_items_are_excluded_and_named(buyer: Account) -> None:
    answer = ask_in_turn(buyer, "给5个新员工准备入职礼包，预算500元，不要马克杯和文件袋")

    assert "马克杯（已按您的要求排除）；文件袋（已按您的要求排除）" in answer.text
    assert sorted(answer.proposed.values()) == [5, 10]


def test_the_next_turn_changes_people_money_kinds_and_way(buyer: Account) -> None:
    wish = "给5个新员工准备入职礼包"

    assert ask_in_turn(buyer, wish, "按 8 人配").text.startswith("8 人“入职礼包”：")
    assert ask_in_turn(buyer, wish, "按 8 人配", "预算改成600").text.startswith(
        "8 人“入职礼包”，预算 ¥600.00："
    )
    assert ask_in_turn(buyer, wish, "不要马克杯").text.startswith("5 人“入职礼包”：")
    cheaper = ask_in_turn(buyer, wish, "要更省的方案").text
    assert "5 人“入职礼包”（更省）" in cheaper
    assert "**¥165.00**" in cheaper


def test_the_scenario_of_the_staff_goes_before_our_own_kinds(buyer: Account) -> None:
    selection_scenario = SelectionScenario.objects.create(
        code="onboarding", name="入职礼包", heads=12, budget=Decimal("3000.00")
    )
    ScenarioKind.objects.create(
        scenario=selection_scenario, name="笔记本", unit="", per_head=3, keyword="笔记本"
    )

    assert list(ask_in_turn(buyer, "给5个新员工准备入职礼包").proposed.values()) == [15]


def test_a_list_proposed_is_taken_whole(buyer: Account) -> None:
    before = ask_in_turn(buyer, "给5个新员工准备入职礼包")

    assert (
        ask_in_turn(buyer, "给5个新员工准备入职礼包", "全部加入购物车").proposed == before.proposed
    )


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("会议用品 20 人 预算 800 不要饮用水", Act.KIT),
        ("给30位员工准备中秋福利，每人100元", Act.KIT),
        ("30人的会议，预算1500元，帮我配一下", Act.KIT),
        ("12人会议 预算 600 不要白板笔、抽纸", Act.KIT),
        ("20人开会，找个投影仪，5000元以内", Act.FIND),
        ("中秋想给员工发福利，你们能整套做吗", Act.HELP),
        ("给 5 个新员工每人买一个鼠标，预算 500", Act.CART_ADD),
    ],
)
def test_a_whole_kit_is_a_list_and_a_single_thing_a_search(
    buyer: Account, text: str, act: Act
) -> None:
    create_category_path("办公", "设备", "投影仪")
    create_category_path("办公", "外设", "鼠标")

    assert Understanding(buyer, [], get_lexicon("")).understand(text).act == act


def test_more_things_than_fit_on_a_card_row_are_all_proposed(buyer: Account) -> None:
    codes = [ProductFactory().code for _ in range(9)]

    assert ask_in_turn(buyer, f"{' '.join(codes)} 各加1份到购物车").proposed == dict.fromkeys(
        codes, 1
    )
