"""Reminders and escalation in working hours. 2026-11-16 is a Monday, 2026-11-20 a Friday."""

from __future__ import annotations

from typing import Any

import pytest

from apps.approvals.enums import ApproverKind, StepMode, StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalTask
from apps.approvals.selectors.approvals import list_approvals_in_box
from apps.approvals.selectors.rule_form import StepSpec
from apps.approvals.services.account_disable import approval_reassign
from apps.approvals.services.approval_decide import (
    approval_approve,
    approval_reject,
    approval_transfer,
)
from apps.approvals.services.approval_discussion import approval_answer, approval_ask
from apps.approvals.services.approval_reminders import approval_urge, approvals_remind
from apps.approvals.services.delegation_manage import DelegationForm, delegation_create
from apps.approvals.tests.clock import clock, parse_moment
from apps.approvals.tests.factories import create_rule
from apps.approvals.tests.subject import Recorder, register_recorder, start
from apps.common.errors import NotFound, WrongState
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.org.models import Account, Department, Group
from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory

pytestmark = pytest.mark.django_db
HEAD = StepSpec(ApproverKind.HEAD)
ABOUT = "小采提交，金额 ¥800.00，"


@pytest.fixture
def recorder() -> Recorder:
    return register_recorder()


@pytest.fixture
def boss(department: Department) -> Account:
    """The head of the department above."""
    above = DepartmentFactory(enterprise=department.enterprise, name="总办")
    account = AccountFactory(
        department=above,
        nickname="总经理",
        roles=[RoleFactory(group=department.group, code="boss")],
    )
    above.head = account
    above.save()
    department.parent = above
    department.save()
    return account


def start_approval(buyer: Account, *steps: StepSpec, since: str = "2026-11-16 09:00") -> Approval:
    create_rule(group_id=buyer.group_id, name="全部", steps=list(steps) or [HEAD])
    with clock(since):
        return start(buyer)


def run(moment: str) -> int:
    with clock(moment), platform_scope(reason="test: the job"):
        return approvals_remind()


def list_messages(topic: str) -> list[dict[str, Any]]:
    return [row.payload for row in OutboxMessage.objects.filter(topic=topic).order_by("pk")]


