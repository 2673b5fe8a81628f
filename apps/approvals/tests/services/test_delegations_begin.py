"""A delegate is notified of waiting approvals on the first day of the delegation."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from apps.approvals.enums import ApproverKind
from apps.approvals.models import Approval, ApprovalDelegation
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.delegation_manage import (
    DelegationForm,
    delegation_cancel,
    delegation_create,
    delegation_update,
    delegations_begin,
)
from apps.approvals.tests.clock import clock
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import register_recorder, start
from apps.common.background.delivery import outbox_deliver
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory, RoleFactory

pytestmark = pytest.mark.django_db
FIRST, LAST = date(2026, 11, 16), date(2026, 11, 20)


@pytest.fixture
def deputies(department: Department) -> list[Account]:
    role = RoleFactory(group=department.group, code="deputy")
    return [AccountFactory(department=department, roles=[role]) for _ in range(2)]


@pytest.fixture
def approvals(buyer: Account, approver: Account) -> list[Approval]:
    """Two approvals that have waited for `approver` since the week before."""
    register_recorder()
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        conditions=[],
        steps=[StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))],
    )
    with clock("2026-11-13 09:00"):
        return [start(buyer, subject_id=number) for number in (1, 2)]


def run(moment: str) -> int:
    with clock(moment), platform_scope(reason="test: the job"):
        return delegations_begin()


def list_notices(moment: str = "2026-11-16 09:00") -> list[Any]:
    """Return the number and the recipients of each published `waiting` message."""
    with clock(moment):
        while outbox_deliver():
            pass
    return [
        (row.payload["SubjectNo"], row.payload["To"])
        for row in OutboxMessage.objects.filter(topic="approval.waiting").order_by("pk")
    ]


def create_delegation(approver: Account, deputy: Account) -> ApprovalDelegation:
    with clock("2026-11-13 10:00"):
        return delegation_create(actor=approver, form=DelegationForm(deputy.pk, FIRST, LAST))


def test_delegate_is_notified_once_of_open_approvals_on_the_first_day(
    approvals: list[Approval], approver: Account, deputies: list[Account]
) -> None:
    create_delegation(approver, deputies[0])
    list_notices("2026-11-13 10:00")

    assert [
        run(moment) for moment in ("2026-11-15 23:59", "2026-11-16 00:00", "2026-11-16 00:01")
    ] == [0, 1, 0]
    assert list_notices()[2:] == [
        (number, [approver.pk, deputies[0].pk]) for number in ("SO1", "SO2")
    ]


def test_new_delegate_is_notified_of_open_approvals_on_the_next_run(
    approvals: list[Approval], approver: Account, deputies: list[Account]
) -> None:
    delegation = create_delegation(approver, deputies[0])
    run("2026-11-16 09:00")
    with clock("2026-11-17 09:00"):
        delegation_update(
            actor=approver, pk=str(delegation.pk), changes={"delegate_id": deputies[1].pk}
        )

    assert run("2026-11-17 09:01") == 1
    assert list_notices("2026-11-17 09:01")[-1] == ("SO2", [approver.pk, deputies[1].pk])


def test_delegate_gets_no_notice_for_his_own_request(
    approvals: list[Approval], buyer: Account, approver: Account
) -> None:
    ApprovalDelegation.objects.create(
        delegator=approver, delegate=buyer, valid_from=FIRST, valid_until=LAST
    )
    list_notices("2026-11-13 10:00")

    assert run("2026-11-16 09:00") == 1
    assert len(list_notices()) == 2


def test_cancelled_delegation_sends_no_begin_notice(
    approvals: list[Approval], approver: Account, deputies: list[Account]
) -> None:
    delegation = create_delegation(approver, deputies[0])
    with clock("2026-11-14 10:00"):
        delegation_cancel(actor=approver, pk=str(delegation.pk))

    assert run("2026-11-16 09:00") == 0


@pytest.mark.parametrize(("more", "each", "together"), [(8, 10, 0), (9, 0, 1)])
def test_more_than_ten_open_approvals_are_announced_in_one_notice(
    approvals: list[Approval],
    buyer: Account,
    approver: Account,
    deputies: list[Account],
    more: int,
    each: int,
    together: int,
) -> None:
    with clock("2026-11-13 09:30"):
        for number in range(more):
            start(buyer, subject_id=10 + number)
    list_notices("2026-11-13 10:00")
    create_delegation(approver, deputies[0])
    run("2026-11-16 09:00")

    assert len([to for _, to in list_notices() if deputies[0].pk in to]) == each
    begun = [
        row.payload
        for row in OutboxMessage.objects.filter(topic="approval.delegated")
        if row.payload.get("Once")
    ]
    assert [(row["To"], row["Text"]) for row in begun] == [
        ([deputies[0].pk], "今天起由您代为审批，已有 11 张单据等待处理，最早一张提交于 2026-11-13")
    ] * together
