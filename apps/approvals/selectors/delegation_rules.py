"""The rules that delegations are limited to: their names, the choice, and 会签 steps in which an
approver and the stand-in both have to sign.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.approvals.enums import ApproverKind, StepMode
from apps.approvals.models import ApprovalDelegation, ApprovalRule, ApprovalRuleStep
from apps.common.money import yuan_text
from apps.org.models import Account


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
    amount = f"只限 {yuan_text(limit)} 及以下的订单" if limit is not None else ""
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
    people = _people_of(
        rows, {pk for row in delegations for pk in (row.delegator_id, row.delegate_id)}
    )
    return [
        JointStep(delegation, step.rule, step.no)
        for delegation in delegations
        for step in rows
        if {delegation.delegator_id, delegation.delegate_id} <= people.get(step.pk, set())
        and delegation.has_common_rule([step.rule_id])
    ]


def _people_of(steps: list[ApprovalRuleStep], account_ids: set[int]) -> dict[int, set[int]]:
    """Return {step id: those of the accounts whom the step asks}."""
    if not steps:
        return {}
    keys = [step.pk for step in steps]
    named = ApprovalRuleStep.accounts.through.objects.filter(
        approvalrulestep__in=keys, account__in=account_ids
    ).values_list("approvalrulestep_id", "account_id")
    found: dict[int, set[int]] = {}
    for step_id, account_id in named:
        found.setdefault(step_id, set()).add(account_id)
    roles = Account.roles.through.objects.filter(
        account__in=account_ids, role__in={step.role_id for step in steps if step.role_id}
    )
    of_role: dict[int, set[int]] = {}
    for role_id, account_id in roles.values_list("role_id", "account_id"):
        of_role.setdefault(role_id, set()).add(account_id)
    for step in steps:
        if step.role_id is not None:
            found.setdefault(step.pk, set()).update(of_role.get(step.role_id, set()))
    return found


def list_open_delegations() -> QuerySet[ApprovalDelegation]:
    """Return the delegations of the group that are valid today or later."""
    rows: QuerySet[ApprovalDelegation] = ApprovalDelegation.objects.filter(
        cancelled_at=None, valid_until__gte=timezone.localdate()
    )
    return rows.order_by("pk")
