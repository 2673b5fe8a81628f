"""Delegations: who may decide for whom today, in which steps, by which rules and up to which
amount. Also the 会签 steps in which an approver and the stand-in both have to sign.

A delegation is not transitive: a stand-in's own stand-in gets nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Q, QuerySet, prefetch_related_objects
from django.utils import timezone

from apps.approvals.enums import (
    ApprovalStatus,
    ApproverKind,
    DelegationStatus,
    StepMode,
    StepStatus,
    TaskStatus,
)
from apps.approvals.models import (
    Approval,
    ApprovalDelegation,
    ApprovalRule,
    ApprovalRuleStep,
    ApprovalStep,
    ApprovalTask,
)
from apps.approvals.selectors.approvers import (
    filter_able_approvers,
    get_barred_stand_ins_now,
    get_own_people,
)
from apps.common.money import format_yuan
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.accounts import build_person_condition

MAX_COLLEAGUES = 20
OTHER_RULES = "代理只限指定的审批规则，不含这一步"


def list_current_delegations(*, actor: Account) -> tuple[ApprovalDelegation, ...]:
    """Return today's delegations to the actor. A disabled delegator is ignored. The result is
    cached on the account for the day. A person without 订单审批 decides for nobody: no query.
    """
    if not actor.has_menu_code(MenuCode.ORDER_APPROVAL):
        return ()
    today = timezone.localdate()
    cached: tuple[date, tuple[ApprovalDelegation, ...]] | None = actor.__dict__.get("_delegations")
    if cached is None or cached[0] != today:
        rows = ApprovalDelegation.objects.filter(
            delegate=actor,
            cancelled_at=None,
            valid_from__lte=today,
            valid_until__gte=today,
            delegator__is_active=True,
        )
        cached = (today, tuple(rows.order_by("pk")))
        actor.__dict__["_delegations"] = cached
    return cached[1]


def explain_not_covered(
    delegation: ApprovalDelegation, *, approval: Approval, step: ApprovalStep
) -> str:
    """Return why the delegation does not reach a step of an approval, or "" if it does."""
    if delegation.rules and step.rule_id not in delegation.rules:
        return OTHER_RULES
    return explain_above_limit(delegation, amount=approval.judged_amount)


def explain_above_limit(delegation: ApprovalDelegation, *, amount: Decimal) -> str:
    """Return why an amount in 元 is above the limit of the delegation, or ""."""
    limit = delegation.amount_limit
    if limit is None or amount <= limit:
        return ""
    return f"金额 {format_yuan(amount)} 超过代理上限 {format_yuan(limit)}"


def build_delegation_condition(delegation: ApprovalDelegation) -> Q:
    """Return the condition on tasks that `explain_not_covered` states for one task."""
    condition = Q(approver=delegation.delegator_id)
    if delegation.rules:
        condition &= Q(step__rule__in=delegation.rules)
    limit = delegation.amount_limit
    if limit is not None:
        alone = Q(step__approval__whole_amount=None, step__approval__amount__lte=limit)
        condition &= alone | Q(step__approval__whole_amount__lte=limit)
    return condition


def build_delegated_tasks_condition(*, actor: Account) -> Q | None:
    """Return the condition on tasks that the actor may decide for somebody else today, or None if
    there is no delegation to the actor.
    """
    condition: Q | None = None
    for delegation in list_current_delegations(actor=actor):
        tasks = build_delegation_condition(delegation)
        condition = tasks if condition is None else condition | tasks
    return condition


def list_covered_delegator_ids(
    *, actor: Account, approval: Approval, step: ApprovalStep, is_open: bool = True
) -> set[int]:
    """Return the ids of the accounts that the actor stands in for in the step. Without a query, and
    empty, if the step is not open to stand-ins.
    """
    if not is_open:
        return set()
    return {
        row.delegator_id
        for row in list_current_delegations(actor=actor)
        if not explain_not_covered(row, approval=approval, step=step)
    }


@dataclass(frozen=True, slots=True)
class StandIn:
    """A delegation of an approver whom an approval waits for. `why_not` says why the delegate
    cannot decide nevertheless; "" if the delegate can.
    """

    delegation: ApprovalDelegation
    why_not: str


def list_stand_ins_of(*, approval: Approval) -> list[StandIn]:
    """Return today's delegations of the approvers whom a pending approval waits for. The chain must
    be prefetched.
    """
    step = next((row for row in approval.steps.all() if row.status == StepStatus.ACTIVE), None)
    if approval.status != ApprovalStatus.PENDING or step is None:
        return []
    pending_approvers = [
        task.approver_id for task in step.tasks.all() if task.status == TaskStatus.PENDING
    ]
    return _judge_stand_ins(approval, step, pending_approvers)


def _judge_stand_ins(
    approval: Approval, step: ApprovalStep, approver_ids: list[int]
) -> list[StandIn]:
    """Return each delegation of the approvers, with the reason why it does not hold for this
    step ("" if it does).
    """
    stand_ins = list_stand_ins(approver_ids).select_related("delegator", "delegate")
    rows = list(stand_ins.order_by("pk"))
    if not rows:  # usually; the reasons take two queries, and two more without the chain
        return []
    prefetch_related_objects([approval], "steps__tasks")
    reason_by_barred_id = {
        **get_barred_stand_ins_now(approval),
        **get_own_people(approval),
    }
    return [
        StandIn(
            row,
            reason_by_barred_id.get(row.delegate_id, "")
            or explain_not_covered(row, approval=approval, step=step),
        )
        for row in rows
    ]


def list_deciding_stand_ins(
    *, step: ApprovalStep, approver_ids: list[int]
) -> list[ApprovalDelegation]:
    """Return today's delegations of the approvers whose delegate can decide the step. One query if
    the approvers have no stand-in.
    """
    stand_ins = _judge_stand_ins(step.approval, step, approver_ids)
    return [row.delegation for row in stand_ins if not row.why_not]


def list_stand_ins_for(*, approval: Approval, approver_ids: list[int]) -> list[int]:
    """Return the ids of today's stand-ins of the approvers in `approver_ids`, who decide the active
    step. The chain must be prefetched.
    """
    step = next((row for row in approval.steps.all() if row.status == StepStatus.ACTIVE), None)
    if step is None:
        return []
    stand_ins = _judge_stand_ins(approval, step, approver_ids)
    return [row.delegation.delegate_id for row in stand_ins if not row.why_not]


def list_stand_ins(
    approver_ids: list[int] | QuerySet[ApprovalTask, Any],
) -> QuerySet[ApprovalDelegation]:
    """Return today's delegations of the approvers in `approver_ids` (ids or a query of ids),
    whatever they are limited to.
    """
    today = timezone.localdate()
    rows: QuerySet[ApprovalDelegation] = ApprovalDelegation.objects.filter(
        delegator__in=approver_ids,
        delegator__is_active=True,
        delegate__is_active=True,
        cancelled_at=None,
        valid_from__lte=today,
        valid_until__gte=today,
    )
    return rows


def list_delegations(*, actor: Account) -> QuerySet[ApprovalDelegation]:
    """Return the actor's delegations and those to the actor, the latest first. Cancelled
    delegations to the actor are left out.
    """
    rows: QuerySet[ApprovalDelegation] = ApprovalDelegation.objects.filter(
        Q(delegator=actor) | Q(delegate=actor, cancelled_at=None)
    )
    return rows.select_related("delegator", "delegate").order_by("-valid_from", "-pk")


def list_delegations_with_history(actor: Account) -> QuerySet[ApprovalDelegation]:
    """Return the delegations whose change history the actor may read: those from and to the
    actor.
    """
    rows: QuerySet[ApprovalDelegation] = ApprovalDelegation.objects.filter(
        Q(delegator=actor) | Q(delegate=actor)
    )
    return rows


def get_status_on(delegation: ApprovalDelegation, day: date) -> DelegationStatus:
    """Return the status of a delegation on a day. The last day is included."""
    if delegation.cancelled_at is not None:
        return DelegationStatus.CANCELLED
    if day < delegation.valid_from:
        return DelegationStatus.COMING
    return DelegationStatus.ENDED if day > delegation.valid_until else DelegationStatus.ACTIVE


def list_stand_in_candidates(*, actor: Account, keyword: str) -> list[Account]:
    """Return at most twenty colleagues of the actor's enterprise with approval rights that
    match the keyword.
    """
    rows = (
        Account.objects.filter(enterprise=actor.enterprise_id, is_active=True)
        .exclude(pk=actor.pk)
        .select_related("department")
    )
    fitting = rows.filter(build_person_condition(keyword))
    candidates = list(fitting.order_by("pk")[: MAX_COLLEAGUES * 5])
    able_ids = filter_able_approvers(account.pk for account in candidates)
    return [account for account in candidates if account.pk in able_ids][:MAX_COLLEAGUES]


def rules_to_delegate() -> QuerySet[ApprovalRule]:
    """Return the enabled rules of the group, in their order."""
    rows: QuerySet[ApprovalRule] = ApprovalRule.objects.filter(is_active=True, deleted_at=None)
    return rows.order_by("position", "pk")


def get_rule_names(delegations: Iterable[ApprovalDelegation]) -> dict[int, str]:
    """Return {rule id: name} of the rules that the delegations are limited to. No query without
    such a delegation.
    """
    ids = {pk for row in delegations for pk in row.rules}
    if not ids:
        return {}
    rows = ApprovalRule.objects.filter(pk__in=ids).order_by("position", "pk")
    return {
        rule.pk: rule.name if rule.deleted_at is None else f"{rule.name}（已删除）" for rule in rows
    }


def get_limits_text(delegation: ApprovalDelegation) -> str:
    """Return what the delegation is limited to, in words; "" without limits."""
    names = get_rule_names([delegation])
    rules = f"只限规则{''.join(f'「{name}」' for name in names.values())}" if names else ""
    limit = delegation.amount_limit
    amount = f"只限 {format_yuan(limit)} 及以下的订单" if limit is not None else ""
    return "，".join(text for text in (rules, amount) if text)


@dataclass(frozen=True, slots=True)
class JointStep:
    """A 会签 step in which the delegator and the delegate both have to sign, so that the delegate
    cannot sign for the delegator.
    """

    delegation: ApprovalDelegation
    rule: ApprovalRule
    number: int


def list_joint_steps(delegations: list[ApprovalDelegation]) -> list[JointStep]:
    """Return the joint steps of the enabled rules that the delegations reach. One query, and one
    for the people of the steps.
    """
    if not delegations:
        return []
    steps = ApprovalRuleStep.objects.filter(
        Q(approver_kind=ApproverKind.ACCOUNTS) | Q(approver_kind=ApproverKind.ROLE),
        mode=StepMode.ALL,
        rule__is_active=True,
        rule__deleted_at=None,
        rule__allows_same_person=False,
    ).select_related("rule")
    rows = list(steps.order_by("rule__position", "rule_id", "no"))
    people = _get_people_by_step(
        rows, {pk for row in delegations for pk in (row.delegator_id, row.delegate_id)}
    )
    return [
        JointStep(delegation, step.rule, step.no)
        for delegation in delegations
        for step in rows
        if {delegation.delegator_id, delegation.delegate_id} <= people.get(step.pk, set())
        and delegation.has_common_rule([step.rule_id])
    ]


def _get_people_by_step(
    steps: list[ApprovalRuleStep], account_ids: set[int]
) -> dict[int, set[int]]:
    """Return {step id: those of the accounts whom the step asks}."""
    if not steps:
        return {}
    keys = [step.pk for step in steps]
    account_rows = ApprovalRuleStep.accounts.through.objects.filter(
        approvalrulestep__in=keys, account__in=account_ids
    ).values_list("approvalrulestep_id", "account_id")
    people_by_rule: dict[int, set[int]] = {}
    for step_id, account_id in account_rows:
        people_by_rule.setdefault(step_id, set()).add(account_id)
    roles = Account.roles.through.objects.filter(
        account__in=account_ids, role__in={step.role_id for step in steps if step.role_id}
    )
    of_role: dict[int, set[int]] = {}
    for role_id, account_id in roles.values_list("role_id", "account_id"):
        of_role.setdefault(role_id, set()).add(account_id)
    for step in steps:
        if step.role_id is not None:
            people_by_rule.setdefault(step.pk, set()).update(of_role.get(step.role_id, set()))
    return people_by_rule


def list_open_delegations() -> QuerySet[ApprovalDelegation]:
    """Return the delegations of the group that are valid today or later."""
    rows: QuerySet[ApprovalDelegation] = ApprovalDelegation.objects.filter(
        cancelled_at=None, valid_until__gte=timezone.localdate()
    )
    return rows.order_by("pk")
