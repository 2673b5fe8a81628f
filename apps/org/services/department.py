"""Create, change and delete departments (部门管理)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from apps.common.errors import Forbidden, ValidationFailed, WrongState
from apps.common.keys import key_of
from apps.common.stale import refuse_stale
from apps.org.enums import ChangeAction
from apps.org.models import Account, Department
from apps.org.selectors.departments import (
    can_manage_departments,
    can_manage_top_level,
    get_department,
    list_department_enterprises,
)
from apps.org.services.department_tree import (
    cleaned,
    keep,
    lock_tree,
    parent_of,
    record,
    refuse_same_name,
    told,
)


@transaction.atomic
def department_create(*, actor: Account, fields: dict[str, Any]) -> Department:
    """Return the new department, the last of its siblings. `enterprise_id` is used only without
    `parent_id`.

    Raises:
        Forbidden: the parent is outside the departments that the actor may manage.
        ValidationFailed: a field is wrong, or a sibling has the same name.
    """
    enterprise_id, parent_id = _place(
        actor, fields.pop("enterprise_id", None), fields.pop("parent_id", None)
    )
    lock_tree(enterprise_id)
    parent = parent_of(actor=actor, enterprise_id=enterprise_id, pk=parent_id)
    department = Department(group=actor.group, enterprise_id=enterprise_id, parent=parent)
    siblings = Department.objects.filter(enterprise_id=enterprise_id, parent=parent)
    department.position = (siblings.aggregate(last=Max("position"))["last"] or 0) + 1
    return _written(actor, department, fields, ChangeAction.CREATE)


@transaction.atomic
def department_update(
    *, actor: Account, pk: str, changes: dict[str, Any], seen_at: datetime | None = None
) -> Department:
    """Return the changed department. Use department_move to change its position.

    Raises:
        DepartmentNotFound, Forbidden: the actor cannot see or change the department.
        Stale: another user changed the department after `seen_at`.
        ValidationFailed: a field is wrong, or a sibling has the same name.
        WrongState: the department cannot be enabled under a disabled parent. Use
            department_disable to disable it.
    """
    department = keep(actor=actor, pk=pk)
    refuse_stale(department, seen_at=seen_at)
    action = ChangeAction.UPDATE
    if changes.get("is_active") is True and not department.is_active:
        if department.parent is not None and not department.parent.is_active:
            raise WrongState(f"上级部门“{department.parent.name}”已停用，请先启用上级部门")
        action = ChangeAction.ENABLE
    elif changes.get("is_active") is False:
        raise WrongState("停用部门请使用“停用”，并说明成员交给哪个部门")
    return _written(actor, department, changes, action)


@transaction.atomic
def department_delete(*, actor: Account, pk: str) -> None:
    """Delete a department that no row has ever referred to.

    Raises:
        DepartmentNotFound, Forbidden: as department_update.
        WrongState: other rows refer to the department. It can only be disabled or merged.
    """
    department = keep(actor=actor, pk=pk)
    for relation in Department._meta.related_objects:
        if relation.related_model._base_manager.filter(
            **{relation.field.name: department.pk}
        ).exists():
            raise WrongState("该部门已有下级、成员或业务数据，不能删除，可以停用或合并到其他部门")
    before, key = told(department), department.pk
    department.delete()
    department.pk = key
    record(actor, department, ChangeAction.DELETE, before, {})


def _place(
    actor: Account, enterprise_id: str | None, parent_id: str | None
) -> tuple[int, str | None]:
    if not can_manage_departments(actor):
        raise Forbidden("您的数据范围仅本人，不能维护部门，请联系贵司管理员")
    if parent_id is not None:
        return get_department(actor=actor, pk=parent_id).enterprise_id, parent_id
    found = next(
        (
            row.pk
            for row in list_department_enterprises(actor=actor)
            if str(row.pk) == (enterprise_id or str(actor.enterprise_id))
        ),
        None,
    )
    if found is None:
        raise ValidationFailed({"EnterpriseId": ["请选择企业"]})
    if not can_manage_top_level(actor, found):
        raise ValidationFailed({"ParentId": ["请选择上级部门"]})
    return found, None


def _written(
    actor: Account, department: Department, fields: dict[str, Any], action: ChangeAction
) -> Department:
    before = told(department) if department.pk else {}
    if "head_id" in fields:
        department.head = _head(department, fields.pop("head_id"))
    for name, value in fields.items():
        setattr(department, name, value)
    cleaned(department)
    if action != ChangeAction.UPDATE or department.name != before["name"]:
        refuse_same_name(department)
    department.save()
    record(actor, department, action, before, told(department))
    return get_department(actor=actor, pk=department.pk)


def _head(department: Department, pk: str | None) -> Account | None:
    """Return the new head. It must be an enabled account of the group. The present head may
    stay.
    """
    if pk is None or pk == str(department.head_id):
        return department.head if pk else None
    row: Account | None = Account.objects.filter(pk=key_of(pk), is_active=True).first()
    if row is None:
        raise ValidationFailed({"HeadId": ["负责人不存在或已停用，请重新选择"]})
    return row
