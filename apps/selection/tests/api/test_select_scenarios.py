"""POST /api/Product/Select with a scenario: its kinds, its baskets and its errors."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.common.testing import Answer, ApiClient, assert_queries
from apps.org.models import Account
from apps.selection.models import ScenarioKind, SelectionScenario

pytestmark = pytest.mark.django_db


def plan(account: Account, **given: Any) -> Answer:
    return ApiClient(account).post(
        "/api/Product/Select", {"Scenario": {"HeadCount": 12, "Budget": "3000", **given}}
    )


@pytest.mark.usefixtures("stationery")
def test_a_scenario_of_words_becomes_baskets_within_the_budget(buyer: Account) -> None:
    answer = plan(buyer, Kinds=[{"Name": "中性笔", "PerHead": "2"}, "笔记本"])

    best, cheapest = answer.body["Plans"][0], answer.body["Plans"][1]
    assert (best["Goal"], cheapest["Goal"], cheapest["Total"]) == ("best", "cheaper", "163.20")
    assert {(line["ProductCode"], line["Quantity"]) for line in cheapest["Lines"]} == {
        ("2", 2),
        ("3", 12),
    }
    assert all(Decimal(one["Total"]) + Decimal(one["Left"]) == 3000 for one in answer.body["Plans"])


@pytest.fixture
def scenario(stationery: None) -> SelectionScenario:
    """A scenario with two pens and a notebook per person, and cups that no product covers."""
    selection_scenario = SelectionScenario.objects.create(
        code="kit", name="入职礼包", heads=12, budget=Decimal("3000.00")
    )
    for name, unit, per_head in (("中性笔", "支", 2), ("笔记本", "本", 1), ("保温杯", "个", 1)):
        ScenarioKind.objects.create(
            scenario=selection_scenario, name=name, unit=unit, per_head=per_head, keyword=name
        )
    return selection_scenario


@pytest.mark.usefixtures("scenario")
def test_scenario_lists_which_kinds_the_catalogue_has(buyer: Account) -> None:
    (offered,) = ApiClient(buyer).get("/api/Product/SelectScenario").body

    assert {kind["Name"]: kind["Available"] for kind in offered["Kinds"]} == {
        "中性笔": True,
        "笔记本": True,
        "保温杯": False,
    }


@pytest.mark.usefixtures("scenario")
def test_unavailable_kind_is_named_and_the_others_are_planned(buyer: Account) -> None:
    answer = plan(buyer, Code="kit")

    assert [item["Message"] for item in answer.body["Items"]] == [
        "",
        "",
        "您的采购目录中没有“保温杯”",
    ]
    assert {line["Item"] for line in answer.body["Plans"][0]["Lines"]} == {1, 2}


@pytest.mark.usefixtures("scenario")
def test_too_small_budget_returns_the_needed_amount_and_kinds_to_drop(buyer: Account) -> None:
    answer = plan(buyer, Code="kit", Budget="100")

    assert (answer.body["Plans"], answer.body["NeededBudget"], answer.body["Drop"]) == (
        [],
        "163.20",
        ["笔记本"],
    )
    assert (
        plan(buyer, Code="kit", Budget=answer.body["NeededBudget"]).body["Plans"][0]["Left"]
        == "0.00"
    )
    assert plan(buyer, Kinds=["中性笔"], Budget="100").body["Plans"]


@pytest.mark.usefixtures("scenario")
def test_excluded_product_is_in_no_plan(buyer: Account) -> None:
    answer = plan(buyer, Code="kit", Exclude=["墨岚", "12支"])

    assert [item["Message"] for item in answer.body["Items"][:2]] == [
        "",
        "该品类的商品都在排除条件内",
    ]
    assert {line["ProductCode"] for one in answer.body["Plans"] for line in one["Lines"]} == {"1"}


@pytest.mark.usefixtures("scenario")
def test_head_count_above_the_stock_returns_the_possible_number(buyer: Account) -> None:
    answer = plan(buyer, Code="kit", HeadCount=100_000, Budget="100000000")

    assert answer.body["Items"][1]["Message"] == "库存最多够 100 人，请减少人数或分批采购"
    assert answer.body["Plans"] == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"Budget": "0"}, "预算须大于 0"),
        ({"Budget": "-5"}, "预算须大于 0"),
        ({"Budget": "999999999"}, "预算不能超过 1 亿元"),
        ({"Budget": "1.234"}, "小数"),
        ({"HeadCount": 0}, "人数至少为 1"),
        ({"HeadCount": 100_001}, "人数不能超过 100000"),
        ({"Kinds": ["笔"] * 2}, "同一种商品请只选一次"),
        ({"Kinds": [f"笔{n}" for n in range(21)]}, "最多选 20 种"),
        ({"Kinds": [{"Name": "笔", "PerHead": "0"}]}, "每人数量为 0"),
        ({"Code": "nothing"}, "该选品场景不存在或已停用"),
        ({"Extra": 1}, "不支持的字段"),
    ],
)
def test_invalid_scenario_request_is_refused_with_a_hint(
    buyer: Account, given: dict[str, Any], message: str
) -> None:
    answer = plan(buyer, **{"Kinds": ["笔"], **given})

    assert not answer.ok
    assert message in answer.message + str(answer.body)


@pytest.mark.usefixtures("scenario")
def test_a_scenario_costs_the_same_queries_however_many_kinds(buyer: Account) -> None:
    plan(buyer, Code="kit")

    with assert_queries(13):
        plan(buyer, Code="kit")
    with assert_queries(13):
        plan(buyer, Code="kit", Kinds=["中性笔"])
