"""The first screen of an approval for staff: state, amount, reasons, lines, chain and
discussion.
"""

from __future__ import annotations

from datetime import datetime

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.approvals.enums import ApprovalStatus, StepStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalAmendment, ApprovalStep, ApprovalTask
from apps.approvals.selectors.delegations import list_stand_ins_of
from apps.approvals.selectors.waiting import is_overdue_for_staff
from apps.approvals.subjects import get_subject_handler, get_subject_office_page
from apps.calendar.selectors import get_working_calendar
from apps.common.days import format_moment
from apps.common.tenancy import tenant_scope
from apps.office.cells import format_yuan
from apps.office.dossier import Fact, describe_waiting
from apps.org.models import Account

S = ApprovalStatus
COLOURS = {S.PENDING: "warning", S.APPROVED: "success", S.REJECTED: "danger", S.WITHDRAWN: "info"}
STAFF = "平台客服"
# The page of the subject shows the other lines.
MAX_SHOWN = 10
SHORT_CELL, CELL = '<td class="is-short">{}</td>', "<td>{}</td>"
STEPS = ("步骤", "规则", "方式", "状态", "审批人与意见")


def build_approval_facts(approval: Approval) -> list[Fact]:
    """Return the facts of the first screen. The chain must be prefetched (`with_chain`)."""
    step = find_active_step(approval)
    since = _get_wait_start(approval, step) if step else None
    is_late = bool(
        step
        and step.is_for_staff
        and since
        and is_overdue_for_staff(approval, since=since, calendar=get_working_calendar())
    )
    facts = [
        Fact(
            "状态",
            approval.get_status_display(),
            describe_waiting(_format_waiting_for(step), since),
            tag=COLOURS[S(approval.status)],
            is_late=is_late,
        ),
        Fact("金额（含税）", format_yuan(approval.amount), _amount_note(approval)),
        Fact("单号", subject_link(approval), f"提交于 {_format_time(approval.created_at)}"),
        Fact("申请人", approval.requester, approval.requester.department or ""),
        *_list_asker_facts(approval),
        Fact("集团", approval.group),
        Fact(
            "当前审批人",
            _format_people(step),
            f"第 {step.no} 步，共 {len(approval.steps.all())} 步",
        )
        if step
        else Fact("结束时间", _format_time(approval.decided_at)),
        Fact("审批原因", format_reasons(approval), is_wide=True),
        *_list_amendment_facts(approval),
        Fact("商品", _render_lines(approval), is_wide=True),
        Fact("审批链", _render_chain(approval), is_wide=True),
        *_list_stand_in_facts(approval),
    ]
    urged = f"申请人于 {_format_time(approval.urged_at)} 催办" if approval.urged_at else ""
    return facts + [
        Fact(name, text, is_wide=True)
        for name, text in (("催办", urged), ("讨论", _build_discussion_table(approval)))
        if text
    ]


def find_active_step(approval: Approval) -> ApprovalStep | None:
    """Return the active step, or None."""
    return next((row for row in approval.steps.all() if row.status == StepStatus.ACTIVE), None)


def format_waiting_approvers(approval: Approval) -> str:
    """Return the names of the approvers it waits for; a dash if it has ended."""
    step = find_active_step(approval)
    return _format_people(step) if step else "—"


def subject_link(approval: Approval) -> str | SafeString:
    """Return the subject's number, as a link if the subject has a back-office page."""
    route = get_subject_office_page(approval.subject_type)
    if not route:
        return approval.subject_no
    return format_html(
        '<a href="{}" class="text-primary-600">{}</a>',
        reverse(route, args=[approval.subject_id]),
        approval.subject_no,
    )


def format_reasons(approval: Approval) -> str:
    """Return the reasons of the approval as one text."""
    return "；".join(approval.reasons)


def _list_asker_facts(approval: Approval) -> list[Fact]:
    """Return the people whose requisitions the subject fulfils. Empty, without a query, if there
    are none.
    """
    if not approval.askers:
        return []
    people = Account.objects.filter(pk__in=[int(pk) for pk in approval.askers]).order_by("pk")
    names = "、".join(str(account) for account in people)
    return [Fact("采购申请人", names, "不能审批自己申请的商品")]


def _list_amendment_facts(approval: Approval) -> list[Fact]:
    """Return what approvers lowered, and the reasons that changed with it, oldest first. Empty,
    without a query, if nothing was lowered.
    """
    if approval.version == 1:
        return []
    rows = approval.amendments.select_related("actor", "acting_for").order_by("version")
    lines = format_html_join(
        "",
        "<div>{} {} → {}（{}）{}</div>",
        (
            (
                f"{_format_time(row.at)} {row.actor}",
                format_yuan(row.amount_before),
                format_yuan(row.amount_after),
                row.reason,
                _render_changed_reasons(row),
            )
            for row in rows
        ),
    )
    return [Fact("调整记录", lines, is_wide=True)] if lines else []


