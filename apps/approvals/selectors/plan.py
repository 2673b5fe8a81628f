"""The rules that apply to a subject, and the chain of steps that they require."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import DateField, F, Q, QuerySet
from django.utils import timezone

from apps.approvals.enums import ApproverKind, ConditionKind, ConditionMode, StepMode
from apps.approvals.models import ApprovalRule, ApprovalRuleStep
from apps.approvals.selectors.approvers import ApproverPool, get_approver_pool
from apps.approvals.selectors.bands import select_steps_for_subject
from apps.approvals.selectors.conditions import judge_condition, read_past
from apps.approvals.subjects import ApprovalSubject, SubjectReason
from apps.common.compiled_queries import (
    CompiledQuery,
    ListParameter,
    Parameter,
    key_parameter,
)
from apps.org.models import Account
from apps.org.selectors.departments import get_department_chain


def get_match_reason(
    *, rule: ApprovalRule, subject: ApprovalSubject, path: set[int], band: str = ""
) -> str | None:
    """Return why the rule matches in words, or None. A rule without conditions always matches.

    `path` holds the ids of the requester's department and all departments above it. `band` is the
    label of the subject's band (分档).
    """
    if not rule.conditions:
        return f"{band or '所有订单均需审批'}（{rule.name}）"
    reasons = [judge_condition(row, subject=subject, path=path) for row in rule.conditions]
    met = [text for text in reasons if text]
    is_met = bool(met) if rule.condition_mode == ConditionMode.ANY else len(met) == len(reasons)
    label = [band] if band else []
    return f"{'，'.join([*met, *label])}（{rule.name}）" if is_met else None


def get_rule_steps(
    *, rule: ApprovalRule, steps: list[ApprovalRuleStep], subject: ApprovalSubject, path: set[int]
) -> tuple[list[RequiredStep], str | None]:
    """Return the steps of the rule that the subject requires, and why. Empty and None if the rule
    does not match, or if the subject has a band without steps.
    """
    band, applicable_steps = select_steps_for_subject(rule, steps, subject=subject, path=path)
    if not applicable_steps:
        return [], None
    reason = get_match_reason(rule=rule, subject=subject, path=path, band=band)
    if reason is None:
        return [], None
    return [RequiredStep(step, (StepReason(reason),), band) for step in applicable_steps], reason


def _build_applicable_steps() -> QuerySet[ApprovalRuleStep]:
    """Return the steps of the rules that are valid on a day for a requester: rules of the group,
    of the enterprise, and of the departments of the path. A step has one row for each account that
    it names (`named_id`); a step without accounts has one row.
    """
    day = Parameter("day", DateField())
    enterprise = Q(rule__enterprise__isnull=True) | Q(
        rule__enterprise_id=key_parameter("enterprise")
    )
    department = Q(rule__department__isnull=True) | Q(
        rule__department_id__any_of=ListParameter("path")
    )
    has_begun = Q(rule__valid_from__isnull=True) | Q(rule__valid_from__lte=day)
    unended = Q(rule__valid_until__isnull=True) | Q(rule__valid_until__gte=day)
    rows: QuerySet[ApprovalRuleStep] = ApprovalRuleStep.objects.filter(
        enterprise, department, has_begun, unended, rule__is_active=True
    )
    return (
        rows.select_related("rule")
        .annotate(named_id=F("accounts"))
        .order_by("rule__position", "rule_id", "no", "named_id")
    )


APPLICABLE_STEPS = CompiledQuery(_build_applicable_steps)


def list_applicable_steps(
    *, subject: ApprovalSubject, path: set[int]
) -> tuple[list[ApprovalRuleStep], dict[int, list[int]]]:
    """Return the steps of all rules that are valid today for the requester, in order, and the
    accounts that steps name, {step id: account ids}. `path` holds the ids of the requester's
    department and all departments above it. One query.
    """
    steps: list[ApprovalRuleStep] = []
    account_ids_by_step: dict[int, list[int]] = {}
    for row in APPLICABLE_STEPS.fetch(
        day=timezone.localdate(), enterprise=subject.requester.enterprise_id or 0, path=path
    ):
        if row.pk not in account_ids_by_step:
            steps.append(row)
        ids = account_ids_by_step.setdefault(row.pk, [])
        if (named_id := getattr(row, "named_id", None)) is not None:
            ids.append(named_id)
    return steps, account_ids_by_step


OVER_BUDGET_RULE = "超出预算需审批"
LEFT_BUDGET_RULE = "更换预算需审批"
OVER_LIMIT_RULE = "超出采购限额需审批"
OVER_CREDIT_RULE = "超出月结信用额度需平台审批"


@dataclass(frozen=True, slots=True)
class SkippedApprover:
    """An approver who does not have to decide in this step, and why."""

    account: Account
    why: str


@dataclass(frozen=True, slots=True)
class StepReason:
    """Why a step is required, as approvers read it. `budget_id`: the exceeded budget, if a stored
    budget requires the step. `basis`: see `SubjectReason`. `is_met` False: lower quantities have
    ended the reason, and `text` is what it was before.
    """

    text: str
    budget_id: int | None = None
    basis: Mapping[str, Any] | None = None
    is_met: bool = True

    @property
    def shown_text(self) -> str:
        """Return the reason as approvers read it now."""
        return self.text if self.is_met else f"{self.text}，调整后已不满足"

    def to_json(self) -> dict[str, Any]:
        """Return the reason as `ApprovalStep.reasons` stores it."""
        row: dict[str, Any] = {"text": self.text, "budget": self.budget_id}
        if self.basis is not None:
            row["basis"] = dict(self.basis)
        if not self.is_met:
            row["met"] = False
        return row

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> StepReason:
        """Return a stored reason."""
        return cls(row["text"], row.get("budget"), row.get("basis"), row.get("met", True))

    @classmethod
    def from_subject(cls, reason: SubjectReason) -> StepReason:
        """Return a reason that the subject's app gives."""
        return cls(reason.text, basis=reason.basis)


