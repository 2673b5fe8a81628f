"""The validated content of a rule, and its basic checks. The back office, the demo and the
customer's editor share it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any

from apps.approvals.enums import ApproverKind, ConditionKind, ConditionMode, StepMode

if TYPE_CHECKING:
    from apps.org.models import Account, Department, Enterprise, Role


@dataclass(frozen=True, slots=True)
class StepSpec:
    """One step of a rule: its approvers, and whether one or all of them must approve."""

    approver_kind: str
    mode: str = StepMode.ANY
    accounts: tuple[Account, ...] = field(default_factory=tuple)
    role: Role | None = None
    levels_up: int = 0


@dataclass(frozen=True, slots=True)
class RuleSpec:
    """A rule without its steps; `conditions` as in ApprovalRule."""

    name: str
    conditions: list[dict[str, Any]] = field(default_factory=list)
    condition_mode: str = ConditionMode.ALL
    enterprise: Enterprise | None = None
    department: Department | None = None
    allows_self_approval: bool = False
    position: int = 0
    is_active: bool = True
    valid_from: date | None = None
    valid_until: date | None = None


def step_problem(*, spec: StepSpec, group_id: int) -> str:
    """Return the problem of a step in words, or ""."""
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
    """Return the name of an invalid field and the problem in words, or ("", "")."""
    if spec.valid_from and spec.valid_until and spec.valid_until < spec.valid_from:
        return "valid_until", "失效日不能早于生效日"
    kinds = [row.get("kind") for row in spec.conditions]
    if any(kind not in ConditionKind.values for kind in kinds) or len(kinds) != len(set(kinds)):
        return "conditions", "审批条件不正确：同一种条件只能设置一次"
    if spec.enterprise is not None and spec.enterprise.group_id != group_id:
        return "enterprise", "企业须属于该集团"
    if spec.department is not None and spec.department.group_id != group_id:
        return "department", "部门须属于该集团"
    if (
        spec.department is not None
        and spec.enterprise is not None
        and spec.department.enterprise_id != spec.enterprise.pk
    ):
        return "department", "部门须属于所选企业"
    return "", ""