def _render_changed_reasons(row: ApprovalAmendment) -> SafeString:
    """Return the reasons that the amendment changed: 原 and 现."""
    gone = [text for text in row.reasons_before if text not in row.reasons_after]
    new = [text for text in row.reasons_after if text not in row.reasons_before]
    texts = [("原", text) for text in gone] + [("现", text) for text in new]
    return format_html_join("", "<div><small>{}：{}</small></div>", texts)


def _format_people(step: ApprovalStep) -> str:
    return (
        STAFF
        if step.is_for_staff
        else "、".join(str(task.approver) for task in _list_pending_tasks(step))
    )


def _list_pending_tasks(step: ApprovalStep) -> list[ApprovalTask]:
    return [task for task in step.tasks.all() if task.status == TaskStatus.PENDING]


def _format_waiting_for(step: ApprovalStep | None) -> str:
    if step is None:
        return ""
    return (
        "等待申请人答复"
        if step.asked_at
        else f"等待{'我方' if step.is_for_staff else _format_people(step)}审批"
    )


def _get_wait_start(approval: Approval, step: ApprovalStep) -> datetime:
    """Return the start of the current wait: for an answer, for approvers, or for staff, whose
    step has no task with an arrival time.
    """
    if step.asked_at:
        return step.asked_at
    if arrived := [task.arrived_at for task in _list_pending_tasks(step)]:
        return min(arrived)
    return max(
        (
            task.decided_at
            for each in approval.steps.all()
            for task in each.tasks.all()
            if task.decided_at
        ),
        default=approval.created_at,
    )


def _amount_note(approval: Approval) -> str:
    lowered = f"审批中已调低 {approval.version - 1} 次" if approval.version > 1 else ""
    return " · ".join(
        text for text in ("超出预算" if approval.is_over_budget else "", lowered) if text
    )


def _render_lines(approval: Approval) -> SafeString | str:
    with tenant_scope(group_id=approval.group_id):
        lines = get_subject_handler(approval.subject_type).list_lines(approval.subject_id)
    line_items = format_html_join(
        "",
        "<div>{} × {} {}</div>",
        ((line.name, line.quantity, line.unit) for line in lines[:MAX_SHOWN]),
    )
    if len(lines) > MAX_SHOWN:
        return format_html(
            "{}<small>共 {} 行，此处为前 {} 行</small>", line_items, len(lines), MAX_SHOWN
        )
    return line_items or "—"


def _render_chain(approval: Approval) -> SafeString:
    head = format_html_join("", "<th>{}</th>", ((name,) for name in STEPS))
    row = f"<tr>{SHORT_CELL}{CELL}{SHORT_CELL * 2}{CELL}</tr>"
    rows = (
        (
            f"第 {step.no} 步",
            step.rule_name,
            step.get_mode_display(),
            step.status_text,
            _render_tasks(step),
        )
        for step in approval.steps.all()
    )
    body = format_html_join("", row, rows)
    return format_html(
        '<table class="office-table"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>',
        head,
        body,
    )


def _list_stand_in_facts(approval: Approval) -> list[Fact]:
    """Return today's delegations of the awaited approvers, with the reason why a delegate cannot
    decide. Empty without any.
    """
    with tenant_scope(group_id=approval.group_id):
        rows = list_stand_ins_of(approval=approval)
    lines = format_html_join(
        "",
        "<div>{} 代 {}：{}</div>",
        (
            (
                row.delegation.delegate,
                row.delegation.delegator,
                row.why_not or "可以代为审批",
            )
            for row in rows
        ),
    )
    return [Fact("代理审批", lines, is_wide=True)] if rows else []


def _render_tasks(step: ApprovalStep) -> SafeString:
    task_texts = [_format_task(task) for task in step.tasks.all()] or [STAFF]
    note = format_html("<small>{}</small>", step.note) if step.note else ""
    return format_html(
        "{}{}", format_html_join("", "<div>{}</div>", ((text,) for text in task_texts)), note
    )


def _format_task(task: ApprovalTask) -> str:
    approver_text = (
        f"{task.approver} 代 {task.acting_for}" if task.acting_for else str(task.approver)
    )
    at = f" {_format_time(task.decided_at)}" if task.decided_at else ""
    return f"{approver_text} {task.get_status_display()}{at}" + (
        f"：{task.comment}" if task.comment else ""
    )


def _build_discussion_table(approval: Approval) -> SafeString:
    """Return the remarks as a table, oldest first. All texts are escaped."""
    rows = (
        (remark.get_kind_display(), remark.author, _format_time(remark.at), remark.text)
        for remark in approval.remarks.select_related("author").order_by("pk")
    )
    row = f"<tr>{SHORT_CELL * 3}{CELL}</tr>"
    body = format_html_join("", row, rows)
    return (
        format_html('<table class="office-table"><tbody>{}</tbody></table>', body) if body else body
    )


def _format_time(at: datetime | None) -> str:
    return format_moment(at) if at else "—"