@dataclass(slots=True)
class PlannedStep:
    """One step of the chain. `is_for_staff`: only the supplier's staff can decide. `rule` is
    unsaved if a budget, a purchase limit or the credit limit requires the step.
    """

    no: int
    rule: ApprovalRule
    mode: str
    approvers: list[Account]
    skipped: list[SkippedApprover] = field(default_factory=list)
    is_for_staff: bool = False
    note: str = ""
    reasons: tuple[StepReason, ...] = ()
    band: str = ""

    @property
    def rule_name(self) -> str:
        """Return the name of the rule that requires the step."""
        return self.rule.name


@dataclass(slots=True)
class Plan:
    """Whether a subject needs an approval, and its steps. `reasons` has one sentence for each
    matching rule.
    """

    is_needed: bool
    reasons: list[str]
    steps: list[PlannedStep]
    # The matching rules that send copies (抄送).
    copy_rules: list[ApprovalRule] = field(default_factory=list)


def _build_over_budget_step(rule_name: str) -> ApprovalRuleStep:
    """Return the step for a budget whose policy requires approval and that no rule covers: the
    department's head decides.
    """
    rule = ApprovalRule(
        name=rule_name, conditions=[{"kind": ConditionKind.OVER_BUDGET, "value": None}]
    )
    return ApprovalRuleStep(rule=rule, no=1, mode=StepMode.ANY, approver_kind=ApproverKind.HEAD)


def _build_head_step(rule_name: str) -> ApprovalRuleStep:
    """Return the step of an order above a purchase limit of its requester, or on another budget
    than the nearest one, which refuses it: the department's head decides.
    """
    rule = ApprovalRule(name=rule_name, conditions=None)
    return ApprovalRuleStep(rule=rule, no=1, mode=StepMode.ANY, approver_kind=ApproverKind.HEAD)


def _build_over_credit_step(no: int, reason: SubjectReason) -> PlannedStep:
    """Return the last step of an order beyond the enterprise's credit limit: the supplier's
    staff decide after the customer's approvers.
    """
    rule = ApprovalRule(name=OVER_CREDIT_RULE, conditions=None)
    return PlannedStep(
        no,
        rule,
        StepMode.ANY,
        [],
        is_for_staff=True,
        note="超出月结信用额度，转由平台客服审批",
        reasons=(StepReason.from_subject(reason),),
    )


@dataclass(frozen=True, slots=True)
class RequiredStep:
    """A step that a rule, a budget or a limit requires, and why. `band` is the label of the band
    (分档) of the rule.
    """

    step: ApprovalRuleStep
    reasons: tuple[StepReason, ...]
    band: str = ""


def _list_matching_steps(
    *, subject: ApprovalSubject, path: set[int]
) -> tuple[list[RequiredStep], dict[int, list[int]]]:
    """Return the steps of all matching rules in order, and the accounts that steps name,
    {step id: account ids}.
    """
    rows, account_ids_by_step = list_applicable_steps(subject=subject, path=path)
    conditions = [row for step in rows for row in step.rule.conditions]
    subject = replace(subject, past=read_past(conditions, subject=subject))
    by_rule: dict[int, list[ApprovalRuleStep]] = {}
    for step in rows:
        by_rule.setdefault(step.rule_id, []).append(step)
    steps: list[RequiredStep] = []
    for rule_steps in by_rule.values():
        steps += get_rule_steps(
            rule=rule_steps[0].rule, steps=rule_steps, subject=subject, path=path
        )[0]
    return steps, account_ids_by_step


