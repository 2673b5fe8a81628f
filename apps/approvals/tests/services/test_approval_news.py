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


def test_start_notifies_only_the_first_step_approver(
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


def test_waiting_message_states_the_amount_once(
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


def test_next_step_approver_is_notified_when_the_step_opens(
    approval: Approval, approver: Account, ga: Account
) -> None:
    list_published("approval.waiting")
    approval_approve(actor=approver, approval_id=approval.pk)

    assert [row["To"] for row in list_published("approval.waiting")] == [[approver.pk], [ga.pk]]
    assert list_published("approval.decided") == []


def test_waiting_message_also_goes_to_todays_delegate(
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


def test_transfer_notifies_the_new_approver(
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


def test_new_approval_has_no_outdated_recipients(approval: Approval) -> None:
    assert get_still(approval) == (None, None)


def test_transfer_removes_the_previous_approver_from_the_waiting_recipients(
    approval: Approval, approver: Account, colleague: Account
) -> None:
    approval_transfer(actor=approver, approval_id=approval.pk, to=colleague, reason="出差")

    assert get_still(approval) == ([colleague.pk], [])


def test_last_answer_removes_the_requester_from_the_waiting_recipients(
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


def test_approver_of_an_all_step_leaves_the_waiting_recipients_after_approving(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    step = StepSpec(ApproverKind.ACCOUNTS, mode=StepMode.ALL, accounts=(approver, ga))
    create_rule(group_id=buyer.group_id, name="全部", steps=[step])
    approval = start(buyer)
    approval_approve(actor=approver, approval_id=approval.pk)

    assert get_still(approval) == ([ga.pk], [])


def test_decided_approval_publishes_no_waiting_message(
    approval: Approval, approver: Account
) -> None:
    approval_reject(actor=approver, approval_id=approval.pk, reason="重复采购")

    assert list_published("approval.waiting") == []


def test_rejection_notifies_the_requester_with_its_reason(
    approval: Approval, buyer: Account, approver: Account
) -> None:
    approval_reject(actor=approver, approval_id=approval.pk, reason="重复采购")

    published = list_published("approval.decided")
    assert [(row["To"], row["ActorId"], row["Outcome"], row["Text"]) for row in published] == [
        ([buyer.pk], approver.pk, "rejected", "重复采购")
    ]


def test_last_approval_notifies_the_requester(
    approval: Approval, buyer: Account, approver: Account, ga: Account
) -> None:
    for actor in (approver, ga):
        approval_approve(actor=actor, approval_id=approval.pk)

    assert [(row["To"], row["Outcome"]) for row in list_published("approval.decided")] == [
        ([buyer.pk], "approved")
    ]


def test_repeated_withdrawal_publishes_one_message(approval: Approval) -> None:
    for _ in range(2):
        approval_withdraw(subject_type=SUBJECT_TYPE, subject_id=approval.subject_id)

    assert list_published("approval.withdrawn") == [{"ApprovalId": approval.pk}]
