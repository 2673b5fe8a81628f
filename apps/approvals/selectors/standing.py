"""A standing approval: one approval that also counts for later, equal subjects up to an amount. A
定期采购 uses it for its orders.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.utils import timezone

from apps.approvals.enums import ApprovalStatus, ConditionKind, StepStatus
from apps.approvals.models import Approval, ApprovalRule, ApprovalStep
from apps.approvals.selectors.plan import Plan

STANDING_DAYS = 365
# Conditions on more than the subject itself. Equal subjects meet them by different figures: the
# budget overrun, the sum or the price that the approvers saw says nothing about the next one.
CHANGING_KINDS = frozenset(
    {
        ConditionKind.OVER_BUDGET,
        ConditionKind.SUM_REQUESTER,
        ConditionKind.SUM_DEPARTMENT,
        ConditionKind.SUM_CATEGORY,
        ConditionKind.SUM_BRAND,
        ConditionKind.SUM_ADDRESS,
        ConditionKind.PRICE_RISE,
    }
)


@dataclass(frozen=True, slots=True)
class StandingApproval:
    """What the approvers agree to besides the subject itself: later subjects up to `limit`, in 元,
    含税. `notice` says so in one sentence. `approval` is None until they have agreed.
    """

    limit: Decimal
    notice: str
    approval: Approval | None = None


def find_standing_approval(
    *, subject_type: str, subject_ids: Iterable[int], since: datetime
) -> Approval | None:
    """Return the newest approval of the subjects that was begun after `since` and is not older than
    STANDING_DAYS, or None. An approval in which quantities were lowered does not count, because
    the approvers agreed to less. One query.
    """
    rows = Approval.objects.filter(
        subject_type=subject_type,
        subject_id__in=list(subject_ids),
        status=ApprovalStatus.APPROVED,
        version=1,
        created_at__gte=since,
        decided_at__gt=timezone.now() - timedelta(days=STANDING_DAYS),
    )
    approval: Approval | None = rows.order_by("-decided_at", "-pk").first()
    return approval


def get_last_standing_day(approval: Approval) -> date:
    """Return the last day on which the approval counts for later subjects."""
    if approval.decided_at is None:
        raise RuntimeError("a pending approval counts for nothing")
    return timezone.localdate(approval.decided_at + timedelta(days=STANDING_DAYS))


def apply_standing_approval(*, plan: Plan, amount: Decimal, standing: StandingApproval) -> Plan:
    """Return the plan of a subject of this amount, in 元: without steps if the standing approval
    covers it, otherwise with the notice for its approvers.

    It covers the steps of rules that the approvers decided in the same version and band, also those
    that were skipped because their approver had decided before. A new or changed rule, a budget or
    a limit therefore needs a new approval, and so does each rule with one of the CHANGING_KINDS.
    """
    if not plan.is_needed:
        return plan
    approval = standing.approval
    if approval is not None and amount <= standing.limit:
        decided_steps = ApprovalStep.objects.filter(
            approval=approval, status__in=[StepStatus.APPROVED, StepStatus.SKIPPED]
        )
        covered_steps = set(decided_steps.values_list("rule_id", "rule_version", "band"))
        if all(
            can_be_covered(step.rule)
            and (step.rule.pk, step.rule.version, step.band) in covered_steps
            for step in plan.steps
        ):
            return Plan(is_needed=False, reasons=[], steps=[], copy_rules=plan.copy_rules)
    return replace(plan, reasons=[*plan.reasons, standing.notice])


def can_be_covered(rule: ApprovalRule) -> bool:
    """Return whether one approval may count for the later steps of the rule. False for the unsaved
    rule of a budget, a purchase limit or the credit limit.
    """
    kinds = {row["kind"] for row in rule.conditions or ()}
    return rule.pk is not None and not kinds & CHANGING_KINDS