ADDRESS_KINDS = frozenset({ConditionKind.FIRST_ADDRESS, ConditionKind.SUM_ADDRESS})


def list_address_rules(*, subject: ApprovalSubject) -> list[str]:
    """Return the names of the rules that match the subject because of its address. Two queries, and
    one for the past if a rule has a condition on the address.
    """
    path = {row.pk for row in get_department_chain(account=subject.requester)}
    by_rule: dict[int, list[ApprovalRuleStep]] = {}
    for step in list_applicable_steps(subject=subject, path=path)[0]:
        if any(row["kind"] in ADDRESS_KINDS for row in step.rule.conditions):
            by_rule.setdefault(step.rule_id, []).append(step)
    conditions = [row for steps in by_rule.values() for row in steps[0].rule.conditions]
    subject = replace(subject, past=read_past(conditions, subject=subject))
    return [
        steps[0].rule.name
        for steps in by_rule.values()
        if get_rule_steps(rule=steps[0].rule, steps=steps, subject=subject, path=path)[0]
        and any(
            judge_condition(row, subject=subject, path=path)
            for row in steps[0].rule.conditions
            if row["kind"] in ADDRESS_KINDS
        )
    ]


def _plan_step(*, no: int, step: ApprovalRuleStep, people: ApproverPool) -> PlannedStep:
    """Return the step with its approvers. If none can approve, it falls back to the group's
    admins, and without other admins to staff.
    """
    approver_ids = people.list_named(step)
    approvers = [
        account
        for account in approver_ids
        if step.rule.allows_self_approval or not people.is_own(account)
    ]
    if approvers:
        return PlannedStep(no, step.rule, step.mode, approvers)
    admins = [account for account in people.admins if not people.is_own(account)]
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


def plan_steps(*, steps: list[ApprovalRuleStep], people: ApproverPool) -> list[PlannedStep]:
    """Return the chain of the steps with their approvers, without those who decide earlier."""
    planned = [
        _plan_step(no=number, step=step, people=people)
        for number, step in enumerate(steps, start=1)
    ]
    _skip_repeated(planned)
    return planned


def approval_plan(*, subject: ApprovalSubject) -> Plan:
    """Return the plan of the subject: whether it needs approval, the reasons, and the chain of
    all matching rules.
    """
    chain = get_department_chain(account=subject.requester)
    required, account_ids_by_step = _list_matching_steps(
        subject=subject, path={row.pk for row in chain}
    )
    rules = {row.step.rule_id: row.step.rule for row in required}.values()
    # The conditions decide, not the words: reasons quote names, and buyers write addresses.
    is_judged = any(
        row["kind"] == ConditionKind.OVER_BUDGET for rule in rules for row in rule.conditions
    )
    if subject.over_budgets and not is_judged:
        budgets = tuple(StepReason(row.reason, row.budget_id) for row in subject.over_budgets)
        required.append(RequiredStep(_build_over_budget_step(OVER_BUDGET_RULE), budgets))
    if subject.left_budget:
        left_budget_reasons = (StepReason.from_subject(subject.left_budget),)
        required.append(RequiredStep(_build_head_step(LEFT_BUDGET_RULE), left_budget_reasons))
    if subject.over_limits:
        limits = tuple(StepReason.from_subject(reason) for reason in subject.over_limits)
        required.append(RequiredStep(_build_head_step(OVER_LIMIT_RULE), limits))
    planned: list[PlannedStep] = []
    if required:
        steps = [row.step for row in required]
        people = get_approver_pool(
            requester=subject.requester,
            chain=chain,
            steps=steps,
            by_step=account_ids_by_step,
            asker_ids=subject.asker_ids,
        )
        planned = plan_steps(steps=steps, people=people)
        for step, row in zip(planned, required, strict=True):
            step.reasons, step.band = row.reasons, row.band
    if subject.over_credit:
        planned.append(_build_over_credit_step(len(planned) + 1, subject.over_credit))
    copy_rules = [rule for rule in rules if rule.copy_accounts or rule.copy_roles]
    return Plan(bool(planned), _list_reasons(planned), planned, copy_rules)


def _list_reasons(steps: list[PlannedStep]) -> list[str]:
    """Return the reasons of a chain, those of each rule once."""
    steps_by_reason: dict[tuple[int | None, str], list[str]] = {}
    for step in steps:
        steps_by_reason.setdefault(
            (step.rule.pk, step.rule_name), [reason.text for reason in step.reasons]
        )
    return [text for texts in steps_by_reason.values() for text in texts]
