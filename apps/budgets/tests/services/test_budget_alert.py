"""Alerts to the managers and the owner of a budget at 80 % and 100 %."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from apps.budgets.enums import BudgetPolicy
from apps.budgets.models import Budget
from apps.budgets.services.budget_manage import BudgetChange, budget_adjust, budget_change
from apps.budgets.services.budget_moves import ALERT_TOPIC, budget_reserve, handle_budget_reserved
from apps.budgets.services.budget_transfer import budget_transfer
from apps.budgets.tests.factories import make_budget
from apps.common.errors import ValidationFailed
from apps.common.models import OutboxMessage
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, RoleFactory


@pytest.fixture
def budget(buyer: Account, approver: Account, ga: Account) -> Budget:
    assert buyer.enterprise
    return make_budget(enterprise=buyer.enterprise, policy=BudgetPolicy.WARN, name="行政预算")


def reserve(budget: Budget, buyer: Account, amount: str, reference: str) -> list[dict[str, Any]]:
    """Reserve an amount and return the published messages."""
    budget_reserve(actor=buyer, budget=budget, amount=Decimal(amount), reference=reference)
    handle_budget_reserved(reference, {})
    return [
        message.payload
        for message in OutboxMessage.objects.filter(topic=ALERT_TOPIC).order_by("pk")
    ]


def test_budget_below_80_percent_sends_no_alert(budget: Budget, buyer: Account) -> None:
    assert reserve(budget, buyer, "799.99", "SO1") == []


def test_budget_at_80_percent_alerts_with_the_remaining_amount(
    budget: Budget, buyer: Account, ga: Account
) -> None:
    assert reserve(budget, buyer, "800.00", "SO1") == [
        {
            "To": [ga.pk],
            "Title": "预算“行政预算”已用 80%",
            "Text": "额度 ¥1,000.00，已预占 ¥800.00，已使用 ¥0.00，可用 ¥200.00",
            "Link": "/userCenter/asset/budget",
            "SubjectKey": f"budget:{budget.pk}",
            "Once": f"{budget.pk}:80:1000.00",
        }
    ]


def test_exhausted_and_overdrawn_budgets_alert_with_their_state(
    budget: Budget, buyer: Account
) -> None:
    reserve(budget, buyer, "1000.00", "SO1")
    result = reserve(budget, buyer, "5.00", "SO2")

    assert [row["Title"] for row in result] == ["预算“行政预算”已用完", "预算“行政预算”已超支"]
    assert [row["Text"].rpartition("，")[2] for row in result] == ["可用 ¥0.00", "超支 ¥5.00"]
    # The same threshold at the same amount has the same `Once`.
    assert {row["Once"] for row in result} == {f"{budget.pk}:100:1000.00"}


def test_each_custom_threshold_alerts_once(budget: Budget, buyer: Account, ga: Account) -> None:
    budget_change(actor=ga, budget_id=budget.pk, change=BudgetChange(thresholds=[95, 50, 80, 50]))

    for number, amount in enumerate(("499.99", "0.01", "100.00", "200.00", "190.00")):
        result = reserve(budget, buyer, amount, f"SO{number}")

    assert [row["Title"] for row in result] == [
        "预算“行政预算”已用 50%",
        "预算“行政预算”已用 60%",
        "预算“行政预算”已用 80%",
        "预算“行政预算”已用 99%",
    ]
    # Receivers drop a notice whose `Once` they have: 60 % is the threshold of 50 % again.
    assert [row["Once"] for row in result] == [
        f"{budget.pk}:{threshold}:1000.00" for threshold in (50, 50, 80, 95)
    ]


@pytest.mark.parametrize("thresholds", [[0], [101], [10, 20, 30, 40, 50, 60]])
def test_thresholds_are_at_most_five_percentages(
    budget: Budget, ga: Account, thresholds: list[int]
) -> None:
    with pytest.raises(ValidationFailed, match="预警线"):
        budget_change(actor=ga, budget_id=budget.pk, change=BudgetChange(thresholds=thresholds))


def test_each_level_of_the_budget_tree_alerts(budget: Budget, buyer: Account, ga: Account) -> None:
    assert buyer.enterprise
    low = make_budget(enterprise=buyer.enterprise, name="个人", account=buyer, parent=budget)

    result = reserve(low, buyer, "900.00", "SO1")

    assert [row["Title"] for row in result] == ["预算“行政预算”已用 90%", "预算“个人”已用 90%"]


def test_budget_alert_goes_to_its_owner_and_keepers_only(
    buyer: Account, approver: Account, ga: Account, limited: Account
) -> None:
    assert buyer.enterprise
    assert buyer.department
    role = RoleFactory(
        group=buyer.group,
        code="fin",
        menu_codes=[MenuCode.ASSET_BUDGET],
        data_scope=DataScope.ENTERPRISE,
    )
    finance = AccountFactory(department=buyer.department, username="finance", roles=[role])
    budget = make_budget(enterprise=buyer.enterprise, department=buyer.department)

    result = reserve(budget, buyer, "900.00", "SO1")

    assert result[0]["To"] == sorted([approver.pk, ga.pk, finance.pk])


def list_alerts() -> list[str]:
    return [
        message.payload["Title"]
        for message in OutboxMessage.objects.filter(topic=ALERT_TOPIC).order_by("pk")
    ]


def test_lowered_amount_alerts_at_80_and_100_percent(
    budget: Budget, buyer: Account, ga: Account
) -> None:
    budget_reserve(actor=buyer, budget=budget, amount=Decimal("600.00"), reference="SO1")

    for delta in ("-249.99", "-0.01", "-150.00"):
        budget_adjust(actor=ga, budget=budget, delta=Decimal(delta), note="压缩")

    assert list_alerts() == ["预算“行政预算”已用 80%", "预算“行政预算”已用完"]


def test_transfer_alerts_for_its_source_budget_only(
    budget: Budget, buyer: Account, ga: Account
) -> None:
    assert buyer.enterprise
    target = make_budget(enterprise=buyer.enterprise, name="研发预算")
    budget_reserve(actor=buyer, budget=budget, amount=Decimal("600.00"), reference="SO1")

    budget_transfer(
        actor=ga, source_id=budget.pk, target_id=target.pk, amount=Decimal("300.00"), reason="项目"
    )

    assert list_alerts() == ["预算“行政预算”已用 85%"]


def test_a_raise_is_no_such_news(budget: Budget, buyer: Account, ga: Account) -> None:
    budget_reserve(actor=buyer, budget=budget, amount=Decimal("990.00"), reference="SO1")
    budget_adjust(actor=ga, budget=budget, delta=Decimal("100.00"), note="追加")

    assert list_alerts() == []


def test_an_order_without_a_budget_is_no_news(buyer: Account) -> None:
    handle_budget_reserved("SO-NONE", {})

    assert not OutboxMessage.objects.exists()
