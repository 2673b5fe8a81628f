"""An account that cannot see an approval learns neither that it exists nor how it ended."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from apps.approvals.enums import ApproverKind
from apps.approvals.errors import ApprovalClosed, ApprovalNotFound, NotYours, NotYourTurn
from apps.approvals.models import Approval
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_decide import (
    approval_approve,
    approval_reject,
    approval_transfer,
    approvals_bulk_approve,
)
from apps.approvals.services.approval_discussion import approval_answer, approval_ask
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import register_recorder, start
from apps.common.testing import ApiClient
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, RoleFactory

pytestmark = pytest.mark.django_db

ACTS: dict[str, Callable[..., Any]] = {
    "Approve": approval_approve,
    "Approve of a version": partial(approval_approve, version=9),
    "Reject": partial(approval_reject, reason="超标"),
    "Amend": partial(approval_amend, quantities={1: 1}, reason="减少"),
    "Amend of a version": partial(approval_amend, quantities={1: 1}, reason="减少", version=9),
    "Ask": partial(approval_ask, text="急吗？"),
    "Answer": partial(approval_answer, text="急"),
}
BODIES: dict[str, dict[str, Any]] = {
    "Approve": {"Version": 9},
    "Reject": {"Reason": "超标"},
    "Amend": {"Lines": [{"Id": "1", "Quantity": 1}], "Version": 9, "Reason": "减少"},
    "Ask": {"Text": "急吗？"},
    "Answer": {"Text": "急"},
}


@pytest.fixture
def approval(buyer: Account, approver: Account) -> Approval:
    """An approval of `buyer` that waits for `approver`."""
    register_recorder()
    create_rule(
        group_id=buyer.group_id,
        name="全部",
        conditions=[],
        steps=[StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))],
    )
    return start(buyer)


@pytest.fixture
def stranger(buyer: Account) -> Account:
    """An account with approval rights that this approval does not ask."""
    return AccountFactory(
        department=buyer.department, roles=[RoleFactory(group=buyer.group, code="stranger")]
    )


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("is_closed", [False, True])
def test_action_on_an_invisible_approval_is_not_found(
    approval: Approval, approver: Account, stranger: Account, act: str, is_closed: bool
) -> None:
    if is_closed:
        approval_approve(actor=approver, approval_id=approval.pk)

    with pytest.raises(ApprovalNotFound):
        ACTS[act](actor=stranger, approval_id=approval.pk)


@pytest.mark.parametrize("is_closed", [False, True])
def test_transfer_and_bulk_approval_of_an_invisible_approval_are_not_found(
    approval: Approval, approver: Account, stranger: Account, is_closed: bool
) -> None:
    if is_closed:
        approval_approve(actor=approver, approval_id=approval.pk)

    with pytest.raises(ApprovalNotFound):
        approval_transfer(actor=stranger, approval_id=approval.pk, to=approver, reason="")
    assert [
        row.code for row in approvals_bulk_approve(actor=stranger, approval_ids=[approval.pk])
    ] == ["not_found"]


@pytest.mark.parametrize("act", BODIES)
def test_invisible_and_missing_approvals_give_the_same_api_answer(
    approval: Approval, approver: Account, stranger: Account, act: str
) -> None:
    approval_approve(actor=approver, approval_id=approval.pk)
    client = ApiClient(stranger)

    hidden, missing = (
        client.post(f"/api/Approval/{pk}/{act}", BODIES[act])
        for pk in (approval.pk, approval.pk + 1000)
    )

    assert (hidden.status, hidden.code, hidden.message) == (
        missing.status,
        missing.code,
        missing.message,
    )
    assert hidden.code == "not_found"


def test_visible_approval_refuses_a_wrong_actor_and_a_closed_state_by_name(
    approval: Approval, buyer: Account, approver: Account, ga: Account, staff: Account
) -> None:
    with pytest.raises(NotYours):
        approval_answer(actor=ga, approval_id=approval.pk, text="急")
    for actor in (ga, buyer, staff):
        with pytest.raises(NotYourTurn):
            approval_approve(actor=actor, approval_id=approval.pk)
    approval_approve(actor=approver, approval_id=approval.pk)
    for actor in (ga, buyer, staff, approver):
        with pytest.raises(ApprovalClosed, match="该审批已通过"):
            approval_approve(actor=actor, approval_id=approval.pk)
