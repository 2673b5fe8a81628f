"""What a controller does with budgets: create, change, transfer."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from apps.budgets.enums import BudgetPolicy
from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.budgets.services.budget_moves import budget_reserve
from apps.budgets.tests.factories import make_budget
from apps.common.testing import ApiClient
from apps.org.enums import DataScope
from apps.org.models import Account, Department, Enterprise, OrganisationChange
from apps.org.tests.factories import AccountFactory, EnterpriseFactory, RoleFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def finance(department: Department) -> Account:
    """An account that sees and manages the budgets of its enterprise."""
    role = RoleFactory(
        group=department.group, code="fin", name="财务", data_scope=DataScope.ENTERPRISE
    )
    return AccountFactory(department=department, username="fin", nickname="老财", roles=[role])


def build_body(department: Department, **more: object) -> dict[str, object]:
    owner = {"OwnerType": "department", "OwnerId": department.pk}
    return {
        "Name": "办公",
        **owner,
        "Period": "quarter",
        "Day": "2028-02-29",
        "Amount": "500.00",
        "Policy": "warn",
        **more,
    }


def list_amounts() -> list[Decimal]:
    return list(Budget.objects.order_by("pk").values_list("amount", flat=True))


def transfer(actor: Account, source: Budget, target: Budget, amount: str) -> Any:
    return ApiClient(actor).post(
        f"/api/Budget/{source.pk}/Transfer",
        {"TargetId": target.pk, "Amount": amount, "Reason": "补足"},
    )


def test_a_new_budget_takes_the_whole_quarter_and_is_allocated(
    finance: Account, department: Department
) -> None:
    row = ApiClient(finance).post("/api/Budget", build_body(department)).body

    assert (row["PeriodFrom"], row["PeriodTo"], row["PeriodText"]) == (
        "2028-01-01",
        "2028-03-31",
        "2028 年第 1 季度",
    )
    entry = BudgetEntry.objects.get()
    assert (entry.kind, entry.amount, entry.actor) == ("allocate", Decimal("500.00"), finance)


def test_the_same_budget_twice_is_refused(finance: Account, department: Department) -> None:
    client = ApiClient(finance)
    client.post("/api/Budget", build_body(department))

    assert client.post("/api/Budget", build_body(department, Day="2028-01-01")).errors == {
        "Name": ["该归属在此周期已有同名预算，可以直接调整其额度"]
    }


def test_finance_cannot_create_a_budget_of_another_enterprise(
    finance: Account, department: Department
) -> None:
    other: Enterprise = EnterpriseFactory(group=department.group)

    answer = ApiClient(finance).post(
        "/api/Budget", build_body(department, OwnerType="enterprise", OwnerId=other.pk)
    )

    assert (answer.status, Budget.objects.count()) == (403, 0)


def test_a_department_head_only_looks(approver: Account, department: Department) -> None:
    budget = make_budget(enterprise=department.enterprise, department=department)

    assert ApiClient(approver).post("/api/Budget", build_body(department)).status == 403
    assert (
        ApiClient(approver)
        .patch(f"/api/Budget/{budget.pk}", {"Amount": "2000.00", "Reason": "不够用"})
        .status
        == 403
    )


def test_amount_change_is_an_adjustment_with_its_reason(
    finance: Account, enterprise: Enterprise
) -> None:
    budget = make_budget(enterprise=enterprise)

    row = (
        ApiClient(finance)
        .patch(
            f"/api/Budget/{budget.pk}",
            {"Amount": "1200.50", "AmountSeen": "1000.00", "Reason": "扩编"},
        )
        .body
    )

    entry = BudgetEntry.objects.get(kind="adjust")
    assert (row["Amount"], entry.amount, entry.note, entry.actor) == (
        "1200.50",
        Decimal("200.50"),
        "扩编",
        finance,
    )
    assert OrganisationChange.objects.get(subject_type="budget").changes == [
        {"field": "amount", "label": "额度（元）", "before": "1000.00", "after": "1200.50"}
    ]


def test_amount_change_requires_a_reason(finance: Account, enterprise: Enterprise) -> None:
    budget = make_budget(enterprise=enterprise)

    assert (
        "Reason"
        in ApiClient(finance).patch(f"/api/Budget/{budget.pk}", {"Amount": "1200.00"}).errors
    )
    assert list_amounts() == [Decimal("1000.00")]


def test_outdated_budget_amount_is_refused_as_stale(
    finance: Account, enterprise: Enterprise
) -> None:
    budget = make_budget(enterprise=enterprise)
    client = ApiClient(finance)
    client.patch(
        f"/api/Budget/{budget.pk}", {"Amount": "1200.00", "AmountSeen": "1000.00", "Reason": "扩编"}
    )

    answer = client.patch(
        f"/api/Budget/{budget.pk}", {"Amount": "900.00", "AmountSeen": "1000.00", "Reason": "收紧"}
    )

    assert (answer.code, answer.body["Amount"], list_amounts()) == (
        "stale",
        "1200.00",
        [Decimal("1200.00")],
    )


@pytest.mark.parametrize("policy", list(BudgetPolicy))
def test_budget_amount_cannot_fall_below_the_reserved_amount_under_any_policy(
    finance: Account, buyer: Account, enterprise: Enterprise, policy: str
) -> None:
    budget = make_budget(enterprise=enterprise, policy=policy)
    budget_reserve(actor=buyer, budget=budget, amount=Decimal("300.00"), reference="SO1")
    client = ApiClient(finance)

    assert (
        client.patch(f"/api/Budget/{budget.pk}", {"Amount": "299.99", "Reason": "收紧"}).code
        == "budget_exceeded"
    )
    assert (
        client.patch(f"/api/Budget/{budget.pk}", {"Amount": "300.00", "Reason": "收紧"}).body[
            "State"
        ]
        == "full"
    )


def test_overdrawn_budget_is_raised_in_steps_and_blocks_only_once_covered(
    finance: Account, buyer: Account, enterprise: Enterprise
) -> None:
    budget = make_budget(enterprise=enterprise, policy=BudgetPolicy.WARN)
    budget_reserve(actor=buyer, budget=budget, amount=Decimal("1200.00"), reference="SO1")
    client = ApiClient(finance)

    assert (
        client.patch(f"/api/Budget/{budget.pk}", {"Amount": "1100.00", "Reason": "追加"}).body[
            "Available"
        ]
        == "-100.00"
    )
    assert (
        "Policy"
        in client.patch(f"/api/Budget/{budget.pk}", {"Policy": "block", "Reason": "收紧"}).errors
    )
    assert (
        client.patch(
            f"/api/Budget/{budget.pk}", {"Policy": "block", "Amount": "1200.00", "Reason": "追加"}
        ).body["Policy"]
        == "block"
    )


def test_policy_change_requires_a_reason_and_records_it(
    finance: Account, enterprise: Enterprise
) -> None:
    budget, client = (
        make_budget(enterprise=enterprise, policy=BudgetPolicy.WARN),
        ApiClient(finance),
    )

    assert client.patch(f"/api/Budget/{budget.pk}", {"Policy": "block"}).errors == {
        "Reason": ["请填写变更超出策略的原因，将记入变更记录"]
    }
    assert client.patch(f"/api/Budget/{budget.pk}", {"Policy": "warn"}).ok
    assert client.patch(f"/api/Budget/{budget.pk}", {"Policy": "block", "Reason": "年底收紧"}).ok
    assert OrganisationChange.objects.latest("pk").note == "年底收紧"


def test_outdated_budget_edit_is_stale_and_returns_the_current_budget(
    finance: Account, enterprise: Enterprise
) -> None:
    budget, client = make_budget(enterprise=enterprise, name="办公"), ApiClient(finance)
    seen = client.get("/api/Budget").body["Items"][0]["UpdatedAt"]
    assert client.patch(f"/api/Budget/{budget.pk}", {"Name": "办公一", "UpdatedAt": seen}).ok

    second = client.patch(f"/api/Budget/{budget.pk}", {"Name": "办公二", "UpdatedAt": seen})

    assert (second.code, second.body["Name"]) == ("stale", "办公一")


def test_order_after_the_read_does_not_make_a_budget_edit_stale(
    finance: Account, buyer: Account, enterprise: Enterprise
) -> None:
    budget, client = make_budget(enterprise=enterprise, name="办公"), ApiClient(finance)
    seen = client.get("/api/Budget").body["Items"][0]["UpdatedAt"]
    budget_reserve(actor=buyer, budget=budget, amount=Decimal("1.00"), reference="SO1")

    assert client.patch(f"/api/Budget/{budget.pk}", {"Name": "办公一", "UpdatedAt": seen}).ok


def test_a_period_that_has_ended_gets_no_budget(finance: Account, department: Department) -> None:
    assert ApiClient(finance).post(
        "/api/Budget", build_body(department, Day="2024-02-29")
    ).errors == {"Day": ["2024 年第 1 季度已结束，请选择本期或以后的期次"]}


def test_transfer_writes_an_entry_in_both_ledgers(
    finance: Account, enterprise: Enterprise, department: Department
) -> None:
    source = make_budget(enterprise=enterprise, name="企业")
    target = make_budget(enterprise=enterprise, department=department, name="行政")

    assert transfer(finance, source, target, "250.25").body["Amount"] == "749.75"

    rows = (
        BudgetEntry.objects.filter(kind="adjust")
        .order_by("budget_id")
        .values_list("budget_id", "amount", "note")
    )
    assert list(rows) == [
        (source.pk, Decimal("-250.25"), "调拨至“行政”：补足（无其他审批人）"),
        (target.pk, Decimal("250.25"), "自“企业”调入：补足（无其他审批人）"),
    ]
    assert (list_amounts(), reconcile_budgets()) == ([Decimal("749.75"), Decimal("1250.25")], [])


def test_transfer_above_the_available_amount_is_refused(
    finance: Account, buyer: Account, enterprise: Enterprise
) -> None:
    source, target = (
        make_budget(enterprise=enterprise, name="甲"),
        make_budget(enterprise=enterprise, name="乙"),
    )
    budget_reserve(actor=buyer, budget=source, amount=Decimal("300.00"), reference="SO1")

    assert transfer(finance, source, target, "700.01").code == "budget_exceeded"
    assert list_amounts() == [Decimal("1000.00"), Decimal("1000.00")]


def test_transfer_refuses_another_enterprise_a_past_period_and_its_own_source(
    finance: Account, ga: Account, enterprise: Enterprise
) -> None:
    source, target = (
        make_budget(enterprise=enterprise, name="甲"),
        make_budget(enterprise=enterprise, name="乙"),
    )
    foreign = make_budget(enterprise=EnterpriseFactory(group=enterprise.group))

    assert transfer(finance, source, foreign, "1.00").status == 404
    assert "TargetId" in transfer(finance, source, source, "1.00").errors
    assert transfer(ga, source, foreign, "1.00").ok
    Budget.objects.filter(pk=target.pk).update(
        period_to=date(timezone.localdate().year - 1, 12, 31)
    )
    assert transfer(finance, source, target, "1.00").code == "wrong_state"


def test_the_same_key_transfers_once(finance: Account, enterprise: Enterprise) -> None:
    source, target = (
        make_budget(enterprise=enterprise, name="甲"),
        make_budget(enterprise=enterprise, name="乙"),
    )
    for _ in range(2):
        ApiClient(finance).post(
            f"/api/Budget/{source.pk}/Transfer",
            {"TargetId": target.pk, "Amount": "10.00", "Reason": "补足"},
            key="transfer-1",
        )

    assert list_amounts() == [Decimal("990.00"), Decimal("1010.00")]


def test_rollover_setting_is_stored_and_its_change_is_in_the_history(
    finance: Account, department: Department
) -> None:
    client = ApiClient(finance)
    row = client.post(
        "/api/Budget",
        build_body(department, Day="2098-02-01", Rollover="cap", RolloverCap="200.00"),
    ).body
    assert (row["Rollover"], row["RolloverCap"], row["RolloverText"]) == (
        "cap",
        "200.00",
        "限额结转（最多 ¥200.00）",
    )

    row = client.patch(f"/api/Budget/{row['Id']}", {"Rollover": "all"}).body
    assert (row["Rollover"], row["RolloverCap"], row["RolloverText"]) == ("all", None, "全部结转")
    assert OrganisationChange.objects.latest("pk").changes == [
        {
            "field": "rollover",
            "label": "结转",
            "before": "限额结转（最多 ¥200.00）",
            "after": "全部结转",
        }
    ]


def test_rollover_cap_requires_an_amount_and_an_ended_period_refuses_rollover(
    finance: Account, department: Department
) -> None:
    client = ApiClient(finance)
    no_cap = client.post("/api/Budget", build_body(department, Day="2098-02-01", Rollover="cap"))
    ended = client.post("/api/Budget", build_body(department, Day="2020-02-01", Rollover="all"))

    assert no_cap.errors == {"RolloverCap": ["限额结转请填写大于 0 的结转上限"]}
    assert ended.errors == {"Day": ["2020 年第 1 季度已结束，请选择本期或以后的期次"]}
    assert Budget.objects.count() == 0


def test_unrelated_change_keeps_the_rollover_settings(
    finance: Account, enterprise: Enterprise
) -> None:
    budget = make_budget(enterprise=enterprise, rollover="cap", rollover_cap=Decimal("50.00"))

    row = ApiClient(finance).patch(f"/api/Budget/{budget.pk}", {"Name": "新名称"}).body

    assert (row["Rollover"], row["RolloverCap"]) == ("cap", "50.00")


def test_budget_cannot_take_the_name_of_a_sibling(finance: Account, department: Department) -> None:
    client = ApiClient(finance)
    first, second = (
        client.post("/api/Budget", build_body(department, Name=name)).body
        for name in ("办公", "差旅")
    )
    later = client.post("/api/Budget", build_body(department, Name="办公", Day="2028-06-01")).body

    assert client.patch(f"/api/Budget/{second['Id']}", {"Name": "办公"}).errors == {
        "Name": ["该归属在此周期已有同名预算，请更换名称"]
    }
    assert client.patch(f"/api/Budget/{later['Id']}", {"Name": "差旅"}).body["Name"] == "差旅"
    assert client.patch(f"/api/Budget/{first['Id']}", {"Name": "办公"}).body["Name"] == "办公"


def test_unchanged_budget_edit_keeps_its_timestamp(
    finance: Account, department: Department
) -> None:
    client = ApiClient(finance)
    created = client.post("/api/Budget", build_body(department)).body

    same = client.patch(
        f"/api/Budget/{created['Id']}",
        {"Name": created["Name"], "Policy": created["Policy"], "Amount": created["Amount"]},
    ).body

    assert same["UpdatedAt"] == created["UpdatedAt"]