def test_reminder_is_sent_after_eight_working_hours_and_then_every_working_day(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    approval = start_approval(buyer)
    Group.objects.update(approval_escalate_hours=0)

    moments = [
        "11-16 16:59",
        "11-16 17:00",
        "11-16 17:05",
        "11-17 16:59",
        "11-17 17:00",
        "11-17 18:00",
        "11-18 17:00",
    ]
    assert [run(f"2026-{moment}") for moment in moments] == [0, 1, 0, 0, 1, 0, 1]

    text = f"{ABOUT}已等待 8 工作小时，请尽快处理"
    first = {
        "ApprovalId": approval.pk,
        "SubjectNo": "SO7",
        "ActorId": None,
        "To": [approver.pk],
        "Text": text,
    }
    assert list_messages("approval.reminded")[0] == first
    assert [row["Text"] for row in list_messages("approval.reminded")[1:]] == [
        f"{ABOUT}已等待 17 工作小时，请尽快处理",
        f"{ABOUT}已等待 2 个工作日，请尽快处理",
    ]
    assert recorder.events[0] == (
        "approval.reminded:第 1 步等待 老审 审批已 8 工作小时，已提醒",
        7,
    )


@pytest.mark.parametrize(
    ("since", "too_early", "due"),
    [
        # a weekend
        ("2026-11-20 17:00", "2026-11-23 15:59", "2026-11-23 16:00"),
        # 国庆节, then Saturday 10 October worked
        ("2026-09-30 17:30", "2026-10-08 16:29", "2026-10-08 16:30"),
        ("2026-10-09 17:00", "2026-10-10 15:59", "2026-10-10 16:00"),
        # a night over the end of a month, 29 February and the end of a year
        ("2026-11-30 17:00", "2026-12-01 15:59", "2026-12-01 16:00"),
        ("2028-02-28 17:00", "2028-02-29 15:59", "2028-02-29 16:00"),
        ("2026-12-31 17:00", "2027-01-01 15:59", "2027-01-01 16:00"),
    ],
)
def test_reminder_counts_only_working_hours(
    recorder: Recorder, buyer: Account, approver: Account, since: str, too_early: str, due: str
) -> None:
    start_approval(buyer, since=since)
    assert (run(too_early), run(due)) == (0, 1)


def test_reminder_is_sent_once_after_a_standstill(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    start_approval(buyer)
    Group.objects.update(approval_escalate_hours=0)
    assert [run("2026-11-20 15:00"), run("2026-11-20 15:05")] == [1, 0]
    assert len(list_messages("approval.reminded")) == 1


def test_the_groups_own_hours_count_and_nought_is_off(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    start_approval(buyer)
    Group.objects.update(approval_remind_hours=0, approval_escalate_hours=0)
    assert run("2026-12-16 09:00") == 0
    Group.objects.update(approval_remind_hours=2)
    assert run("2026-11-16 10:59") == 0
    assert run("2026-11-16 11:00") == 1


def test_reminder_also_goes_to_the_delegate(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    start_approval(buyer)
    with clock("2026-11-15 12:00"):
        delegation_create(
            actor=approver,
            form=DelegationForm(
                ga.pk,
                parse_moment("2026-11-16 00:00").date(),
                parse_moment("2026-11-17 00:00").date(),
            ),
        )
    run("2026-11-16 17:00")
    assert list_messages("approval.reminded")[0]["To"] == [approver.pk, ga.pk]


def test_escalation_notifies_the_superiors_delegate_except_the_late_approver(
    recorder: Recorder, buyer: Account, approver: Account, boss: Account, ga: Account
) -> None:
    start_approval(buyer)
    with clock("2026-11-15 12:00"):
        for deputy, day in (
            (ga, parse_moment("2026-11-18 00:00").date()),
            (approver, parse_moment("2026-11-19 00:00").date()),
        ):
            delegation_create(actor=boss, form=DelegationForm(deputy.pk, day, day))
    run("2026-11-18 15:00")
    asked_again = start(buyer, subject_id=8)
    ApprovalTask.objects.filter(step__approval=asked_again).update(
        arrived_at=parse_moment("2026-11-16 09:00")
    )
    run("2026-11-19 15:00")
    assert [row["To"] for row in list_messages("approval.escalated")] == [
        [boss.pk, ga.pk],
        [boss.pk],
    ]


def test_ended_approval_is_not_reminded(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    approval = start_approval(buyer)
    with clock("2026-11-16 10:00"):
        approval_reject(actor=approver, approval_id=approval.pk, reason="超标")
    assert run("2026-11-30 10:00") == 0


def test_later_step_counts_waiting_from_its_opening(
    recorder: Recorder, buyer: Account, approver: Account, boss: Account
) -> None:
    approval = start_approval(buyer, HEAD, StepSpec(ApproverKind.HEAD_UP, levels_up=1))
    with clock("2026-11-16 15:00"):
        approval_approve(actor=approver, approval_id=approval.pk)

    assert (run("2026-11-17 13:59"), run("2026-11-17 14:00")) == (0, 1)
    assert list_messages("approval.reminded")[0]["To"] == [boss.pk]
    assert ApprovalTask.objects.get(approver=approver).waited_minutes == 360


def test_approval_escalates_to_the_head_above_after_24_working_hours(
    recorder: Recorder, buyer: Account, approver: Account, boss: Account
) -> None:
    approval = start_approval(buyer)
    Group.objects.update(approval_remind_hours=0)

    # 9 hours on Monday, 9 on Tuesday, 6 on Wednesday
    assert [run(f"2026-11-{moment}") for moment in ("18 14:59", "18 15:00", "18 15:05")] == [
        0,
        1,
        0,
    ]

    tasks = ApprovalTask.objects.order_by("pk")
    assert [(task.approver, task.status) for task in tasks] == [
        (approver, TaskStatus.PENDING),
        (boss, TaskStatus.PENDING),
    ]
    assert tasks[1].escalated_from == tasks[0]
    assert recorder.events == [
        ("approval.escalated:第 1 步 老审 2 个工作日未处理，升级给 总经理，老审 仍可审批", 7)
    ]
    text = f"{ABOUT}老审 2 个工作日未处理，请您审批"
    sent = {
        "ApprovalId": approval.pk,
        "SubjectNo": "SO7",
        "ActorId": None,
        "To": [boss.pk],
        "Text": text,
    }
    assert list_messages("approval.escalated") == [sent]
    assert [
        list(list_approvals_in_box(actor=account, box="todo")) for account in (approver, boss)
    ] == [[approval]] * 2


def test_escalation_skips_a_superior_who_approves_another_step(
    recorder: Recorder, buyer: Account, approver: Account, boss: Account, ga: Account
) -> None:
    start_approval(buyer, HEAD, StepSpec(ApproverKind.HEAD_UP, levels_up=1))

    run("2026-11-18 15:00")

    assert [task.approver for task in ApprovalTask.objects.filter(step__no=1)] == [approver, ga]
    assert [what for what, _ in recorder.events if what.startswith("approval.escalated")] == [
        "approval.escalated:第 1 步 老审 2 个工作日未处理，总经理是第 2 步的审批人，"
        "不能升级给此人；"
        "升级给 集管，老审 仍可审批"
    ]


def test_overdue_approval_escalates_to_the_admins_and_stays_pending(
    recorder: Recorder, buyer: Account, approver: Account, boss: Account, ga: Account
) -> None:
    approval = start_approval(buyer)
    for day in range(16, 31):
        run(f"2026-11-{day} 17:30")

    approval.refresh_from_db()
    assert (approval.status, [task.approver for task in ApprovalTask.objects.order_by("pk")]) == (
        "pending",
        [approver, boss, ga],
    )
    notes = [what for what, _ in recorder.events if what.startswith("approval.escalated")]
    assert notes[1].endswith("总经理 3 个工作日未处理，升级给 集管，总经理 仍可审批")
    assert notes[2].endswith("集管 3 个工作日未处理，没有可以升级的上级，请尽快联系审批人")
    assert len(notes) == 3


@pytest.mark.parametrize("who", ["first", "second"])
def test_escalated_joint_task_counts_one_signature_of_either_approver(
    recorder: Recorder, buyer: Account, approver: Account, boss: Account, ga: Account, who: str
) -> None:
    both = StepSpec(ApproverKind.ACCOUNTS, StepMode.ALL, accounts=(approver, ga))
    approval = start_approval(buyer, both)
    with clock("2026-11-16 10:00"):
        approval_approve(actor=ga, approval_id=approval.pk)
    run("2026-11-18 15:00")

    with clock("2026-11-18 16:00"):
        approval_approve(actor=approver if who == "first" else boss, approval_id=approval.pk)

    approval.refresh_from_db()
    spared = ApprovalTask.objects.get(approver=boss if who == "first" else approver)
    assert (approval.status, spared.status, spared.comment) == (
        "approved",
        TaskStatus.CLOSED,
        "老审已审批" if who == "first" else "总经理已审批",
    )


def test_two_late_joint_approvers_escalate_separately_and_both_are_needed(
    recorder: Recorder, buyer: Account, approver: Account, boss: Account, ga: Account
) -> None:
    colleague = AccountFactory(
        department=buyer.department,
        nickname="老二",
        roles=[RoleFactory(group=buyer.group, code="second")],
    )
    approval = start_approval(
        buyer, StepSpec(ApproverKind.ACCOUNTS, StepMode.ALL, accounts=(approver, colleague))
    )
    run("2026-11-18 15:00")

    # 老审's superior is the head of the department above. 老二's is 老审, who is already asked, so
    # the next head or the admin is asked.
    assert [
        (task.approver.nickname, task.asked.nickname)
        for task in ApprovalTask.objects.filter(escalated_from=None)
    ] == [
        ("老审", "老审"),
        ("老二", "老二"),
    ]
    above = {
        task.escalated_from.approver.nickname: task.approver.nickname
        for task in ApprovalTask.objects.exclude(escalated_from=None)
    }
    assert above == {"老审": "总经理", "老二": "集管"}
    approval_approve(actor=boss, approval_id=approval.pk)
    assert approval.steps.get().status == StepStatus.ACTIVE
    approval_approve(actor=colleague, approval_id=approval.pk)
    approval.refresh_from_db()
    assert approval.status == "approved"


def test_escalated_task_keeps_its_link_after_transfer_and_reassignment(
    recorder: Recorder, buyer: Account, approver: Account, boss: Account, ga: Account
) -> None:
    both = StepSpec(ApproverKind.ACCOUNTS, StepMode.ALL, accounts=(approver, ga))
    approval = start_approval(buyer, both)
    with clock("2026-11-16 10:00"):
        approval_approve(actor=ga, approval_id=approval.pk)
    run("2026-11-18 15:00")
    second, third = (
        AccountFactory(
            department=buyer.department,
            nickname=name,
            roles=[RoleFactory(group=buyer.group, code=name)],
        )
        for name in "乙丙"
    )
    approval_transfer(actor=approver, approval_id=approval.pk, to=second, reason="出差")
    approval_reassign(approval_id=approval.pk, leaver=boss, successor=third)

    approval_approve(actor=third, approval_id=approval.pk)

    approval.refresh_from_db()
    assert (approval.status, ApprovalTask.objects.get(approver=second).status) == (
        "approved",
        TaskStatus.CLOSED,
    )


def test_escalation_never_goes_to_the_requester(
    recorder: Recorder, approver: Account, boss: Account, ga: Account
) -> None:
    create_rule(
        group_id=boss.group_id,
        name="全部",
        steps=[StepSpec(ApproverKind.ACCOUNTS, accounts=(approver,))],
    )
    with clock("2026-11-16 09:00"):
        start(boss)
    run("2026-11-18 15:00")
    assert [task.approver for task in ApprovalTask.objects.order_by("pk")] == [approver, ga]


def test_the_requester_urges_once_in_four_working_hours(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    approval = start_approval(buyer)
    with clock("2026-11-16 16:00"):
        approval_urge(actor=buyer, approval_id=approval.pk)
    with (
        clock("2026-11-17 10:59"),
        pytest.raises(WrongState, match="4 个工作小时内只能催办一次，11-17 11:00 后可再次催办"),
    ):
        approval_urge(actor=buyer, approval_id=approval.pk)
    with clock("2026-11-17 11:00"):
        approval_urge(actor=buyer, approval_id=approval.pk)

    assert recorder.events == [("approval.urged:催办 老审", 7)] * 2
    sent = {"ApprovalId": approval.pk, "SubjectNo": "SO7", "ActorId": buyer.pk, "To": [approver.pk]}
    texts = [f"金额 ¥800.00，已等待 {waited} 工作小时，请尽快处理" for waited in (7, 11)]
    assert list_messages("approval.reminded") == [{**sent, "Text": text} for text in texts]


def test_urge_by_another_account_is_not_found(
    recorder: Recorder, buyer: Account, approver: Account, ga: Account
) -> None:
    approval = start_approval(buyer)
    with pytest.raises(NotFound):
        approval_urge(actor=ga, approval_id=approval.pk)


def test_open_question_pauses_the_reminder_clock_until_the_answer(
    recorder: Recorder, buyer: Account, approver: Account
) -> None:
    approval = start_approval(buyer)
    with clock("2026-11-16 10:00"):
        approval_ask(actor=approver, approval_id=approval.pk, text="为什么买这么多？")
    assert run("2026-11-20 10:00") == 0
    with clock("2026-11-20 11:00"):
        approval_answer(actor=buyer, approval_id=approval.pk, text="新员工入职")

    assert (run("2026-11-23 09:59"), run("2026-11-23 10:00")) == (0, 1)
