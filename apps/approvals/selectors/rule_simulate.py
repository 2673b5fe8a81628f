"""Simulate an order: which rules match and why, which do not and why not, and the resulting
chain. Nothing is saved.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal

from django.utils import timezone

from apps.approvals import texts
from apps.approvals.enums import ConditionMode, RuleStatus
from apps.approvals.errors import (
    SimulatedAccountUnavailable,
    SimulatedCategoryUnknown,
    SimulatedDepartmentUnavailable,
    SimulatedProductUnavailable,
)
from apps.approvals.models import ApprovalDelegation, ApprovalRule
from apps.approvals.selectors.approvers import IS_REQUESTER
from apps.approvals.selectors.bands import select_steps_for_subject
from apps.approvals.selectors.conditions import (
    CONDITIONS,
    describe_fact,
    judge_condition,
    read_past,
)
from apps.approvals.selectors.delegations import (
    OTHER_RULES,
    explain_above_limit,
    list_stand_ins,
)
from apps.approvals.selectors.plan import Plan, PlannedStep, approval_plan
from apps.approvals.selectors.rule_text import (
    Names,
    format_condition,
    format_days,
    format_place,
    get_rule_names,
)
from apps.approvals.selectors.rules import MENU, Reach, get_rule_reach, list_visible_rules
from apps.approvals.subjects import (
    OVER_BUDGET_REASON,
    ApprovalSubject,
    OverBudget,
    SubjectCharges,
    SubjectLine,
    SubjectPart,
    get_new_subject_history,
    get_subject_charges,
)
from apps.catalog.models import Category
from apps.common.money import ZERO, round_yuan
from apps.org.models import Account, Department
from apps.org.selectors.accounts import list_visible_accounts
from apps.org.selectors.departments import get_department_chain
from apps.pricing.selectors.context import get_catalogue_context
from apps.pricing.selectors.offers import get_offers_by_code


@dataclass(frozen=True, slots=True)
class TrialLine:
    """A line of the simulated order: a product by its code, or any product of a category."""

    quantity: int
    product_code: str = ""
    category_id: int | None = None


@dataclass(frozen=True, slots=True)
class TrialOrder:
    """The simulated order. `department_id` replaces the requester's department; `amount` is in
    元 including tax. `budget_id` None: the nearest budget. `is_over_budget` supposes that a budget
    is exceeded, whatever the stored ones have.
    """

    account_id: int
    amount: Decimal
    department_id: int | None = None
    payment_kind: str = "credit"
    budget_id: int | None = None
    is_over_budget: bool = False
    budget_needs_approval: bool = False
    lines: tuple[TrialLine, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of one rule: why it matches, or why it does not, as sentences for the screen."""

    rule: ApprovalRule
    is_matched: bool
    why: list[str]
    why_not: list[str]


@dataclass(frozen=True, slots=True)
class PlannedStandIn:
    """A delegation of today that concerns a step of the chain. `why_not` says why the delegate
    cannot decide it; "" if the delegate can.
    """

    step: int
    delegation: ApprovalDelegation
    why_not: str


@dataclass(frozen=True, slots=True)
class Simulation:
    """The verdicts in the order of the rules, and the chain that checkout would show. `charges`:
    the budgets, limits and credit of the requester today.
    """

    requester: Account
    department: Department | None
    verdicts: list[Verdict]
    plan: Plan
    charges: SubjectCharges
    stand_ins: list[PlannedStandIn] = field(default_factory=list)

    @property
    def other_reasons(self) -> list[str]:
        """Return the reasons of the steps that no rule requires, in words."""
        return [
            reason.text
            for step in self.plan.steps
            if step.rule.pk is None
            for reason in step.reasons
        ]


