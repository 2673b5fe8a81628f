"""Delegations: who may decide for whom today. A delegation is not transitive: a stand-in's own
stand-in gets nothing.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, DelegationStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalDelegation, ApprovalTask
from apps.approvals.selectors.approvers import filter_able_approvers
from apps.approvals.selectors.chain_people import stand_ins_barred_now
from apps.org.models import Account

MAX_COLLEAGUES = 20


def delegations_to(*, actor: Account) -> QuerySet[ApprovalDelegation]:
    """Return today's delegations to the actor. A disabled delegator is ignored."""
    today = timezone.localdate()
    rows: QuerySet[ApprovalDelegation] = ApprovalDelegation.objects.filter(
        delegate=actor,
        cancelled_at=None,
        valid_from__lte=today,
        valid_until__gte=today,
        delegator__is_active=True,
    )
    return rows.order_by()


def delegators_of(*, actor: Account) -> frozenset[int]:
    """Return the ids of the accounts the actor stands in for today. The result is cached on the
    account for the day.
    """
    today = timezone.localdate()
    kept: tuple[date, frozenset[int]] | None = actor.__dict__.get("_delegators")
    if kept is None or kept[0] != today:
        kept = (
            today,
            frozenset(delegations_to(actor=actor).values_list("delegator_id", flat=True)),
        )
        actor.__dict__["_delegators"] = kept
    return kept[1]


def stand_ins_of(*, approval: Approval) -> list[ApprovalDelegation]:
    """Return today's delegations of the approvers a pending approval waits for. The chain must
    be prefetched.
    """
    if approval.status != ApprovalStatus.PENDING:
        return []
    approver_ids = [
        task.approver_id
        for step in approval.steps.all()
        for task in step.tasks.all()
        if task.status == TaskStatus.PENDING
    ]
    rows = list_stand_ins(approver_ids).exclude(delegate=approval.requester_id)
    barred = stand_ins_barred_now(approval)
    found = rows.select_related("delegator", "delegate").order_by("pk")
    return [row for row in found if row.delegate_id not in barred]


def stand_ins_for(*, approval: Approval, approver_ids: list[int]) -> list[int]:
    """Return the ids of today's stand-ins of the approvers in `approver_ids`, who decide the active
    step. The chain must be prefetched.
    """
    barred = stand_ins_barred_now(approval)
    rows = list_stand_ins(approver_ids).exclude(delegate=approval.requester_id).order_by("pk")
    return [pk for pk in rows.values_list("delegate_id", flat=True) if pk not in barred]


def list_stand_ins(
    approver_ids: list[int] | QuerySet[ApprovalTask, Any],
) -> QuerySet[ApprovalDelegation]:
    """Return today's delegations of the approvers in `approver_ids` (ids or a query of ids)."""
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


def delegations_of(*, actor: Account) -> QuerySet[ApprovalDelegation]:
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


def status_on(delegation: ApprovalDelegation, day: date) -> DelegationStatus:
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
    fitting = rows.filter(
        Q(nickname__icontains=keyword)
        | Q(full_name__icontains=keyword)
        | Q(username__icontains=keyword)
    )
    found = list(fitting.order_by("pk")[: MAX_COLLEAGUES * 5])
    able = filter_able_approvers(account.pk for account in found)
    return [account for account in found if account.pk in able][:MAX_COLLEAGUES]
