"""Write an approval rule with its steps, a new one or one that changes: what the back office and the demo call."""

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
    """One step of a rule: who approves, and whether any one of them or all."""

    approver_kind: str
    mode: str = StepMode.ANY
    accounts: tuple[Account, ...] = field(default_factory=tuple)
    role: Role | None = None
    levels_up: int = 0


@dataclass(frozen=True, slots=True)
class RuleSpec:
    """A rule as a whole; `conditions` as ApprovalRule tells."""

    name: str
    conditions: list[dict[str, Any]] = field(default_factory=list)
    condition_mode: str = ConditionMode.ALL
    enterprise: Enterprise | None = None
    department: Department | None = None
    allows_self_approval: bool = False
    position: int = 0
    is_active: bool = True


def step_problem(*, spec: StepSpec, group_id: int) -> str:
    """Return what is wrong with a step, in words, or ""."""
    if spec.approver_kind == ApproverKind.ACCOUNTS and not spec.accounts:
        return "请选择审批人账号"
    if spec.approver_kind == ApproverKind.ROLE and spec.role is None:
        return "请选择审批角色"
    if spec.approver_kind == ApproverKind.HEAD_UP and spec.levels_up < 1:
        return "“上级部门负责人”请填写向上级数，至少 1"
    if any(account.group_id != group_id for account in spec.accounts):
        return "审批人须是该集团的账号"
    if spec.role is not None and spec.role.group_id != group_id:
        return "审批角色须属于该集团"
    return ""


def rule_problem(*, spec: RuleSpec, group_id: int) -> tuple[str, str]:
    """Return the field and what is wrong with it, in words, or ("", "")."""
    kinds = [row.get("kind") for row in spec.conditions]
    if any(kind not in ConditionKind.values for kind in kinds) or len(kinds) != len(set(kinds)):
        return "conditions", "审批条件不正确：同一种条件只能设置一次"
    if spec.enterprise is not None and spec.enterprise.group_id != group_id:
        return "enterprise", "企业须属于该集团"
    if spec.department is not None and spec.department.group_id != group_id:
        return "department", "部门须属于该集团"
    if spec.department is not None and spec.enterprise is not None and spec.department.enterprise_id != spec.enterprise.pk:
        return "department", "部门须属于所选企业"
    return "", ""


@transaction.atomic
def rule_save(*, group_id: int, spec: RuleSpec, steps: list[StepSpec], rule: ApprovalRule | None = None) -> ApprovalRule:
    """Return the rule with its steps replaced, a new one where none is given; approvals already running keep the chain they started with.

    Raises:
        ValidationFailed: there is no step, or something named is wrong or of another group.
    """
    wrong_field, text = rule_problem(spec=spec, group_id=group_id)
    if text:
        raise ValidationFailed({wrong_field: [text]})
    problems = [f"第 {number} 步：{step_problem(spec=step, group_id=group_id)}" for number, step in enumerate(steps, start=1)]
    wrong = next((each for each in problems if not each.endswith("：")), "" if steps else "请至少添加一个审批步骤")
    if wrong:
        raise ValidationFailed({"Steps": [wrong]})
    rule = rule or ApprovalRule()
    rule.group_id = group_id
    for name in RuleSpec.__dataclass_fields__:
        setattr(rule, name, getattr(spec, name))
    rule.save()
    rule.steps.all().delete()
    for number, step in enumerate(steps, start=1):
        row = ApprovalRuleStep.objects.create(
            group_id=group_id,
            rule=rule,
            no=number,
            mode=step.mode,
            approver_kind=step.approver_kind,
            role=step.role,
            levels_up=step.levels_up,
        )
        row.accounts.set(step.accounts)
    return rule