def rule_simulate(*, actor: Account, trial: TrialOrder) -> Simulation:
    """Return the verdicts and the chain for the simulated order.

    Raises:
        ValidationFailed: the requester, the department, a product or a category is outside the
            actor's reach.
    """
    reach = get_rule_reach(actor=actor)
    requester, department = _get_requester(actor, trial, reach)
    subject = ApprovalSubject(
        requester=requester,
        amount=trial.amount,
        payment_kind=trial.payment_kind,
        is_over_budget=trial.is_over_budget,
        over_budgets=(OverBudget(None, OVER_BUDGET_REASON),)
        if trial.is_over_budget and trial.budget_needs_approval
        else (),
        lines=_build_lines(requester, trial),
        parts=(_build_part(trial, department),),
        cost_centers=(department.cost_center,) if department and department.cost_center else (),
        history=get_new_subject_history(requester),
    )
    charges = get_subject_charges(subject, budget_id=trial.budget_id)
    subject = replace(
        subject,
        is_over_budget=trial.is_over_budget or bool(charges.over_budget_names),
        over_budget_names=charges.over_budget_names,
        over_budgets=(*subject.over_budgets, *charges.over_budgets),
        left_budget=charges.left_budget,
        over_limits=charges.over_limits,
        over_credit=charges.over_credit,
    )
    path = {link.pk for link in get_department_chain(account=requester)}
    rules = list(list_visible_rules(actor=actor, reach=reach))
    conditions = [row for rule in rules for row in rule.conditions]
    subject = replace(subject, past=read_past(conditions, subject=subject))
    names = get_rule_names(rules)
    verdicts = [_judge_rule(rule, subject, path, names, department) for rule in rules]
    plan = approval_plan(subject=subject)
    stand_ins = _list_stand_ins(plan, subject)
    return Simulation(requester, department, verdicts, plan, charges, stand_ins)


def _list_stand_ins(plan: Plan, subject: ApprovalSubject) -> list[PlannedStandIn]:
    """Return the delegations of the planned approvers by step, with the reason why one does not
    hold.
    """
    approvers = {account.pk for step in plan.steps for account in step.approvers}
    rows = list_stand_ins(sorted(approvers)).select_related("delegator", "delegate").order_by("pk")
    return [
        PlannedStandIn(
            step.no, row, _find_stand_in_refusal(row, step=step, plan=plan, subject=subject)
        )
        for row in (rows if approvers else ())
        for step in plan.steps
        if row.delegator_id in {account.pk for account in step.approvers}
    ]


def _find_stand_in_refusal(
    delegation: ApprovalDelegation, *, step: PlannedStep, plan: Plan, subject: ApprovalSubject
) -> str:
    """Return why the delegate cannot decide the step, as the approval would judge it."""
    if delegation.delegate_id == subject.requester.pk:
        return IS_REQUESTER
    if not step.rule.allows_same_person:
        for other in plan.steps:
            if delegation.delegate_id in {account.pk for account in other.approvers}:
                place = "这一步" if other.no == step.no else f"第 {other.no} 步"
                return f"是{place}的审批人"
    if delegation.rules and step.rule.pk not in delegation.rules:
        return OTHER_RULES
    return explain_above_limit(delegation, amount=subject.judged_amount)


def _get_requester(
    actor: Account, trial: TrialOrder, reach: Reach
) -> tuple[Account, Department | None]:
    """Return (account of the requester, department of the order). The account is as if it were
    in that department.

    Raises:
        SimulatedAccountUnavailable: the actor cannot see the account.
        SimulatedDepartmentUnavailable: the department is out of the actor's reach.
    """
    account = list_visible_accounts(actor=actor, menu=MENU).filter(pk=trial.account_id).first()
    if account is None:
        raise SimulatedAccountUnavailable
    if trial.department_id is None:
        return account, account.department
    department = reach.get_departments().filter(pk=trial.department_id).first()
    if department is None:
        raise SimulatedDepartmentUnavailable
    # Change the account in memory only.
    account.department, account.enterprise = department, department.enterprise
    account.__dict__.pop("_department_chain", None)
    return account, department


def _build_part(trial: TrialOrder, department: Department | None) -> SubjectPart:
    return SubjectPart(
        amount=trial.amount,
        department_key=str(department.pk) if department else "",
        department=department.name if department else "",
    )


