"""Write an approval rule with its steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.approvals.enums import ApproverKind, ConditionKind, ConditionMode, StepMode
from apps.approvals.models import ApprovalRule, ApprovalRuleStep
from apps.common.errors import ValidationFailed

if TYPE_CHECKING:
    from apps.org.models import Account, Department, Enterprise, Role


@dataclass(frozen=True, slots=True)
class StepSpec:
    """One step of a new rule: who approves, and whether any one of them or all."""

    approver_kind: str
    mode: str = StepMode.ANY
    accounts: tuple[Account, ...] = field(default_factory=tuple)
    role: Role | None = None
    levels_up: int = 0


@transaction.atomic
def rule_create(
    *,
    group_id: int,
    name: str,
    conditions: list[dict[str, Any]],
    steps: list[StepSpec],
    enterprise: Enterprise | None = None,
    department: Department | None = None,
    condition_mode: str = ConditionMode.ALL,
    allows_self_approval: bool = False,
    position: int = 0,
) -> ApprovalRule:
    """Return a new active rule; `conditions` as ApprovalRule tells.

    Raises:
        ValidationFailed: there is no step, a condition is of no known kind, or a step names nobody it could ask.
    """
    if not steps:
        raise ValidationFailed({"Steps": ["请至少添加一个审批步骤"]})
    if any(row.get("kind") not in ConditionKind.values for row in conditions):
        raise ValidationFailed({"Conditions": ["审批条件类型不正确"]})
    rule: ApprovalRule = ApprovalRule.objects.create(
        group_id=group_id,
        name=name,
        enterprise=enterprise,
        department=department,
        conditions=conditions,
        condition_mode=condition_mode,
        allows_self_approval=allows_self_approval,
        position=position,
    )
    for number, spec in enumerate(steps, start=1):
        _step_create(rule=rule, number=number, spec=spec)
    return rule


def _step_create(*, rule: ApprovalRule, number: int, spec: StepSpec) -> None:
    if spec.approver_kind == ApproverKind.ACCOUNTS and not spec.accounts:
        raise ValidationFailed({"Steps": [f"第 {number} 步请选择审批人"]})
    if spec.approver_kind == ApproverKind.ROLE and spec.role is None:
        raise ValidationFailed({"Steps": [f"第 {number} 步请选择审批角色"]})
    step = ApprovalRuleStep.objects.create(
        group_id=rule.group_id,
        rule=rule,
        no=number,
        mode=spec.mode,
        approver_kind=spec.approver_kind,
        role=spec.role,
        levels_up=spec.levels_up,
    )
    step.accounts.set(spec.accounts)
