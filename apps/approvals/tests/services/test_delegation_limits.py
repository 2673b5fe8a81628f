"""Delegations that are limited to rules and to an amount."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from apps.approvals.enums import ApproverKind, StepMode, TaskStatus
from apps.approvals.errors import ApprovalNotFound, NotYourTurn, SamePerson
from apps.approvals.models import Approval, ApprovalDelegation, ApprovalTask
from apps.approvals.selectors.approvals import (
    filter_viewers,
    get_approval_detail,
    list_allowed_actions,
    list_approvals_in_box,
)
from apps.approvals.selectors.delegations import list_stand_ins_of
from apps.approvals.selectors.plan import approval_plan
from apps.approvals.selectors.rule_check import find_rule_problems
from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.services.approval_decide import approval_approve
from apps.approvals.services.approval_flow import approval_start
from apps.approvals.services.delegation_manage import (
    DelegationForm,
    delegation_create,
    delegation_update,
)
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import SUBJECT_TYPE, build_subject, register_recorder, start
from apps.common.errors import ValidationFailed
from apps.common.tenancy import tenant_scope
from apps.common.testing import ApiClient
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory, RoleFactory

pytestmark = pytest.mark.django_db
HEAD = StepSpec(ApproverKind.HEAD)


@pytest.fixture(autouse=True)
def handler() -> None:
    register_recorder()


@pytest.fixture
def deputy(department: Department) -> Account:
    role = RoleFactory(group=department.group, code="deputy")
    account: Account = AccountFactory(department=department, nickname="副手", roles=[role])
    return account


def delegate(delegator: Account, deputy: Account, **limits: Any) -> ApprovalDelegation:
    """Delegate for today."""
    today = timezone.localdate()
    return delegation_create(
        actor=delegator, form=DelegationForm(deputy.pk, today, today, **limits)
    )


def reload(account: Account) -> Account:
    """Return the account of a new request."""
    return Account.objects.get(pk=account.pk)


def sees(deputy: Account, approval: Approval) -> list[bool]:
    """Return whether the box, the page, the actions, the list of stand-ins and the viewers of a
    mention give the approval to the deputy.
    """
    actor = reload(deputy)
    chain = Approval.objects.prefetch_related("steps__tasks").get(pk=approval.pk)
    try:
        get_approval_detail(actor=actor, approval_id=approval.pk)
        page = True
    except ApprovalNotFound:
        page = False
    return [
        approval in list_approvals_in_box(actor=actor, box="todo"),
        page,
        "approve" in list_allowed_actions(actor=actor, approval=chain),
        any(not row.why_not for row in list_stand_ins_of(approval=chain)),
        bool(filter_viewers(approval=approval, account_ids=[actor.pk])),
    ]


@pytest.mark.parametrize(("amount", "is_seen"), [("800.00", True), ("800.01", False)])
def test_a_delegate_decides_up_to_the_amount(
    buyer: Account, approver: Account, deputy: Account, amount: str, is_seen: bool
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    approval = start(buyer, amount=amount)
    delegate(approver, deputy, amount_limit=Decimal("800.00"))

    assert sees(deputy, approval) == [is_seen] * 5
    if is_seen:
        approval_approve(actor=reload(deputy), approval_id=approval.pk)
        assert ApprovalTask.objects.get().acting_for == approver
    else:
        with pytest.raises(ApprovalNotFound):
            approval_approve(actor=reload(deputy), approval_id=approval.pk)


def test_a_submit_in_parts_counts_as_a_whole(
    buyer: Account, approver: Account, deputy: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    subject = build_subject(buyer, "500.00", whole_amount=Decimal("1000.00"))
    approval = approval_start(
        subject_type=SUBJECT_TYPE,
        subject_id=7,
        subject_no="SO7",
        subject=subject,
        plan=approval_plan(subject=subject),
    )
    delegate(approver, deputy, amount_limit=Decimal("800.00"))

    assert approval is not None
    assert sees(deputy, approval) == [False] * 5
    assert [row.why_not for row in list_stand_ins_of(approval=approval)] == [
        "金额 ¥1,000.00 超过代理上限 ¥800.00"
    ]


def test_a_delegate_decides_the_steps_of_the_chosen_rules(
    buyer: Account, approver: Account, deputy: Account, ga: Account
) -> None:
    first = create_rule(group_id=buyer.group_id, name="甲", steps=[HEAD])
    other = create_rule(group_id=buyer.group_id, name="乙", steps=[HEAD])
    approval = start(buyer)
    delegation = delegate(approver, deputy, rule_ids=(other.pk,))

    assert sees(deputy, approval) == [False] * 5
    delegation_update(
        actor=approver, pk=str(delegation.pk), changes={"rule_ids": (other.pk, first.pk)}
    )
    assert sees(deputy, approval) == [True] * 5


def test_delegate_decides_only_one_step_of_a_chain(
    buyer: Account, approver: Account, deputy: Account, ga: Account
) -> None:
    steps = [HEAD, StepSpec(ApproverKind.ACCOUNTS, accounts=(deputy,))]
    rule = create_rule(group_id=buyer.group_id, name="全部", steps=steps)
    approval = start(buyer)
    delegate(approver, deputy, rule_ids=(rule.pk,), amount_limit=Decimal("5000"))

    # The deputy sees it as the approver of step 2.
    assert sees(deputy, approval) == [False, True, False, False, True]
    with pytest.raises(SamePerson):
        approval_approve(actor=reload(deputy), approval_id=approval.pk)
    ApprovalDelegation.objects.update(amount_limit=Decimal("799.99"))
    with pytest.raises(NotYourTurn):
        approval_approve(actor=reload(deputy), approval_id=approval.pk)


def get_refusal(delegator: Account, deputy: Account, **limits: Any) -> dict[str, list[str]]:
    with pytest.raises(ValidationFailed) as caught:
        delegate(delegator, deputy, **limits)
    errors: dict[str, list[str]] = caught.value.body["Errors"]
    return errors


def test_rule_delegation_refuses_overlaps_and_circles(
    buyer: Account, approver: Account, deputy: Account, ga: Account
) -> None:
    first, second, third = (
        create_rule(group_id=buyer.group_id, name=name, steps=[HEAD]).pk for name in "甲乙丙"
    )
    delegate(approver, deputy, rule_ids=(first, second))

    assert get_refusal(approver, ga, rule_ids=(second, third)) == {
        "ValidFrom": ["这段时间内所选的规则您已委托他人审批，请先取消、调整日期或另选规则"]
    }
    assert get_refusal(approver, ga) == {
        "ValidFrom": ["这段时间内您已委托他人审批，请先取消或调整日期"]
    }
    assert list(get_refusal(deputy, approver, rule_ids=(first,))) == ["DelegateId"]
    delegate(approver, ga, rule_ids=(third,))
    delegate(deputy, approver, rule_ids=(third,))


def test_delegation_refuses_invalid_amount_limits_and_rules(
    approver: Account, deputy: Account, other_ga: Account
) -> None:
    with tenant_scope(group_id=other_ga.group_id):
        foreign = create_rule(group_id=other_ga.group_id, name="别家", steps=[HEAD])
    own = create_rule(group_id=approver.group_id, name="停用", steps=[HEAD], is_active=False)

    unknown = {"RuleIds": ["所选的规则不存在或已停用，请重新选择"]}
    assert get_refusal(approver, deputy, amount_limit=Decimal(0)) == {
        "AmountLimit": ["金额上限必须大于 0；不限金额请留空"]
    }
    assert get_refusal(approver, deputy, rule_ids=(foreign.pk,)) == unknown
    assert get_refusal(approver, deputy, rule_ids=(own.pk,)) == unknown
    assert get_refusal(approver, deputy, rule_ids=tuple(range(51))) == {
        "RuleIds": ["一次最多选择 50 条规则，不限规则请留空"]
    }


def test_a_joint_step_of_both_people_is_named_in_the_form_and_in_the_check(
    buyer: Account, approver: Account, deputy: Account
) -> None:
    joint = StepSpec(ApproverKind.ACCOUNTS, StepMode.ALL, accounts=(approver, deputy))
    other = create_rule(group_id=buyer.group_id, name="其他", steps=[HEAD])
    rule = create_rule(group_id=buyer.group_id, name="会签规则", steps=[joint])
    today = timezone.localdate().isoformat()
    body = {"DelegateId": str(deputy.pk), "ValidFrom": today, "ValidUntil": today}
    client = ApiClient(approver)

    limited = client.post("/api/ApprovalDelegation", {**body, "RuleIds": [str(other.pk)]}).body
    changed = client.patch(
        f"/api/ApprovalDelegation/{limited['Id']}",
        {"RuleIds": [str(rule.pk)], "AmountLimit": "5000.00"},
    ).body

    assert [limited["Warnings"], limited["Rules"], limited["AmountLimit"]] == [
        [],
        [{"Id": str(other.pk), "Name": "其他"}],
        None,
    ]
    assert (changed["Warnings"], changed["AmountLimit"]) == (
        ["规则「会签规则」第 1 步由您和副手会签，副手不能代您签字：这一步请您本人处理或转交"],
        "5000.00",
    )
    rule_problems = find_rule_problems(
        group_id=buyer.group_id or 0, spec=RuleSpec("会签规则"), steps=[joint], rule=rule
    )
    assert ("joint_stand_in", "warn", 1) in [
        (row.code, row.level, row.step) for row in rule_problems
    ]
    assert [row["Name"] for row in client.get("/api/ApprovalDelegation/Rules").body] == [
        "其他",
        "会签规则",
    ]


def test_rule_check_reports_joint_approvers_who_delegate_to_each_other(
    buyer: Account, approver: Account, deputy: Account
) -> None:
    joint = StepSpec(ApproverKind.ACCOUNTS, StepMode.ALL, accounts=(approver, deputy))
    tomorrow = timezone.localdate() + timedelta(days=1)
    delegate(approver, deputy)
    delegation_create(actor=deputy, form=DelegationForm(approver.pk, tomorrow, tomorrow))

    rule_problems = find_rule_problems(
        group_id=buyer.group_id or 0, spec=RuleSpec("会签规则"), steps=[joint]
    )

    assert [row.message for row in rule_problems if row.code == "joint_stand_in"] == [
        "会签的老审和副手互为代理人，谁也不能代对方签字，一方外出时这一步会一直等待，"
        "请另选代理人，或改为或签"
    ]


def test_simulation_gives_the_reason_for_an_excluded_delegate(
    buyer: Account, approver: Account, deputy: Account, ga: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    delegate(approver, deputy, amount_limit=Decimal("1000.00"))

    def simulate(amount: str) -> list[tuple[int, str, str]]:
        answer = ApiClient(ga).post(
            "/api/ApprovalRule/Simulate", {"AccountId": str(buyer.pk), "Amount": amount}
        )
        return [(row["Step"], row["By"]["Name"], row["WhyNot"]) for row in answer.body["StandIns"]]

    assert simulate("1000.00") == [(1, "副手", "")]
    assert simulate("1000.01") == [(1, "副手", "金额 ¥1,000.01 超过代理上限 ¥1,000.00")]


def test_decided_task_keeps_its_delegator_after_a_limit_change(
    buyer: Account, approver: Account, deputy: Account
) -> None:
    create_rule(group_id=buyer.group_id, name="全部", steps=[HEAD])
    approval = start(buyer)
    delegation = delegate(approver, deputy, amount_limit=Decimal("800.00"))
    approval_approve(actor=reload(deputy), approval_id=approval.pk)
    delegation_update(
        actor=approver, pk=str(delegation.pk), changes={"amount_limit": Decimal("1.00")}
    )

    task = ApprovalTask.objects.get()
    assert (task.status, task.acting_for) == (TaskStatus.APPROVED, approver)
    assert get_approval_detail(actor=reload(deputy), approval_id=approval.pk) == approval