def _build_lines(requester: Account, trial: TrialOrder) -> tuple[SubjectLine, ...]:
    """Return the lines of the trial. The only line of a category takes the whole amount.

    Raises:
        SimulatedProductUnavailable, SimulatedCategoryUnknown: a line names an unknown product or
            category.
    """
    lines = trial.lines
    codes = [line.product_code for line in lines if line.product_code]
    offers = (
        get_offers_by_code(context=get_catalogue_context(actor=requester), codes=codes)
        if codes
        else {}
    )
    ids = {line.category_id for line in lines if line.category_id}
    rows = Category.objects.filter(pk__in=ids).values_list("pk", "parent_id", "parent__parent_id")
    paths = (
        {pk: tuple(each for each in (root, parent, pk) if each) for pk, parent, root in rows}
        if ids
        else {}
    )
    trial_lines: list[SubjectLine] = []
    for line in lines:
        if line.product_code:
            offer = offers.get(line.product_code)
            if offer is None or not offer.visible:
                raise SimulatedProductUnavailable(line.product_code)
            product, price = offer.product, offer.get_price_for(line.quantity)
            trial_lines.append(
                SubjectLine(
                    product_id=product.pk,
                    category_ids=(product.l1_id, product.l2_id, product.l3_id),
                    quantity=line.quantity,
                    amount=round_yuan(price * line.quantity),
                    price=price,
                    name=offer.name,
                    brand_id=product.brand_id,
                    brand=product.brand.name,
                    is_off_agreement=offer.price_source is None,
                )
            )
        elif line.category_id not in paths:
            raise SimulatedCategoryUnknown
        else:
            amount = trial.amount if len(lines) == 1 else ZERO
            trial_lines.append(
                SubjectLine(0, paths[line.category_id], line.quantity, amount=amount)
            )
    return tuple(trial_lines)


def _get_scope_mismatch(rule: ApprovalRule, requester: Account, path: set[int]) -> str:
    """Return why the rule does not apply to the requester today, or ""."""
    match rule.get_status_on(timezone.localdate()):
        case RuleStatus.DISABLED:
            return texts.RULE_DISABLED
        case RuleStatus.COMING | RuleStatus.ENDED:
            return texts.rule_not_valid(format_days(rule.valid_from, rule.valid_until))
    outside_department = rule.department_id is not None and rule.department_id not in path
    outside_enterprise = (
        rule.enterprise_id is not None and rule.enterprise_id != requester.enterprise_id
    )
    return (
        texts.requester_out_of_scope(format_place(rule))
        if outside_department or outside_enterprise
        else ""
    )


def _judge_rule(
    rule: ApprovalRule,
    subject: ApprovalSubject,
    path: set[int],
    names: Names,
    place: Department | None,
) -> Verdict:
    """Return whether the rule matches the simulated order, with the reasons for and against.
    `path`: pks of the department and those above it.
    """
    outside = _get_scope_mismatch(rule, subject.requester, path)
    if outside:
        return Verdict(rule, False, [], [outside])
    band, steps = select_steps_for_subject(rule, list(rule.steps.all()), subject=subject, path=path)
    if not steps:
        return Verdict(
            rule, False, [], [texts.band_without_approval_steps(band) if band else texts.NO_BAND]
        )
    label = [band] if band else []
    if not rule.conditions:
        return Verdict(rule, True, [texts.ALL_ORDERS_IN_SCOPE, *label], [])
    met: list[str] = []
    unmet: list[str] = []
    for row in rule.conditions:
        text = format_condition(row, names)
        reason = judge_condition(row, subject=subject, path=path)
        if reason:
            met.append(reason if CONDITIONS[row["kind"]].needs_past else text)
        else:
            fact = describe_fact(row, subject=subject, place=place.name if place else "")
            unmet.append(texts.condition_not_met(condition=text, fact=fact))
    is_matched = bool(met) if rule.condition_mode == ConditionMode.ANY else not unmet
    return Verdict(
        rule, is_matched, met + (label if is_matched else []), [] if is_matched else unmet
    )
