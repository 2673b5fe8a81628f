"""Shared parts of all writes to a department tree: the enterprise's lock, the check against
cycles, and the history.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError

from apps.common.errors import Forbidden, ValidationFailed
from apps.org.enums import ChangeAction
from apps.org.errors import DepartmentNotFound
from apps.org.locks import lock_enterprises
from apps.org.models import Account, Department
from apps.org.selectors.departments import (
    can_manage_departments,
    can_manage_top_level,
    get_department,
)
from apps.org.services.changes import change_record

# Model field → API field, so that messages appear at the right field.
WIRE = {
    "code": "Code",
    "name": "Name",
    "cost_center": "CostCenter",
    "head": "HeadId",
    "parent": "ParentId",
}
LABELS = {
    "name": "部门名称",
    "code": "部门编码",
    "parent": "上级部门",
    "head": "部门负责人",
    "cost_center": "成本中心",
    "is_active": "启用",
}
TOP = "（顶级）"


def lock_tree(enterprise_id: int) -> None:
    """Lock the enterprise's row, so that writes to its tree run one after the other."""
    lock_enterprises(enterprise_id)


def keep(*, actor: Account, pk: str) -> Department:
    """Lock the tree and return the department for a change.

    Raises:
        DepartmentNotFound: the actor cannot see a department with this id.
        Forbidden: the actor may only read departments.
    """
    seen = get_department(actor=actor, pk=pk)
    if not can_manage_departments(actor):
        raise Forbidden("您的数据范围仅本人，不能维护部门，请联系贵司管理员")
    lock_tree(seen.enterprise_id)
    return get_department(actor=actor, pk=pk)


def parent_of(
    *,
    actor: Account,
    enterprise_id: int,
    pk: str | None,
    present: int | None = None,
    key: str = "ParentId",
) -> Department | None:
    """Return the parent department, or None for the top level of the enterprise. `present` is
    the current parent.

    Raises:
        ValidationFailed: the parent belongs to another enterprise, is disabled, or is outside the
            departments that the actor may manage.
    """
    if pk is None:
        if present is not None and not can_manage_top_level(actor, enterprise_id):
            raise Forbidden("您不能设置顶级部门，请选择上级部门")
        return None
    try:
        parent = get_department(actor=actor, pk=pk)
    except DepartmentNotFound as error:
        raise ValidationFailed({key: ["部门不存在，或不在您的管理范围内"]}) from error
    if parent.enterprise_id != enterprise_id:
        raise ValidationFailed({key: ["须是同一企业的部门"]})
    if not parent.is_active:
        raise ValidationFailed({key: ["该部门已停用，请选择其他部门"]})
    return parent


def below(department: Department) -> set[int]:
    """Return the ids of the department and everything below it. One query."""
    rows = (
        Department.objects.filter(enterprise_id=department.enterprise_id)
        .order_by()
        .values_list("pk", "parent_id")
    )
    children: dict[int | None, list[int]] = {}
    for pk, parent_id in rows:
        children.setdefault(parent_id, []).append(pk)
    found: set[int] = set()
    waiting = [department.pk]
    while waiting:
        pk = waiting.pop()
        if pk not in found:
            found.add(pk)
            waiting += children.get(pk, [])
    return found


def cleaned(department: Department) -> None:
    """Raise ValidationFailed, with the API's field names, if the row is not valid."""
    try:
        department.clean_fields(exclude=["group", "enterprise", "parent", "head"])
    except ValidationError as error:
        raise ValidationFailed(
            {WIRE.get(name, name): list(texts) for name, texts in error.message_dict.items()}
        ) from error
    if (
        Department.objects.filter(enterprise_id=department.enterprise_id, code=department.code)
        .exclude(pk=department.pk)
        .exists()
    ):
        raise ValidationFailed({"Code": ["部门编码在本企业已存在，请更换"]})


def refuse_same_name(department: Department, *, key: str = "Name") -> None:
    """Raise ValidationFailed if an enabled sibling has the same name. The caller holds the
    tree's lock.
    """
    beside = Department.objects.filter(
        enterprise_id=department.enterprise_id, parent_id=department.parent_id, is_active=True
    )
    if beside.filter(name=department.name).exclude(pk=department.pk).exists():
        above = f"“{department.parent.name}”下" if department.parent else "顶级部门中"
        raise ValidationFailed(
            {key: [f"{above}已有名为“{department.name}”的部门，请更换名称或合并到该部门"]}
        )


def told(department: Department) -> dict[str, Any]:
    """Return the values as the history shows them."""
    return {
        "name": department.name,
        "code": department.code,
        "parent": department.parent.name if department.parent else TOP,
        "head": department.head.nickname if department.head else "",
        "cost_center": department.cost_center,
        "is_active": department.is_active,
    }


def record(
    actor: Account,
    department: Department,
    action: ChangeAction,
    before: dict[str, Any],
    after: dict[str, Any],
    note: str = "",
) -> None:
    """Write the history of a department."""
    change_record(
        actor=actor,
        subject_type="department",
        subject_id=department.pk,
        subject_name=department.name,
        action=action,
        before=before,
        after=after,
        labels=LABELS,
        note=note,
    )
