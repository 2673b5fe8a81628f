"""The approval rules of the demo groups, written by the service for rules."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from apps.approvals.enums import ApproverKind, ConditionKind
from apps.approvals.selectors.rule_form import RuleSpec, StepSpec
from apps.approvals.services.rule_manage import rule_save
from apps.catalog.models import Category, Product
from apps.org.models import Account, Department, Enterprise, Group, Role
from demo.load.sheets import Sheet, get_sheet, is_yes, split_codes

APPROVERS = {
    "account": ApproverKind.ACCOUNTS,
    "role": ApproverKind.ROLE,
    "department_head": ApproverKind.HEAD,
    "head_up": ApproverKind.HEAD_UP,
}


def load_approval_rules() -> int:
    """Write the rules with their conditions and steps. Return the number of rules."""
    parts = {
        name: get_sheet(f"enterprise/approval_{name}") for name in ("conditions", "bands", "steps")
    }
    rows = get_sheet("enterprise/approval_rules")
    for row in rows:
        mine = {
            name: [each for each in part if each["规则"] == row["编码"]]
            for name, part in parts.items()
        }
        _create_rule(row, **mine)
    return len(rows)


def _create_rule(row: dict[str, str], conditions: Sheet, bands: Sheet, steps: Sheet) -> None:
    group = Group.objects.get(code=row["集团"])
    place, code = row["适用类型"], row["适用对象"]
    department = Department.objects.get(group=group, code=code) if place == "department" else None
    enterprise = Enterprise.objects.get(group=group, code=code) if place == "enterprise" else None
    spec = RuleSpec(
        name=row["名称"],
        conditions=[_build_condition(each) for each in conditions],
        condition_mode=row["条件组合"],
        enterprise=enterprise or (department.enterprise if department else None),
        department=department,
        bands=[_build_band(each) for each in bands],
        copy_accounts=_find_keys(of=Account, field="username", cell=row["抄送账号"]),
        copy_roles=_find_keys(of=Role, field="code", cell=row["抄送角色"]),
        allows_self_approval=is_yes(row["本人可审"]),
        position=int(row["排序"]),
        is_active=is_yes(row["启用"]),
    )
    rule_save(group_id=group.pk, spec=spec, steps=[_build_step(step, group) for step in steps])


def _find_keys(
    *, of: type[Category | Product | Department | Account | Role], field: str, cell: str
) -> list[int]:
    return list(
        of._default_manager.filter(**{f"{field}__in": split_codes(cell)})
        .order_by("pk")
        .values_list("pk", flat=True)
    )


def _sum(cell: str) -> dict[str, object]:
    """Return the value of a sum over time: days and amount in 元."""
    days, amount = split_codes(cell)
    return {"days": int(days), "amount": f"{Decimal(amount):.2f}"}


VALUES: dict[str, Callable[[str], object]] = {
    ConditionKind.AMOUNT: lambda cell: f"{Decimal(cell):.2f}",
    ConditionKind.LINE_QUANTITY: int,
    ConditionKind.PRICE_RISE: int,
    ConditionKind.SUM_REQUESTER: _sum,
    ConditionKind.SUM_BRAND: _sum,
    ConditionKind.PAYMENT: split_codes,
    **dict.fromkeys(
        (
            ConditionKind.OVER_BUDGET,
            ConditionKind.OFF_AGREEMENT,
            ConditionKind.FIRST_BRAND,
            ConditionKind.FIRST_PROJECT,
        ),
        lambda _cell: None,
    ),
    ConditionKind.CATEGORY: lambda cell: _find_keys(of=Category, field="code", cell=cell),
    ConditionKind.PRODUCT: lambda cell: _find_keys(of=Product, field="code", cell=cell),
    ConditionKind.DEPARTMENT: lambda cell: _find_keys(of=Department, field="code", cell=cell),
    ConditionKind.REQUESTER: lambda cell: _find_keys(of=Account, field="username", cell=cell),
}


def _build_condition(row: dict[str, str]) -> dict[str, object]:
    return {"kind": row["字段"], "value": VALUES[row["字段"]](row["值"])}


def _build_band(row: dict[str, str]) -> dict[str, object]:
    return {
        "above": f"{Decimal(row['超过'] or 0):.2f}",
        "up_to": f"{Decimal(row['不超过']):.2f}" if row["不超过"] else None,
        "departments": _find_keys(of=Department, field="code", cell=row["部门"]),
        "categories": _find_keys(of=Category, field="code", cell=row["类目"]),
    }


def _build_step(row: dict[str, str], group: Group) -> StepSpec:
    kind = APPROVERS[row["审批人类型"]]
    named = row["审批人"]
    return StepSpec(
        approver_kind=kind,
        mode=row["方式"],
        accounts=tuple(Account.objects.filter(group=group, username__in=split_codes(named)))
        if kind == ApproverKind.ACCOUNTS
        else (),
        role=Role.objects.get(group=group, code=named) if kind == ApproverKind.ROLE else None,
        levels_up=int(named) if kind == ApproverKind.HEAD_UP else 0,
        band=int(row["档"]) if row["档"] else None,
    )
