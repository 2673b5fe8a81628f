"""The effect of an amendment on the chain: which steps are still required, and the reasons that
remain (docs/decisions.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.approvals.enums import StepStatus
from apps.approvals.models import Approval, ApprovalRule, ApprovalStep
from apps.approvals.selectors.matching import get_match_reason
from apps.approvals.subjects import ApprovalSubject, SubjectAmendment, subject_handler
from apps.org.selectors.departments import department_chain


@dataclass(frozen=True, slots=True)
class AmendmentEffect:
    """`dropped` are the waiting steps that no rule requires any more; `reasons` has one
    sentence for each remaining rule.
    """

    amendment: SubjectAmendment
    dropped: list[ApprovalStep]
    reasons: list[str]
    is_over_budget: bool


def get_amendment_effect(
    *, approval: Approval, steps: Sequence[ApprovalStep], amendment: SubjectAmendment
) -> AmendmentEffect:
    """Return the effect of an amendment on the chain. Quantities only fall, so no new rule can
    match: steps are dropped, never added.

    Each step is evaluated with its rule as it was when the approval started. It is dropped if the
    rule matched the subject before the amendment and does not match it after. Other changes since
    then (a department, a rule) drop nothing. Decided steps and the active step stay, so an
    amendment never ends an approval. At most one query.
    """
    path = {row.pk for row in department_chain(account=approval.requester)}
    is_over = approval.is_over_budget and amendment.after.is_over_budget
    before = replace(amendment.before, is_over_budget=approval.is_over_budget)
    after = replace(amendment.after, is_over_budget=is_over)
    dropped: list[ApprovalStep] = []
    reasons: dict[tuple[int | None, str], str] = {}
    is_known = True
    for step in steps:
        asked, asks = _reason(step, before, path), _reason(step, after, path)
        if asked and not asks and step.status == StepStatus.WAITING:
            dropped.append(step)
        elif asks or (asked and step.status != StepStatus.SKIPPED):
            reasons.setdefault((step.rule_id, step.rule_name), asks or asked or "")
        is_known = is_known and step.conditions is not None
    return AmendmentEffect(
        amendment,
        dropped,
        list(reasons.values()) if reasons and is_known else approval.reasons,
        is_over,
    )


def _reason(step: ApprovalStep, subject: ApprovalSubject, path: set[int]) -> str | None:
    """Return why the step's rule matches the subject. None: it does not match, or its
    conditions are unknown.
    """
    if step.conditions is None:
        return None
    rule = ApprovalRule(
        name=step.rule_name, conditions=step.conditions, condition_mode=step.condition_mode
    )
    return get_match_reason(rule=rule, subject=subject, path=path)


def amendment_preview(*, approval: Approval, quantities: dict[int, int]) -> AmendmentEffect:
    """Return the effect of the quantities without writing anything. The chain must be
    prefetched.

    Raises:
        ValidationFailed, QuantityIllegal: see approval_amend.
    """
    found = subject_handler(approval.subject_type).preview_amendment(
        approval.subject_id, quantities=quantities
    )
    return get_amendment_effect(
        approval=approval, steps=list(approval.steps.all()), amendment=found
    )
