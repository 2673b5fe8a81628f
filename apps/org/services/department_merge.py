"""Merge a department into another, or disable it. A department that is not empty needs a target
for its content.

An app registers its data that belongs to a department in AppConfig.ready, so that a merge moves it:
`holder_register(Holder("预算", count_open_budgets, budgets_move_department))`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from apps.org.enums import ChangeAction
from apps.org.errors import DepartmentNotEmpty, MergedIntoItself, SubdepartmentNameTaken
from apps.org.locks import lock_group, lock_members
from apps.org.models import Account, Address, Department
from apps.org.selectors.departments import get_department
from apps.org.services.department import (
    department_change_record,
    department_lock,
    get_department_values,
    get_new_parent,
    get_subtree_ids,
    refuse_own_move,
)


@dataclass(frozen=True, slots=True)
class Holder:
    """Data of an app that belongs to a department. `count_rows` counts the active rows of a
    department. `move_rows(actor, source, target)` moves all rows to another department.

    `move_rows` runs in the caller's transaction, under the group's lock. Code that attaches data to
    a department must take the same lock first.
    """

    name: str
    count_rows: Callable[[Department], int]
    move_rows: Callable[[Account, Department, Department], int]


HOLDERS: dict[str, Holder] = {}


def holder_register(holder: Holder) -> None:
    """Register data that merging and disabling a department must consider."""
    HOLDERS[holder.name] = holder


@transaction.atomic
def department_merge(*, actor: Account, pk: str, target_id: str) -> Department:
    """Move accounts, sub-departments, addresses, budgets and rules of the department to the
    target, disable the department, and return the target.

    Existing orders, inquiries and approvals still show the department in which they were created.

    Raises:
        DepartmentNotFound, Forbidden: the actor cannot see or change the department.
        ValidationFailed: the target is the department itself, is below it, belongs to another
            enterprise, is disabled, or has a sub-department of the same name, or the actor must
            not make this merge himself (`refuse_own_move`).
    """
    # No other transaction can add accounts or data to the department meanwhile.
    lock_group(actor.group_id)
    # A submit locks its account and then the enterprise, so the members come before the tree.
    lock_members(get_department(actor=actor, pk=pk).pk)
    source = department_lock(actor=actor, pk=pk)
    target = get_new_parent(
        actor=actor, enterprise_id=source.enterprise_id, pk=target_id, key="TargetId"
    )
    if target is None or target.pk in get_subtree_ids(source):
        raise MergedIntoItself
    refuse_own_move(actor, source, target=target, key="TargetId")
    _refuse_same_names(source, target)
    before, now = get_department_values(source), timezone.now()
    moved_counts = {
        "成员": Account.objects.filter(department=source).update(department=target, updated_at=now),
        "下级部门": Department.objects.filter(parent=source).update(parent=target, updated_at=now),
        "地址": _move_addresses(source, target, now),
        **{holder.name: holder.move_rows(actor, source, target) for holder in HOLDERS.values()},
    }
    _disable(source)
    numbers = "、".join(f"{name} {number}" for name, number in moved_counts.items() if number)
    note = numbers or "无成员与数据"
    after = get_department_values(source)
    merged, received = f"并入“{target.name}”：{note}", f"接收“{source.name}”：{note}"
    department_change_record(actor, source, ChangeAction.MERGE, before, after, note=merged)
    department_change_record(actor, target, ChangeAction.MERGE, {}, {}, note=received)
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
    department = department_lock(actor=actor, pk=pk)
    references = {
        "成员": Account.objects.filter(department=department, is_active=True).count(),
        "下级部门": Department.objects.filter(parent=department, is_active=True).count(),
        **{holder.name: holder.count_rows(department) for holder in HOLDERS.values()},
    }
    if any(references.values()):
        raise DepartmentNotEmpty(references)
    before = get_department_values(department)
    _disable(department)
    department_change_record(
        actor, department, ChangeAction.DISABLE, before, get_department_values(department)
    )
    return get_department(actor=actor, pk=pk)


def _refuse_same_names(source: Department, target: Department) -> None:
    """Raise an error if both departments have an active child of the same name."""
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
        raise SubdepartmentNameTaken(both.name)


def _move_addresses(source: Department, target: Department, now: datetime) -> int:
    """Move the addresses and return their number. The target's default address stays the only
    default.
    """
    moved_addresses = Address.objects.filter(department=source)
    if Address.objects.filter(department=target, is_default=True).exists():
        moved_addresses.filter(is_default=True).update(is_default=False)
    return int(moved_addresses.update(department=target, updated_at=now))


def _disable(department: Department) -> None:
    department.is_active = False
    department.save(update_fields=["is_active", "updated_at"])
