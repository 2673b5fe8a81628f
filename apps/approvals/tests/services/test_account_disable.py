"""Disabling an account and handing over its approvals."""

from __future__ import annotations

import pytest
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, ApproverKind, StepMode
from apps.approvals.models import Approval, ApprovalDelegation, ApprovalStep
from apps.approvals.selectors.approvals import list_approvals_for_staff, list_approvals_in_box
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.approval_decide import approval_approve
from apps.approvals.services.delegation_manage import DelegationForm, delegation_create
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import Recorder, register_recorder, start
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.common.testing import Answer, ApiClient
from apps.org.models import Account, OrganisationChange
from apps.org.tests.factories import PASSWORD, AccountFactory

HEAD = StepSpec(approver_kind=ApproverKind.HEAD)


@pytest.fixture
def recorder(db: None) -> Recorder:
    return register_recorder()


@pytest.fixture
def heir(approver: Account) -> Account:
    """A colleague with approval rights."""
    return AccountFactory(
        department=approver.department,
        username="heir",
        nickname="接班",
        roles=list(approver.roles.all()),
    )


def disable(ga: Account, account: Account, successor: Account | None = None) -> Answer:
    body = {"SuccessorId": str(successor.pk)} if successor else {}
    return ApiClient(ga).post(f"/api/Account/{account.pk}/Disable", body)


def waiting_for(account: Account) -> list[Approval]:
    return list(list_approvals_in_box(actor=account, box="todo"))


def create_mode_rule(mode: StepMode, *people: Account) -> None:
    create_rule(
        group_id=people[0].group_id,
        name="全部",
        steps=[StepSpec(ApproverKind.ACCOUNTS, mode, accounts=people)],
    )


def test_disabling_an_account_ends_its_sessions_at_once(ga: Account, buyer: Account) -> None:
    signed_in = ApiClient(buyer)
    answer = disable(ga, buyer)

    assert (answer.message, answer.body) == (
        "账号已停用，已退出 1 处登录",
        {"Sessions": 1, "Approvals": 0, "HandedTo": ""},
    )
    assert signed_in.get("/api/Account/Profile").status == 401
    assert (
        ApiClient().post("/api/Account/Login", {"UserName": "buyer", "Password": PASSWORD}).code
        == "account_disabled"
    )


