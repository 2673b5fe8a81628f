"""The outbox messages of an approval."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.approvals.enums import ApproverKind, StepMode
from apps.approvals.models import Approval, ApprovalDelegation, ApprovalTask
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_decide import (
    approval_approve,
    approval_reject,
    approval_transfer,
)
from apps.approvals.services.approval_discussion import approval_answer, approval_ask
from apps.approvals.services.approval_flow import approval_withdraw
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import SUBJECT_TYPE, Recorder, register_recorder, start
from apps.common.background.delivery import outbox_deliver
from apps.common.models import OutboxMessage
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def recorder() -> Recorder:
    return register_recorder()


@pytest.fixture
def approval(recorder: Recorder, buyer: Account, approver: Account, ga: Account) -> Approval:
    """An approval with two steps: the head, then the admin."""
    steps = [StepSpec(ApproverKind.HEAD), StepSpec(ApproverKind.ACCOUNTS, accounts=(ga,))]
    create_rule(group_id=buyer.group_id, name="全部", steps=steps)
    return start(buyer)


@pytest.fixture
def colleague(approver: Account) -> Account:
    """A person with the rights of the approver, who is in no step."""
    new_colleague: Account = AccountFactory(
        department=approver.department, nickname="同事", roles=list(approver.roles.all())
    )
    return new_colleague


def list_published(topic: str) -> list[dict[str, Any]]:
    """Return the published messages after the outbox has delivered everything."""
    while outbox_deliver():
        pass
    return [row.payload for row in OutboxMessage.objects.filter(topic=topic).order_by("pk")]


def test_who_is_asked_hears_of_it_and_who_is_asked_later_does_not(
    approval: Approval, buyer: Account, approver: Account
) -> None:
    task = ApprovalTask.objects.get(approver=approver)

    assert list_published("approval.waiting") == [
        {
            "ApprovalId": approval.pk,
            "SubjectNo": approval.subject_no,
            "ActorId": buyer.pk,
            "To": [approver.pk],
            "Text": f"金额 ¥800.00，{approval.reasons[0]}",
            "Once": f"task{task.pk}",
        }
    ]


def test_an_amount_that_a_reason_names_is_not_told_twice(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    floor = [{"kind": "amount", "value": "500.00"}]
    create_rule(
        group_id=buyer.group_id,
        name="五百元以上",
        conditions=floor,
        steps=[StepSpec(ApproverKind.HEAD)],
    )
    start(buyer)

    assert [row["Text"] for row in list_published("approval.waiting")] == [
        "订单金额 ¥800.00 达到 ¥500.00（五百元以上）"
    ]


def test_the_next_step_is_told_when_it_opens(
    approval: Approval, approver: Account, ga: Account
) -> None:
    list_published("approval.waiting")
    approval_approve(actor=approver, approval_id=approval.pk)

    assert [row["To"] for row in list_published("approval.waiting")] == [[approver.pk], [ga.pk]]
    assert list_published("approval.decided") == []


def test_who_may_decide_in_his_place_today_hears_of_it_too(
    approval: Approval, approver: Account, limited: Account
) -> None:
    today = timezone.localdate()
    ApprovalDelegation.objects.create(
        delegator=approver, delegate=limited, valid_from=today, valid_until=today
    )
    tomorrow = today + timedelta(days=1)
    ApprovalDelegation.objects.create(
        delegator=approver, delegate=limited, valid_from=tomorrow, valid_until=tomorrow
    )

    assert [row["To"] for row in list_published("approval.waiting")] == [[approver.pk, limited.pk]]


def test_who_is_handed_the_task_hears_of_it(
    approval: Approval, approver: Account, colleague: Account
) -> None:
    list_published("approval.waiting")
    approval_transfer(actor=approver, approval_id=approval.pk, to=colleague, reason="出差")

    assert [row["To"] for row in list_published("approval.waiting")] == [
        [approver.pk],
        [colleague.pk],
    ]


def get_still(approval: Approval) -> tuple[Any, Any]:
    """Return the last published lists of people who have to decide and to answer; None if not
    published.
    """
    event_payload: dict[str, Any] = {}
    for row in list_published("approval.moved"):
        assert row["ApprovalId"] == approval.pk
        event_payload |= row
    return event_payload.get("Waiting"), event_payload.get("Asked")


def test_of_a_new_one_nobody_need_be_told_that_he_is_waited_for_no_more(approval: Approval) -> None:
    assert get_still(approval) == (None, None)


def test_whoever_has_handed_it_on_is_waited_for_no_more(
    approval: Approval, approver: Account, colleague: Account
) -> None:
    approval_transfer(actor=approver, approval_id=approval.pk, to=colleague, reason="出差")

    assert get_still(approval) == ([colleague.pk], [])


def test_whoever_has_answered_all_is_waited_for_no_more(
    approval: Approval, buyer: Account, approver: Account, colleague: Account
) -> None:
    today = timezone.localdate()
    ApprovalDelegation.objects.create(
        delegator=approver, delegate=colleague, valid_from=today, valid_until=today
    )
    for actor in (approver, colleague):
        approval_ask(actor=actor, approval_id=approval.pk, text="为什么？")
    approval_answer(actor=buyer, approval_id=approval.pk, text="年会")
    assert get_still(approval) == (None, [buyer.pk])

    approval_answer(actor=buyer, approval_id=approval.pk, text="年会")
    assert get_still(approval) == (None, [])


def test_of_all_who_are_asked_one_that_has_approved_is_waited_for_no_more(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    step = StepSpec(ApproverKind.ACCOUNTS, mode=StepMode.ALL, accounts=(approver, ga))
    create_rule(group_id=buyer.group_id, name="全部", steps=[step])
    approval = start(buyer)
    approval_approve(actor=approver, approval_id=approval.pk)

    assert get_still(approval) == ([ga.pk], [])


def test_what_was_decided_before_the_message_came_asks_nobody(
    approval: Approval, approver: Account
) -> None:
    approval_reject(actor=approver, approval_id=approval.pk, reason="重复采购")

    assert list_published("approval.waiting") == []


def test_a_rejection_is_told_to_who_asked_with_its_reason(
    approval: Approval, buyer: Account, approver: Account
) -> None:
    approval_reject(actor=approver, approval_id=approval.pk, reason="重复采购")

    found = list_published("approval.decided")
    assert [(row["To"], row["ActorId"], row["Outcome"], row["Text"]) for row in found] == [
        ([buyer.pk], approver.pk, "rejected", "重复采购")
    ]


def test_the_last_approval_is_told(
    approval: Approval, buyer: Account, approver: Account, ga: Account
) -> None:
    for actor in (approver, ga):
        approval_approve(actor=actor, approval_id=approval.pk)

    assert [(row["To"], row["Outcome"]) for row in list_published("approval.decided")] == [
        ([buyer.pk], "approved")
    ]


def test_a_withdrawal_is_told_once(approval: Approval) -> None:
    for _ in range(2):
        approval_withdraw(subject_type=SUBJECT_TYPE, subject_id=approval.subject_id)

    assert list_published("approval.withdrawn") == [{"ApprovalId": approval.pk}]
