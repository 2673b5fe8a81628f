"""Who decides in whose place today. Not handed on: whoever stands in for one does not pass it to who stands in for him."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, DelegationStatus, TaskStatus
from apps.approvals.models import Approval, ApprovalDelegation, ApprovalTask
from apps.approvals.selectors.people import able_ids
from apps.org.models import Account

MOST_COLLEAGUES = 20


def delegations_to(*, actor: Account) -> QuerySet[ApprovalDelegation]:
    """Return the delegations by which the actor stands in for somebody today; who was disabled is stood in for by nobody."""
    today = timezone.localdate()
    rows: QuerySet[ApprovalDelegation] = ApprovalDelegation.objects.filter(
        delegate=actor, cancelled_at=None, valid_from__lte=today, valid_until__gte=today, delegator__is_active=True
    )
    return rows.order_by()


def delegators_of(*, actor: Account) -> frozenset[int]:
    """Return the ids of those in whose place the actor decides today; one query for an account and day, kept on it."""
    today = timezone.localdate()
    kept: tuple[date, frozenset[int]] | None = actor.__dict__.get("_delegators")
    if kept is None or kept[0] != today:
        kept = (today, frozenset(delegations_to(actor=actor).values_list("delegator_id", flat=True)))
        actor.__dict__["_delegators"] = kept
    return kept[1]


def stand_ins_of(*, approval: Approval) -> list[ApprovalDelegation]:
    """Return who may decide today in the place of those asked by an approval that carries its chain; one query, none once it has ended."""
    if approval.status != ApprovalStatus.PENDING:
        return []
    asked = [task.approver_id for step in approval.steps.all() for task in step.tasks.all() if task.status == TaskStatus.PENDING]
    rows = standing_in(asked).exclude(delegate=approval.requester_id)
    return list(rows.select_related("delegator", "delegate").order_by("pk"))


def stand_ins_for(*, asked: list[int], requester_id: int) -> list[int]:
    """Return the ids of those who may decide today in the place of those asked; one query."""
    return list(standing_in(asked).exclude(delegate=requester_id).order_by("pk").values_list("delegate_id", flat=True))


def standing_in(asked: list[int] | QuerySet[ApprovalTask, Any]) -> QuerySet[ApprovalDelegation]:
    """Return the delegations by which somebody stands in today for those asked: their ids, or a query of them."""
    today = timezone.localdate()
    rows: QuerySet[ApprovalDelegation] = ApprovalDelegation.objects.filter(
        delegator__in=asked,
        delegator__is_active=True,
        delegate__is_active=True,
        cancelled_at=None,
        valid_from__lte=today,
        valid_until__gte=today,
    )
    return rows


def delegations_of(*, actor: Account) -> QuerySet[ApprovalDelegation]:
    """Return what the actor has delegated, and what has been delegated to him, the latest first."""
    rows: QuerySet[ApprovalDelegation] = ApprovalDelegation.objects.filter(Q(delegator=actor) | Q(delegate=actor, cancelled_at=None))
    return rows.select_related("delegator", "delegate").order_by("-valid_from", "-pk")


def delegations_seen(actor: Account) -> QuerySet[ApprovalDelegation]:
    """Return the delegations whose history the actor may read: his own, and those to him."""
    rows: QuerySet[ApprovalDelegation] = ApprovalDelegation.objects.filter(Q(delegator=actor) | Q(delegate=actor))
    return rows


def status_on(delegation: ApprovalDelegation, day: date) -> DelegationStatus:
    """Return how a delegation stands on a day; the last day still counts."""
    if delegation.cancelled_at is not None:
        return DelegationStatus.CANCELLED
    if day < delegation.valid_from:
        return DelegationStatus.COMING
    return DelegationStatus.ENDED if day > delegation.valid_until else DelegationStatus.ACTIVE


def colleagues_able(*, actor: Account, keyword: str) -> list[Account]:
    """Return colleagues of the actor's enterprise who could decide in his place, at most twenty that fit the keyword."""
    rows = Account.objects.filter(enterprise=actor.enterprise_id, is_active=True).exclude(pk=actor.pk).select_related("department")
    fitting = rows.filter(Q(nickname__icontains=keyword) | Q(full_name__icontains=keyword) | Q(username__icontains=keyword))
    found = list(fitting.order_by("pk")[: MOST_COLLEAGUES * 5])
    able = able_ids(account.pk for account in found)
    return [account for account in found if account.pk in able][:MOST_COLLEAGUES]
