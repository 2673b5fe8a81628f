"""What an amendment does to a chain: which of its steps still apply, and why the subject needs approval now (docs/decisions.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.approvals.enums import StepStatus
from apps.approvals.models import Approval, ApprovalRule, ApprovalStep
from apps.approvals.selectors.matching import reason_of
from apps.approvals.subjects import ApprovalSubject, SubjectAmendment, subject_handler
from apps.org.selectors.department_chain import department_chain


@dataclass(frozen=True, slots=True)
class Rejudged:
    """`dropped` are the waiting steps that nothing asks for any more; `reasons` are sentences, one for each rule that is left."""

    amendment: SubjectAmendment
    dropped: list[ApprovalStep]
    reasons: list[str]
    is_over_budget: bool


def rejudged(*, approval: Approval, steps: Sequence[ApprovalStep], amendment: SubjectAmendment) -> Rejudged:
    """Return what becomes of the chain. Quantities only fall, so no rule can newly match: steps fall away, none is added.

    Each step is judged by its rule as it was when the approval started. It is dropped where its rule asked for the subject as it
    stood and asks no more; whatever else has changed since (a department, a rule) drops nothing. What is decided stays, and so
    does the active step: an amendment alone never ends an approval. At most one query.
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
    return Rejudged(amendment, dropped, list(reasons.values()) if reasons and is_known else approval.reasons, is_over)


def _reason(step: ApprovalStep, subject: ApprovalSubject, path: set[int]) -> str | None:
    """Return why the step's rule asks for the subject; None where it does not, or where what it asked for is not known."""
    if step.conditions is None:
        return None
    rule = ApprovalRule(name=step.rule_name, conditions=step.conditions, condition_mode=step.condition_mode)
    return reason_of(rule=rule, subject=subject, path=path)


def amendment_preview(*, approval: Approval, quantities: dict[int, int]) -> Rejudged:
    """Return what the quantities would do to an approval that carries its chain; nothing is written.

    Raises:
        ValidationFailed, QuantityIllegal: as for amending.
    """
    found = subject_handler(approval.subject_type).amendment(approval.subject_id, quantities=quantities)
    return rejudged(approval=approval, steps=list(approval.steps.all()), amendment=found)
