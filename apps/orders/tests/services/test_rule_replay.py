"""回放: real orders against a draft rule, in the worker's handler."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from apps.approvals.models import RuleReplay
from apps.approvals.selectors.rule_form import ConditionForm, RuleForm, StepForm, StepSpec
from apps.approvals.services.rule_replay import replay_handler, replay_start
from apps.approvals.tests.factories import create_rule
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import WrongState
from apps.common.testing import ApiClient
from apps.orders.models import Order, OrderLine
from apps.orders.tests.factories import place_order
from apps.org.models import Account


def build_draft(approver: Account, *conditions: ConditionForm) -> RuleForm:
    step = StepForm("accounts", account_ids=(approver.pk,))
    return RuleForm("草稿", conditions=conditions, steps=(step,))


def replay_rule(actor: Account, form: RuleForm, rule_id: str | None = None) -> dict[str, Any]:
    replay = replay_start(actor=actor, form=form, rule_id=rule_id)
    replay_handler("", {"ReplayId": replay.pk})
    replay.refresh_from_db()
    assert (replay.state, replay.error) == ("done", "")
    result: dict[str, Any] = replay.result or {}
    assert replay.done == replay.total == result["Orders"]
    return result


def move_order(order: Order, days: int) -> Order:
    at = timezone.now() - timedelta(days=days)
    Order.objects.filter(pk=order.pk).update(submitted_at=at)
    OrderLine.objects.filter(order=order).update(ordered_at=at)
    return order


def test_a_sum_catches_the_second_of_two_split_orders(
    ga: Account, shopper: Account, approver: Account
) -> None:
    bought = ProductFactory(market_price=Decimal("1999.00"))
    first, second = (move_order(place_order(shopper, (bought, 1)), days) for days in (11, 10))
    move_order(place_order(shopper, (bought, 1)), 91)
    create_rule(
        group_id=ga.group_id,
        name="现有",
        conditions=[{"kind": "requester", "value": [shopper.pk]}],
        steps=[StepSpec("accounts", accounts=(ga,))],
        is_active=True,
    )

    rule = replay_rule(
        ga, build_draft(approver, ConditionForm("sum_brand", amount=Decimal(3000), days=2))
    )

    assert (rule["Orders"], rule["Before"], rule["After"]) == (2, 2, 2)
    assert [(row["OrderNo"], row["IsNew"]) for row in rule["Caught"]] == [(second.order_no, False)]
    assert rule["Caught"][0]["Reason"].startswith(
        f"同一品牌「{bought.brand.name}」 2 天内累计 ¥3,998.00（此前 ¥1,999.00"
    )
    assert {row["Name"]: (row["Before"], row["After"]) for row in rule["Approvers"]} == {
        ga.nickname: (2, 2),
        approver.nickname: (0, 1),
    }
    assert first.order_no != second.order_no


def test_rule_replay_uses_purchases_before_its_ninety_day_window(
    ga: Account, shopper: Account, approver: Account
) -> None:
    old, new = (ProductFactory(market_price=Decimal("10.00")) for _ in range(2))
    move_order(place_order(shopper, (old, 1)), 100)
    OrderLine.objects.update(unit_price_incl_tax=Decimal("5.00"))
    place_order(shopper, (old, 1))
    latest = place_order(shopper, (new, 1))

    rule = replay_rule(ga, build_draft(approver, ConditionForm("first_product")))
    assert [row["OrderNo"] for row in rule["Caught"]] == [latest.order_no]
    assert (rule["CaughtTotal"], rule["Newly"], rule["Before"], rule["After"]) == (1, 1, 0, 1)

    rises = replay_rule(ga, build_draft(approver, ConditionForm("price_rise", quantity=50)))
    assert rises["CaughtTotal"] == 1


def test_the_draft_replaces_its_stored_rule(
    ga: Account, shopper: Account, approver: Account
) -> None:
    place_order(shopper)
    rule = create_rule(
        group_id=ga.group_id, name="全部", steps=[StepSpec("accounts", accounts=(ga,))]
    )

    result = replay_rule(ga, build_draft(approver), rule_id=str(rule.pk))

    assert {row["Name"]: (row["Before"], row["After"]) for row in result["Approvers"]} == {
        ga.nickname: (1, 0),
        approver.nickname: (0, 1),
    }


def test_replay_runs_once_at_a_time_and_is_private_to_its_starter(
    ga: Account, shopper: Account, approver: Account
) -> None:
    replay = replay_start(actor=ga, form=build_draft(approver))
    with pytest.raises(WrongState):
        replay_start(actor=ga, form=build_draft(approver))
    RuleReplay.objects.update(updated_at=timezone.now() - timedelta(minutes=6))
    again = replay_start(actor=ga, form=build_draft(approver))

    assert not RuleReplay.objects.filter(pk=replay.pk).exists()
    answer = ApiClient(ga).get("/api/ApprovalRule/Replay", {"ReplayId": str(again.pk)})
    assert (answer.body["State"], answer.body["Result"]) == ("queued", None)
    gone = ApiClient(approver).get("/api/ApprovalRule/Replay", {"ReplayId": str(again.pk)})
    assert gone.status in (403, 404)
