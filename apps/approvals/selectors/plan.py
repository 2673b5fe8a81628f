"""The plan of an approval: whether a subject needs approval, why, and by whom. Checkout shows
it; the submit starts it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from apps.approvals.enums import ApproverKind, ConditionKind, StepMode
from apps.approvals.models import ApprovalRule, ApprovalRuleStep
from apps.approvals.selectors.approvers import ApproverPool, get_approver_pool
from apps.approvals.selectors.matching import filter_applicable_steps, get_match_reason
from apps.approvals.subjects import ApprovalSubject
from apps.org.models import Account
from apps.org.selectors.departments import department_chain

OVER_BUDGET_RULE = "超出预算需审批"
OVER_CREDIT_RULE = "超出月结信用额度需平台审批"


@dataclass(frozen=True, slots=True)
class SkippedApprover:
    """An approver who does not have to decide in this step, and why."""

    account: Account
    why: str


@dataclass(slots=True)
class PlannedStep:
    """One step of the chain. `is_for_staff`: only the supplier's staff can decide. `rule` is
    unsaved if a budget or the credit limit requires the step.
    """

    no: int
    rule: ApprovalRule
    mode: str
    approvers: list[Account]
    skipped: list[SkippedApprover] = field(default_factory=list)
    is_for_staff: bool = False
    note: str = ""

    @property
    def rule_name(self) -> str:
        """Return the name of the rule that requires the step."""
        return self.rule.name


@dataclass(slots=True)
class Plan:
    """`reasons` has one sentence for each matching rule."""

    needed: bool
    reasons: list[str]
    steps: list[PlannedStep]


def _over_budget_step(rule_name: str) -> ApprovalRuleStep:
    """Return the step for a budget whose policy requires approval and that no rule covers: the
    department's head decides.
    """
    rule = ApprovalRule(
        name=rule_name, conditions=[{"kind": ConditionKind.OVER_BUDGET, "value": None}]
    )
    return ApprovalRuleStep(rule=rule, no=1, mode=StepMode.ANY, approver_kind=ApproverKind.HEAD)


def _over_credit_step(no: int) -> PlannedStep:
    """Return the last step of an order beyond the enterprise's credit limit: the supplier's
    staff decide after the customer's approvers.
    """
    rule = ApprovalRule(name=OVER_CREDIT_RULE, conditions=None)
    return PlannedStep(
        no, rule, StepMode.ANY, [], is_for_staff=True, note="超出月结信用额度，转由平台客服审批"
    )


def _matching_steps(
    *, subject: ApprovalSubject, path: set[int]
) -> tuple[list[ApprovalRuleStep], list[str]]:
    """Return the steps of all matching rules in order, and the reasons. One query."""
    rows = ApprovalRuleStep.objects.filter(
        filter_applicable_steps(subject=subject, path=path)
    ).select_related("rule")
    reasons: dict[int, str | None] = {}
    steps: list[ApprovalRuleStep] = []
    for step in rows.order_by("rule__position", "rule_id", "no"):
        if step.rule_id not in reasons:
            reasons[step.rule_id] = get_match_reason(rule=step.rule, subject=subject, path=path)
        if reasons[step.rule_id]:
            steps.append(step)
    return steps, [reason for reason in reasons.values() if reason]


def _plan_step(*, no: int, step: ApprovalRuleStep, people: ApproverPool) -> PlannedStep:
    """Return the step with its approvers. If none can approve, it falls back to the group's
    admins, and without other admins to staff.
    """
    named = people.named_by(step)
    approvers = [
        account
        for account in named
        if step.rule.allows_self_approval or account.pk != people.requester.pk
    ]
    if approvers:
        return PlannedStep(no, step.rule, step.mode, approvers)
    admins = [account for account in people.admins if account.pk != people.requester.pk]
    if admins:
        return PlannedStep(
            no, step.rule, StepMode.ANY, admins, note="未找到可用的审批人，转由集团管理员审批"
        )
    return PlannedStep(
        no,
        step.rule,
        StepMode.ANY,
        [],
        is_for_staff=True,
        note="申请人为集团管理员，转由平台客服审批",
    )


def _skip_repeated(steps: list[PlannedStep]) -> None:
    """Skip approvers who have certainly decided in an earlier step.

    That is the only approver of a step, or one of a 会签 step.

    In a 会签 step only they are skipped. A 或签 step is skipped as a whole: it needs one approval.
    """
    certain: dict[int, int] = {}
    for step in steps:
        step.skipped = [
            SkippedApprover(row, f"已在第 {certain[row.pk]} 步审批，自动跳过")
            for row in step.approvers
            if row.pk in certain
        ]
        step.approvers = [row for row in step.approvers if row.pk not in certain]
        if step.mode == StepMode.ANY and step.skipped:
            first = step.skipped[0].account
            why = f"{first.nickname}已在第 {certain[first.pk]} 步审批，或签无需再审"
            step.skipped += [SkippedApprover(row, why) for row in step.approvers]
            step.approvers = []
        if step.mode == StepMode.ALL or len(step.approvers) == 1:
            for account in step.approvers:
                certain.setdefault(account.pk, step.no)


def approval_plan(*, subject: ApprovalSubject) -> Plan:
    """Return the plan of the subject: whether it needs approval, the reasons, and the chain of
    all matching rules.

    Two queries if no rule matches (one if the requester's departments are loaded), two more for the
    approvers otherwise.
    """
    chain = department_chain(account=subject.requester)
    steps, reasons = _matching_steps(subject=subject, path={row.pk for row in chain})
    if subject.over_budget_needs_approval and not any("超出预算" in reason for reason in reasons):
        reasons.append("超出预算余额（预算要求超出时审批）")
        steps.append(_over_budget_step(OVER_BUDGET_RULE))
    planned: list[PlannedStep] = []
    if steps:
        people = get_approver_pool(requester=subject.requester, chain=chain, steps=steps)
        planned = [
            _plan_step(no=number, step=step, people=people)
            for number, step in enumerate(steps, start=1)
        ]
        _skip_repeated(planned)
    if subject.over_credit_needs_approval:
        reasons.append("超出月结信用额度（超出时由平台审批）")
        planned.append(_over_credit_step(len(planned) + 1))
    return Plan(bool(planned), reasons, planned)