def test_disabling_an_account_with_open_tasks_requires_a_successor(
    recorder: Recorder, ga: Account, buyer: Account, approver: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    start(buyer)

    assert disable(ga, approver).errors == {
        "SuccessorId": ["还有 1 个审批等待该账号处理，请选择接手人"]
    }
    assert Account.objects.get(pk=approver.pk).is_active


def test_the_colleague_decides_in_his_place(
    recorder: Recorder, ga: Account, buyer: Account, approver: Account, heir: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    approval = start(buyer)

    assert disable(ga, approver, heir).message == "账号已停用，已移交审批：接班 1 个"
    assert (waiting_for(approver), waiting_for(heir)) == ([], [approval])
    assert recorder.events == [
        ("approval.transferred:第 1 步审批人 老审 的账号停用，转由接班审批", 7)
    ]
    approval_approve(actor=heir, approval_id=approval.pk)
    assert recorder.events[-1] == ("approved", 7)


def test_a_later_step_is_handed_over_too(
    recorder: Recorder, ga: Account, buyer: Account, approver: Account, heir: Account
) -> None:
    first = AccountFactory(department=buyer.department, roles=list(approver.roles.all()))
    steps = [StepSpec(ApproverKind.ACCOUNTS, accounts=(person,)) for person in (first, approver)]
    create_rule(group_id=buyer.group_id, name="两步", steps=steps)
    approval = start(buyer)
    disable(ga, approver, heir)

    approval_approve(actor=first, approval_id=approval.pk)
    assert waiting_for(heir) == [approval]


def test_task_goes_to_the_group_admin_when_the_successor_is_the_requester(
    recorder: Recorder, ga: Account, approver: Account, heir: Account
) -> None:
    create_mode_rule(StepMode.ANY, approver)
    approval = start(heir)
    disable(ga, approver, heir)

    assert (waiting_for(heir), waiting_for(ga)) == ([], [approval])


def test_disable_history_and_response_count_tasks_per_recipient(
    recorder: Recorder, ga: Account, buyer: Account, approver: Account, heir: Account
) -> None:
    create_mode_rule(StepMode.ANY, approver)
    start(buyer)
    start(heir, subject_id=8)
    answer = disable(ga, approver, heir)

    assert (answer.body["Approvals"], answer.body["HandedTo"]) == (2, "接班 1 个、集管 1 个")
    assert (
        OrganisationChange.objects.get(action="disable").note == "待审批移交：接班 1 个、集管 1 个"
    )


def test_task_goes_to_staff_when_the_only_admin_is_the_requester(
    recorder: Recorder, ga: Account, approver: Account
) -> None:
    create_mode_rule(StepMode.ANY, approver)
    approval = start(ga)
    disable(ga, approver, ga)

    with platform_scope(reason="test"):
        assert list(list_approvals_for_staff()) == [approval]


def test_successor_already_in_the_step_gets_one_task(
    recorder: Recorder, ga: Account, buyer: Account, approver: Account, heir: Account
) -> None:
    create_mode_rule(StepMode.ALL, approver, heir)
    approval = start(buyer)
    disable(ga, approver, heir)

    approval_approve(actor=heir, approval_id=approval.pk)
    assert Approval.objects.get(pk=approval.pk).status == ApprovalStatus.APPROVED


def test_successor_who_already_approved_completes_the_step(
    recorder: Recorder, ga: Account, buyer: Account, approver: Account, heir: Account
) -> None:
    create_mode_rule(StepMode.ALL, approver, heir)
    approval = start(buyer)
    approval_approve(actor=heir, approval_id=approval.pk)
    disable(ga, approver, heir)

    assert Approval.objects.get(pk=approval.pk).status == ApprovalStatus.APPROVED
    assert ApprovalStep.objects.get().status == "approved"
    assert recorder.events[-1] == ("approved", 7)


@pytest.mark.usefixtures("recorder")
def test_successor_must_be_an_enabled_account_with_approval_permission(
    ga: Account, approver: Account, limited: Account, other_ga: Account
) -> None:
    answers = [
        disable(ga, approver, who).errors["SuccessorId"][0] for who in (limited, approver, other_ga)
    ]

    assert answers[0] == "小限没有审批权限，请选择其他同事，或先为其开通“订单审批”"
    assert answers[1:] == ["请选择其他启用中的同事作为接手人"] * 2


def test_leaving_preview_lists_open_approvals_rules_and_departments(
    recorder: Recorder, ga: Account, buyer: Account, approver: Account
) -> None:
    create_mode_rule(StepMode.ANY, approver)
    start(buyer)

    answer = ApiClient(ga).get(f"/api/Account/{approver.pk}/Leaving")

    assert answer.body == {"Approvals": 1, "Rules": ["全部"], "Departments": ["行政部"]}


def test_disabling_a_delegate_cancels_the_delegation_and_notifies_the_delegator(
    ga: Account, approver: Account, heir: Account
) -> None:
    today = timezone.localdate()
    delegation_create(actor=approver, form=DelegationForm(heir.pk, today, today))
    OutboxMessage.objects.all().delete()

    disable(ga, heir)

    assert [row.cancelled_at is not None for row in ApprovalDelegation.objects.all()] == [True]
    recorder = OutboxMessage.objects.get(topic="approval.delegated").payload
    assert (recorder["To"], recorder["Text"].split("：")[0]) == (
        [approver.pk],
        "集管停用了您的代理人接班，请另选代理人",
    )


def test_disabling_a_delegator_cancels_the_delegation_and_notifies_the_delegate(
    ga: Account, approver: Account, heir: Account
) -> None:
    today = timezone.localdate()
    delegation_create(actor=approver, form=DelegationForm(heir.pk, today, today))
    OutboxMessage.objects.all().delete()

    disable(ga, approver)

    recorder = OutboxMessage.objects.get(topic="approval.delegated").payload
    assert (recorder["To"], recorder["Text"].split("：")[0]) == (
        [heir.pk],
        "集管停用了委托您的老审，代理审批已结束",
    )


def test_disabling_a_disabled_account_is_refused(ga: Account, buyer: Account) -> None:
    disable(ga, buyer)

    assert disable(ga, buyer).message == "该账号已经停用"
