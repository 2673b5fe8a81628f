"""Rules that say the same, or of which one makes the other useless."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from apps.approvals.enums import ApproverKind, ConditionKind, ConditionMode
from apps.approvals.models import ApprovalRule, ApprovalRuleStep
from apps.approvals.selectors.rule_problem import Level, Problem
from apps.approvals.selectors.rule_spec import RuleSpec, StepSpec

StepKey = tuple[str, str, frozenset[int], int]


def overlaps(*, spec: RuleSpec, steps: list[StepSpec], others: list[ApprovalRule], path: tuple[int, ...]) -> Iterator[Problem]:
    """Tell which of the group's other rules meet all orders of this one, or the other way round, with the same approvers.

    `path` is the rule's department and all above it.
    """
    mine = [_spec_step(step) for step in steps]
    for other in others:
        theirs = [_rule_step(step) for step in other.steps.all()]
        covered = _place_covers(other, spec, path) and _conditions_cover(other, spec)
        covers = _place_covers(spec, other, _own_path(other)) and _conditions_cover(spec, other)
        if covered and covers and mine == theirs:
            yield Problem(Level.WARN, "duplicate", f"与规则「{other.name}」完全相同，重复的审批人会自动跳过")
        elif covered and set(mine) <= set(theirs):
            yield Problem(Level.WARN, "shadowed", f"规则「{other.name}」已包含本规则的订单和审批人，本规则不会增加审批")
        elif covers and set(theirs) <= set(mine):
            yield Problem(Level.INFO, "shadows", f"保存后，规则「{other.name}」的订单和审批人都已包含在本规则中")


def _own_path(rule: ApprovalRule) -> tuple[int, ...]:
    return (rule.department_id,) if rule.department_id else ()


def _spec_step(step: StepSpec) -> StepKey:
    return (
        step.approver_kind,
        step.mode,
        frozenset(account.pk for account in step.accounts),
        _detail(step.role.pk if step.role else None, step),
    )


def _rule_step(step: ApprovalRuleStep) -> StepKey:
    accounts = frozenset(account.pk for account in step.accounts.all())
    return (
        step.approver_kind,
        step.mode,
        accounts if step.approver_kind == ApproverKind.ACCOUNTS else frozenset(),
        _detail(step.role_id, step),
    )


def _detail(role_id: int | None, step: StepSpec | ApprovalRuleStep) -> int:
    if step.approver_kind == ApproverKind.ROLE:
        return role_id or 0
    return step.levels_up if step.approver_kind == ApproverKind.HEAD_UP else 0


def _place_covers(wide: RuleSpec | ApprovalRule, narrow: RuleSpec | ApprovalRule, path: tuple[int, ...]) -> bool:
    """Whether every requester of the narrow rule is one of the wide one's; `path` is the narrow one's department upwards."""
    if wide.department is not None:
        return wide.department.pk in path
    if wide.enterprise is None:
        return True
    return narrow.enterprise is not None and narrow.enterprise.pk == wide.enterprise.pk


def _conditions_cover(wide: RuleSpec | ApprovalRule, narrow: RuleSpec | ApprovalRule) -> bool:
    """Whether every order that meets the narrow rule's conditions meets the wide one's."""
    if not wide.conditions:
        return True
    if not narrow.conditions:
        return False
    narrow_parts = _parts(narrow)
    wide_parts = _parts(wide)
    # Each way to meet the narrow one must be one way to meet the wide one.
    return all(any(_implies(have, want) for want in wide_parts) for have in narrow_parts)


def _parts(rule: RuleSpec | ApprovalRule) -> list[list[dict[str, Any]]]:
    """Return the ways to meet a rule, each a list of conditions that hold together."""
    if rule.condition_mode == ConditionMode.ANY:
        return [[row] for row in rule.conditions]
    return [list(rule.conditions)]


def _implies(have: list[dict[str, Any]], want: list[dict[str, Any]]) -> bool:
    return all(any(_stricter(row, wanted) for row in have) for wanted in want)


def _stricter(row: dict[str, Any], wanted: dict[str, Any]) -> bool:
    """Whether what meets `row` meets `wanted`."""
    if row["kind"] != wanted["kind"]:
        return False
    if row["kind"] == ConditionKind.OVER_BUDGET:
        return True
    if row["kind"] in (ConditionKind.AMOUNT, ConditionKind.LINE_QUANTITY):
        return Decimal(str(row["value"])) >= Decimal(str(wanted["value"]))
    return set(row["value"]) <= set(wanted["value"])
