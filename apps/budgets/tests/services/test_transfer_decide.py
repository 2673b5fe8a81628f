"""Transfers: the amounts they hold, the accounts that may decide, and the ways they end."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.budgets.models import Budget, BudgetEntry, BudgetTransfer
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.budgets.services.budget_carry import budgets_carry
from apps.budgets.services.budget_moves import budget_reserve
from apps.budgets.services.budget_transfer import transfer_approve
from apps.budgets.tests.factories import make_budget
from apps.common.background.delivery import outbox_deliver
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.common.testing import Answer, ApiClient, assert_queries
from apps.notices.models import Notice
from apps.org.enums import DataScope
from apps.org.models import Account, Department, Enterprise
from apps.org.tests.factories import AccountFactory, EnterpriseFactory, RoleFactory

pytestmark = pytest.mark.django_db
HERE = "/api/BudgetTransfer"


@pytest.fixture
def finance(department: Department) -> Account:
    role = RoleFactory(
        group=department.group, code="fin", name="财务", data_scope=DataScope.ENTERPRISE
    )
    return AccountFactory(department=department, username="fin", nickname="老财", roles=[role])


@pytest.fixture
def pair(enterprise: Enterprise) -> tuple[Budget, Budget]:
    """Two blocking budgets of 1,000.00."""
    return make_budget(enterprise=enterprise, name="甲"), make_budget(
        enterprise=enterprise, name="乙"
    )


def ask(actor: Account, pair: tuple[Budget, Budget], amount: str = "300.00") -> Answer:
    body = {"TargetId": pair[1].pk, "Amount": amount, "Reason": "补足"}
    return ApiClient(actor).post(f"/api/Budget/{pair[0].pk}/Transfer", body)


def list_figures() -> list[tuple[Decimal, Decimal]]:
    return list(Budget.objects.order_by("pk").values_list("amount", "held"))


def act(actor: Account, deed: str, **body: str) -> Answer:
    return ApiClient(actor).post(f"{HERE}/{BudgetTransfer.objects.get().pk}/{deed}", body or None)


HELD = [(Decimal("1000.00"), Decimal("300.00")), (Decimal("1000.00"), Decimal("0.00"))]
STILL = [(Decimal("1000.00"), Decimal("0.00"))] * 2
SETTLED_KINDS = [(Decimal("700.00"), Decimal("0.00")), (Decimal("1300.00"), Decimal("0.00"))]


def test_requested_transfer_holds_the_amount_without_a_ledger_entry(
    finance: Account, ga: Account, pair: tuple[Budget, Budget]
) -> None:
    row = ask(finance, pair).body

    assert (row["Amount"], row["Held"], row["Available"]) == ("1000.00", "300.00", "700.00")
    assert (
        list_figures(),
        BudgetEntry.objects.filter(kind="adjust").count(),
        reconcile_budgets(),
    ) == (
        HELD,
        0,
        [],
    )


def test_budget_summary_subtracts_held_amounts_from_available(
    finance: Account, ga: Account, pair: tuple[Budget, Budget]
) -> None:
    ask(finance, pair)

    sums = ApiClient(finance).get("/api/Budget/Summary").body
    assert (sums["Amount"], sums["Held"], sums["Available"]) == ("2000.00", "300.00", "1700.00")


def test_held_amount_is_unavailable_to_orders_transfers_and_reductions(
    finance: Account, ga: Account, buyer: Account, pair: tuple[Budget, Budget]
) -> None:
    ask(finance, pair)

    assert ask(finance, pair, "700.01").code == "budget_exceeded"
    assert (
        ApiClient(finance)
        .patch(f"/api/Budget/{pair[0].pk}", {"Amount": "299.99", "Reason": "收紧"})
        .code
        == "budget_exceeded"
    )
    budget_reserve(actor=buyer, budget=pair[0], amount=Decimal("700.00"), reference="SO1")
    with pytest.raises(Exception, match=r"已用完，本单需要 ¥0\.01"):
        budget_reserve(actor=buyer, budget=pair[0], amount=Decimal("0.01"), reference="SO2")
    with pytest.raises(IntegrityError), transaction.atomic():
        Budget.objects.filter(pk=pair[0].pk).update(held=Decimal("300.01"))


def test_a_second_person_approves_and_both_ledgers_name_both(
    finance: Account, ga: Account, pair: tuple[Budget, Budget]
) -> None:
    ask(finance, pair)

    assert act(ga, "Approve").ok
    rows = (
        BudgetEntry.objects.filter(kind="adjust")
        .order_by("budget_id")
        .values_list("amount", "note", "actor")
    )
    assert list(rows) == [
        (Decimal("-300.00"), "调拨至“乙”：补足（老财申请）", ga.pk),
        (Decimal("300.00"), "自“甲”调入：补足（老财申请）", ga.pk),
    ]
    assert (list_figures(), reconcile_budgets()) == (SETTLED_KINDS, [])


def test_requester_of_a_transfer_cannot_approve_or_reject_it(
    finance: Account, ga: Account, pair: tuple[Budget, Budget]
) -> None:
    ask(ga, pair)

    assert (act(ga, "Approve").status, act(ga, "Reject", Reason="不必").status, list_figures()) == (
        403,
        403,
        HELD,
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        BudgetTransfer.objects.update(status="approved", decided_by=ga, decided_at=timezone.now())


def test_transfer_rejection_requires_a_reason_and_releases_the_held_amount(
    finance: Account, ga: Account, pair: tuple[Budget, Budget]
) -> None:
    ask(finance, pair)

    assert "Reason" in act(ga, "Reject").errors
    assert act(ga, "Reject", Reason="本季不再追加").ok
    transfer = BudgetTransfer.objects.get()
    assert (transfer.status, transfer.decided_by, transfer.decision_note, list_figures()) == (
        "rejected",
        ga,
        "本季不再追加",
        STILL,
    )
    assert BudgetEntry.objects.filter(kind="adjust").count() == 0


def test_only_the_requester_withdraws_a_transfer(
    finance: Account, ga: Account, pair: tuple[Budget, Budget]
) -> None:
    ask(finance, pair)

    assert (act(ga, "Withdraw").status, list_figures()) == (403, HELD)
    assert act(finance, "Withdraw").ok
    assert (list_figures(), act(ga, "Approve").code, BudgetTransfer.objects.get().status) == (
        STILL,
        "wrong_state",
        "withdrawn",
    )


def test_decided_transfer_cannot_be_decided_again(
    finance: Account, ga: Account, pair: tuple[Budget, Budget]
) -> None:
    ask(finance, pair)
    act(ga, "Approve")

    again = act(ga, "Reject", Reason="改主意")
    assert (again.code, again.message, list_figures()) == (
        "wrong_state",
        "该调拨申请已通过，请刷新后查看",
        SETTLED_KINDS,
    )


def test_transfer_list_shows_the_requester_and_the_readers_rights(
    finance: Account, ga: Account, buyer: Account, pair: tuple[Budget, Budget]
) -> None:
    ask(finance, pair)

    names = ("SourceName", "TargetName", "Amount", "Reason", "By", "CanDecide", "CanWithdraw")
    seen = [
        tuple(row[name] for name in names)
        for actor in (ga, finance)
        for row in ApiClient(actor).get(HERE).body
    ]
    history_values = ("甲", "乙", "300.00", "补足", "老财（fin）")
    assert (seen, ApiClient(buyer).get(HERE).body) == (
        [(*history_values, True, False), (*history_values, False, True)],
        [],
    )


def test_transfer_of_another_enterprise_is_neither_visible_nor_decidable(
    ga: Account, finance: Account, department: Department, enterprise: Enterprise
) -> None:
    elsewhere: Enterprise = EnterpriseFactory(group=enterprise.group)
    second = AccountFactory(department=department, username="second", kind=ga.kind)
    ask(
        ga,
        (
            make_budget(enterprise=enterprise, name="甲"),
            make_budget(enterprise=elsewhere, name="乙"),
        ),
    )

    assert (act(finance, "Approve").status, ApiClient(finance).get(HERE).body) == (404, [])
    assert act(second, "Approve").ok


def test_the_list_costs_the_same_however_many_wait(
    finance: Account, ga: Account, pair: tuple[Budget, Budget], django_assert_num_queries: Any
) -> None:
    for _ in range(3):
        ask(finance, pair, "10.00")
    client = ApiClient(ga)
    client.get(HERE)

    with django_assert_num_queries(2):
        assert len(client.get(HERE).body) == 3


def test_transfer_approval_takes_25_queries(
    finance: Account, ga: Account, pair: tuple[Budget, Budget], django_assert_num_queries: Any
) -> None:
    ask(finance, pair)
    number = BudgetTransfer.objects.get().pk

    with django_assert_num_queries(25):
        transfer_approve(actor=ga, transfer_id=number)


def test_transfer_request_notifies_its_deciders_and_the_decision_its_requester(
    finance: Account, ga: Account, buyer: Account, pair: tuple[Budget, Budget]
) -> None:
    ask(finance, pair)
    act(ga, "Reject", Reason="本季不再追加")

    sent = {
        row.topic: row.payload
        for row in OutboxMessage.objects.filter(topic__startswith="budget.transfer")
    }
    query, decided = sent["budget.transfer_asked"], sent["budget.transfer_decided"]
    assert (query["To"], query["Title"]) == ([ga.pk], "老财申请调拨预算，等待您审批")
    assert query["Text"] == "从“甲”调拨 ¥300.00 至“乙”，原因：补足"
    assert (decided["To"], decided["Title"]) == ([finance.pk], "您申请的预算调拨被驳回")


def test_transfer_without_another_decider_is_approved_at_once(
    ga: Account, pair: tuple[Budget, Budget]
) -> None:
    row = ask(ga, pair)

    transfer = BudgetTransfer.objects.get()
    assert (row.message, list_figures(), transfer.status, transfer.decided_by) == (
        "额度已调拨",
        SETTLED_KINDS,
        "approved",
        None,
    )
    assert (
        BudgetEntry.objects.filter(kind="adjust").first().note == "自“甲”调入：补足（无其他审批人）"
    )


def test_transfer_deciders_are_listed_before_the_request(
    finance: Account, ga: Account, pair: tuple[Budget, Budget], other_ga: Account
) -> None:
    ways = {"SourceId": str(pair[0].pk), "TargetId": str(pair[1].pk)}
    path = "/api/BudgetTransfer/Deciders"
    assert ApiClient(finance).get(path, ways).body == {"Names": [ga.nickname]}
    assert ApiClient(ga).get(path, ways).body == {"Names": [finance.nickname]}
    assert ApiClient(other_ga).get(path, ways).status == 404
    finance.roles.clear()
    assert ApiClient(ga).get(path, ways).body == {"Names": []}, "made at once"


def test_transfer_of_an_ended_period_can_only_be_rejected(
    finance: Account, ga: Account, pair: tuple[Budget, Budget]
) -> None:
    ask(finance, pair)
    Budget.objects.filter(pk=pair[1].pk).update(
        period_to=date(timezone.localdate().year - 1, 12, 31)
    )

    assert (act(ga, "Approve").code, list_figures()) == ("wrong_state", HELD)
    assert (act(ga, "Reject", Reason="已跨期").ok, list_figures()) == (True, STILL)


def test_pending_transfer_is_rejected_when_its_period_ends_and_the_amount_carries_over(
    ga: Account, finance: Account, enterprise: Enterprise
) -> None:
    source = make_budget(enterprise=enterprise, name="甲", rollover="all")
    ask(finance, (source, make_budget(enterprise=enterprise, name="乙")))
    last = timezone.localdate().year - 1
    Budget.objects.filter(pk=source.pk).update(
        period_from=date(last, 1, 1), period_to=date(last, 12, 31)
    )

    with platform_scope(reason="test"):
        budgets_carry()

    transfer = BudgetTransfer.objects.get()
    assert (transfer.status, transfer.decided_by) == ("rejected", None)
    assert sorted(Budget.objects.filter(name="甲").values_list("amount", "held")) == [
        (Decimal("0.00"), Decimal("0.00")),
        (Decimal("1000.00"), Decimal("0.00")),
    ]
    assert reconcile_budgets() == []


def unread(account: Account) -> list[str]:
    while outbox_deliver():
        pass
    return list(
        Notice.objects.filter(recipient=account, read_at=None, kind="transfer_waiting").values_list(
            "kind", flat=True
        )
    )


@pytest.mark.parametrize("deed", ["Approve", "Reject", "Withdraw"])
def test_ended_transfer_marks_the_notices_of_its_deciders_as_read(
    finance: Account, ga: Account, department: Department, pair: tuple[Budget, Budget], deed: str
) -> None:
    other = AccountFactory(department=department, roles=list(finance.roles.all()))
    ask(finance, pair)
    assert [unread(account) for account in (ga, other, finance)] == [
        ["transfer_waiting"],
        ["transfer_waiting"],
        [],
    ]

    assert act(
        finance if deed == "Withdraw" else ga,
        deed,
        **({"Reason": "不必"} if deed == "Reject" else {}),
    ).ok

    assert [unread(account) for account in (ga, other)] == [[], []]


def test_transfer_history_shows_decider_status_and_reason(
    finance: Account, ga: Account, pair: tuple[Budget, Budget]
) -> None:
    ask(finance, pair, "100.00")
    act(ga, "Reject", Reason="本季不再追加")
    ask(finance, pair, "200.00")

    page = ApiClient(finance).get(f"{HERE}/History").body

    assert page["Total"] == 1
    row = page["Items"][0]
    assert (row["SourceName"], row["TargetName"], row["Amount"], row["Reason"], row["By"]) == (
        "甲",
        "乙",
        "100.00",
        "补足",
        "老财（fin）",
    )
    assert (row["Status"], row["StatusText"], row["DecidedBy"], row["Note"]) == (
        "rejected",
        "已驳回",
        str(ga),
        "本季不再追加",
    )


@pytest.mark.parametrize("number", [1, 5])
def test_transfer_history_takes_four_queries_for_any_number_of_rows(
    finance: Account, ga: Account, pair: tuple[Budget, Budget], number: int
) -> None:
    for _ in range(number):
        ask(finance, pair, "1.00")
        ApiClient(ga).post(
            f"{HERE}/{BudgetTransfer.objects.latest('pk').pk}/Reject", {"Reason": "不必"}
        )
    client = ApiClient(finance)

    with assert_queries(4):
        assert client.get(f"{HERE}/History").body["Total"] == number


def test_the_whole_of_a_budget_can_be_transferred_and_not_a_cent_more(
    finance: Account, ga: Account, pair: tuple[Budget, Budget]
) -> None:
    assert ask(finance, pair, "1000.01").code == "budget_exceeded"
    assert ask(finance, pair, "1000.00").ok
    assert list_figures()[0] == (Decimal("1000.00"), Decimal("1000.00"))


def test_self_approval_of_a_transfer_names_the_need_for_another_decider(
    finance: Account, ga: Account, pair: tuple[Budget, Budget]
) -> None:
    ask(ga, pair)

    assert act(ga, "Approve").message == "不能审批自己申请的调拨，请由其他预算维护人处理"
