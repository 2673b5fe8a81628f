"""The effect of lower quantities on a running approval: which reasons are still met, with which
figures, and which steps nothing requires any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.approvals.enums import StepStatus
from apps.approvals.models import Approval, ApprovalRule, ApprovalStep, ApprovalTask
from apps.approvals.selectors.conditions import read_past
from apps.approvals.selectors.plan import StepReason, get_match_reason
from apps.approvals.subjects import (
    ApprovalSubject,
    JudgedReason,
    SubjectAmendment,
    get_subject_handler,
)
from apps.org.selectors.departments import get_department_chain


@dataclass(frozen=True, slots=True)
class AmendmentEffect:
    """`dropped` are the waiting steps that nothing requires any more; `reasons` has one sentence
    for each remaining reason. A step that has begun stays, and the sentence says that the reason is
    not met any more. `step_reasons` has the new `ApprovalStep.reasons` by step, where they differ.
    """

    amendment: SubjectAmendment
    dropped: list[ApprovalStep]
    reasons: list[str]
    is_over_budget: bool
    step_reasons: dict[int, list[dict[str, Any]]]


def get_amendment_effect(
    *,
    approval: Approval,
    steps: Sequence[ApprovalStep],
    tasks: Iterable[ApprovalTask],
    amendment: SubjectAmendment,
) -> AmendmentEffect:
    """Return the effect of an amendment on the chain. Quantities only fall, and with them all that
    rules, budgets and limits judge: amounts, parts, and the exceeded budgets. So no new reason can
    arise: steps are dropped, never added.

    Each reason is judged with its rule, limit or budget as it was when the approval started. It
    ends if it was met before the amendment and is not met after. Other changes since then (a
    department, a rule, a cancelled order) end nothing: the reason then keeps its text. Only an
    exceeded budget ends as soon as it has enough, whatever the cause. A reason that has ended is
    not judged again.

    A waiting step is dropped when its last reason ends. Decided steps, the active step and a step
    that waits again after 前加签 stay, so an amendment never ends an approval. The band (分档) of
    the submit stays: a lower amount drops no step of it and adds none.
    """
    path = {row.pk for row in get_department_chain(account=amendment.before.requester)}
    conditions = [row for step in steps for row in step.conditions or ()]
    past_facts = read_past(conditions, subject=amendment.before)
    is_over = approval.is_over_budget and amendment.after.is_over_budget
    before = replace(amendment.before, is_over_budget=approval.is_over_budget, past=past_facts)
    after = replace(amendment.after, is_over_budget=is_over, past=past_facts)
    # An approver added the other steps (加签). No rule keeps or drops them.
    steps = [step for step in steps if step.added_by_id is None]
    earlier = {step.pk: [StepReason.from_json(row) for row in step.reasons] for step in steps}
    judged = _judge_bases(earlier, amendment)
    # 前加签 makes the active step wait again. Its approvers still have to decide.
    begun_ids = {task.step_id for task in tasks if task.first_arrived_at is not None}
    dropped_steps: list[ApprovalStep] = []
    step_reasons: dict[int, list[dict[str, Any]]] = {}
    texts_by_rule: dict[tuple[int | None, str], list[str]] = {}
    for step in steps:
        reasons = earlier[step.pk]
        if step.conditions is None:
            reasons = [
                _get_new_reason(reason, judged.get((step.pk, place)))
                for place, reason in enumerate(reasons)
            ]
        elif step.rule_id is None:
            reasons = [_judge_budget_reason(reason, after) for reason in reasons]
        else:
            reasons = _judge_rule_reason(step, reasons, before, after, path)
        rows = [reason.to_json() for reason in reasons]
        if rows != step.reasons:
            step_reasons[step.pk] = rows
        met_texts = [reason.text for reason in reasons if reason.is_met]
        was_met = any(row.is_met for row in earlier[step.pk]) or not earlier[step.pk]
        rule = (step.rule_id, step.rule_name)
        if met_texts:
            texts_by_rule[rule] = met_texts
        elif reasons and was_met and step.status == StepStatus.WAITING and step.pk not in begun_ids:
            dropped_steps.append(step)
        elif reasons and step.status != StepStatus.SKIPPED:
            texts_by_rule.setdefault(rule, [reason.shown_text for reason in reasons])
    return AmendmentEffect(
        amendment=amendment,
        dropped=dropped_steps,
        reasons=[text for texts in texts_by_rule.values() for text in texts],
        is_over_budget=is_over,
        step_reasons=step_reasons,
    )


def _judge_bases(
    reasons: dict[int, list[StepReason]], amendment: SubjectAmendment
) -> dict[tuple[int, int], JudgedReason]:
    """Return the reasons with a basis that were still met, as judged by the subject's app, by step
    and place in the step.
    """
    bases = {
        (step_id, place): reason.basis
        for step_id, rows in reasons.items()
        for place, reason in enumerate(rows)
        if reason.basis is not None and reason.is_met
    }
    if not bases or amendment.reason_judge is None:
        return {}
    return dict(zip(bases, amendment.reason_judge.judge(list(bases.values())), strict=True))


def _get_new_reason(reason: StepReason, judged: JudgedReason | None) -> StepReason:
    """Return the reason after the amendment. `judged` None: it is not judged."""
    if judged is None:
        return reason
    if judged.after:
        return replace(reason, text=judged.after)
    return replace(reason, text=judged.before, is_met=False) if judged.before else reason


def _judge_budget_reason(reason: StepReason, subject: ApprovalSubject) -> StepReason:
    """Return the reason of an exceeded budget, which ends if the subject does not exceed it any
    more. A reason of an unknown budget stays while any budget is exceeded.
    """
    exceeded = {row.budget_id for row in subject.over_budgets}
    is_over = subject.is_over_budget and (reason.budget_id is None or reason.budget_id in exceeded)
    return replace(reason, is_met=reason.is_met and is_over)


def _judge_rule_reason(
    step: ApprovalStep,
    reasons: list[StepReason],
    before: ApprovalSubject,
    after: ApprovalSubject,
    path: set[int],
) -> list[StepReason]:
    """Return why the step's rule matches the subject after the amendment, or why it did."""
    if reasons and not reasons[0].is_met:
        return reasons
    rule = ApprovalRule(
        name=step.rule_name, conditions=step.conditions, condition_mode=step.condition_mode
    )
    before_text, after_text = (
        get_match_reason(rule=rule, subject=subject, path=path, band=step.band) or ""
        for subject in (before, after)
    )
    if not (before_text or after_text):
        return reasons
    return [_get_new_reason(StepReason(before_text), JudgedReason(before_text, after_text))]


def amendment_preview(*, approval: Approval, quantities: dict[int, int]) -> AmendmentEffect:
    """Return the effect of the quantities without writing anything. The chain must be
    prefetched.

    Raises:
        ValidationFailed, QuantityIllegal: see approval_amend.
    """
    amendment = get_subject_handler(approval.subject_type).preview_amendment(
        approval.subject_id, quantities=quantities
    )
    steps = list(approval.steps.all())
    tasks = [task for step in steps for task in step.tasks.all()]
    return get_amendment_effect(approval=approval, steps=steps, tasks=tasks, amendment=amendment)
