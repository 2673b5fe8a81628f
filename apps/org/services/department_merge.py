"""Merge a department into another, or disable it. A department that is not empty needs a target
for its content.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from apps.common.errors import ValidationFailed, WrongState
from apps.org.department_holders import HOLDERS
from apps.org.enums import ChangeAction
from apps.org.locks import lock_group
from apps.org.models import Account, Address, Department
from apps.org.selectors.departments import get_department
from apps.org.services.department_tree import below, keep, parent_of, record, told


@transaction.atomic
def department_merge(*, actor: Account, pk: str, target_id: str) -> Department:
    """Move accounts, sub-departments, addresses, budgets and rules of the department to the
    target, disable the department, and return the target.

    Existing orders, inquiries and approvals still show the department in which they were created.

    Raises:
        DepartmentNotFound, Forbidden: the actor cannot see or change the department.
        ValidationFailed: the target is the department itself, is below it, belongs to another
            enterprise, is disabled, or has a sub-department of the same name.
    """
    lock_group(
        actor.group_id
    )  # no other transaction can add accounts or data to the department meanwhile
    source = keep(actor=actor, pk=pk)
    target = parent_of(
        actor=actor, enterprise_id=source.enterprise_id, pk=target_id, key="TargetId"
    )
    if target is None or target.pk in below(source):
        raise ValidationFailed({"TargetId": ["请选择本部门及其下级以外的部门"]})
    _refuse_same_names(source, target)
    before, now = told(source), timezone.now()
    moved = {
        "成员": Account.objects.filter(department=source).update(department=target, updated_at=now),
        "下级部门": Department.objects.filter(parent=source).update(parent=target, updated_at=now),
        "地址": _addresses(source, target, now),
        **{holder.name: holder.hand_over(actor, source, target) for holder in HOLDERS.values()},
    }
    _disable(source)
    note = (
        "、".join(f"{name} {number}" for name, number in moved.items() if number) or "无成员与数据"
    )
    record(actor, source, ChangeAction.MERGE, before, told(source), f"并入“{target.name}”：{note}")
    record(actor, target, ChangeAction.MERGE, {}, {}, f"接收“{source.name}”：{note}")
    return get_department(actor=actor, pk=target.pk)


@transaction.atomic
def department_disable(*, actor: Account, pk: str, target_id: str | None = None) -> Department:
    """Return the disabled department. With a target, its content moves there first.

    Raises:
        DepartmentNotFound, Forbidden, ValidationFailed: as department_merge.
        WrongState: the department is not empty and there is no target. The message lists its
            content.
    """
    if target_id is not None:
        department_merge(actor=actor, pk=pk, target_id=target_id)
        return get_department(actor=actor, pk=pk)
    lock_group(actor.group_id)
    department = keep(actor=actor, pk=pk)
    held = {
        "成员": Account.objects.filter(department=department, is_active=True).count(),
        "下级部门": Department.objects.filter(parent=department, is_active=True).count(),
        **{holder.name: holder.held(department) for holder in HOLDERS.values()},
    }
    if any(held.values()):
        told_of = "、".join(f"{number} 个{name}" for name, number in held.items() if number)
        raise WrongState(f"该部门还有{told_of}，请选择接收的部门后再停用")
    before = told(department)
    _disable(department)
    record(actor, department, ChangeAction.DISABLE, before, told(department))
    return get_department(actor=actor, pk=pk)


def _refuse_same_names(source: Department, target: Department) -> None:
    names = (
        Department.objects.filter(parent=target, is_active=True)
        .exclude(pk=source.pk)
        .values("name")
    )
    both = (
        Department.objects.filter(parent=source, is_active=True, name__in=names)
        .order_by("position", "pk")
        .first()
    )
    if both is not None:
        raise ValidationFailed(
            {"TargetId": [f"两个部门都有名为“{both.name}”的下级部门，请先改名或合并后再试"]}
        )


def _addresses(source: Department, target: Department, now: datetime) -> int:
    """Move the addresses. The target's default address stays the only default."""
    moved = Address.objects.filter(department=source)
    if Address.objects.filter(department=target, is_default=True).exists():
        moved.filter(is_default=True).update(is_default=False)
    return int(moved.update(department=target, updated_at=now))


def _disable(department: Department) -> None:
    department.is_active = False
    department.save(update_fields=["is_active", "updated_at"])
