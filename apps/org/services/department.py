"""Create, change, move and delete departments (部门管理), and the parts that all writes to a
department tree share: the enterprise's lock, the checks, and the history.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max

from apps.common.errors import ValidationFailed, refuse_stale
from apps.common.numbers import parse_key
from apps.org.enums import ChangeAction
from apps.org.errors import (
    DepartmentCodeTaken,
    DepartmentInUse,
    DepartmentNameTaken,
    DepartmentNotFound,
    DepartmentsReadOnly,
    DisabledByUpdate,
    EnterpriseMissing,
    HeadUnavailable,
    MovedBelowItself,
    ParentDisabled,
    ParentInactive,
    ParentMissing,
    ParentOfOtherEnterprise,
    ParentUnavailable,
    TopLevelBeyondScope,
    TopLevelUnmovable,
)
from apps.org.locks import lock_enterprises
from apps.org.models import Account, Department
from apps.org.selectors.departments import (
    can_manage_departments,
    can_manage_top_level,
    get_department,
    list_department_enterprises,
    read_parents,
)
from apps.org.selectors.own_departments import read_own_departments
from apps.org.services.changes import change_record

# Model field → API field, so that messages appear at the right field.
API_NAMES = {
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


@transaction.atomic
def department_create(*, actor: Account, fields: dict[str, Any]) -> Department:
    """Return the new department, the last of its siblings. `enterprise_id` is used only without
    `parent_id`. `fields` are the values by model field, with `enterprise_id` or `parent_id`.

    Raises:
        Forbidden: the parent is outside the departments that the actor may manage.
        ValidationFailed: a field is wrong, or a sibling has the same name.
    """
    enterprise_id, parent_id = _get_enterprise_and_parent(
        actor, fields.pop("enterprise_id", None), fields.pop("parent_id", None)
    )
    lock_enterprises(enterprise_id)
    parent = get_new_parent(actor=actor, enterprise_id=enterprise_id, pk=parent_id)
    department = Department(group=actor.group, enterprise_id=enterprise_id, parent=parent)
    siblings = Department.objects.filter(enterprise_id=enterprise_id, parent=parent)
    department.position = (siblings.aggregate(last=Max("position"))["last"] or 0) + 1
    return _save_department(actor, department, fields, ChangeAction.CREATE)


@transaction.atomic
def department_update(
    *, actor: Account, pk: str, changes: dict[str, Any], seen_at: datetime | None = None
) -> Department:
    """Return the changed department. Use department_move to change its position. `changes` are the
    new values by model field.

    Raises:
        DepartmentNotFound, Forbidden: the actor cannot see or change the department.
        Stale: another user changed the department after `seen_at`.
        ValidationFailed: a field is wrong, or a sibling has the same name.
        WrongState: the department cannot be enabled under a disabled parent. Use
            department_disable to disable it.
        HeadOfOwnDepartment, HeadIsActor: the actor must not change the head himself.
    """
    department = department_lock(actor=actor, pk=pk)
    refuse_stale(department, seen_at=seen_at)
    action = ChangeAction.UPDATE
    if changes.get("is_active") is True and not department.is_active:
        if department.parent is not None and not department.parent.is_active:
            raise ParentDisabled(department.parent.name)
        action = ChangeAction.ENABLE
    elif changes.get("is_active") is False:
        raise DisabledByUpdate
    return _save_department(actor, department, changes, action)


@transaction.atomic
def department_delete(*, actor: Account, pk: str) -> None:
    """Delete a department that no row has ever referred to.

    Raises:
        DepartmentNotFound, Forbidden: as department_update.
        WrongState: other rows refer to the department. It can only be disabled or merged.
    """
    department = department_lock(actor=actor, pk=pk)
    for relation in Department._meta.related_objects:
        if relation.related_model._base_manager.filter(
            **{relation.field.name: department.pk}
        ).exists():
            raise DepartmentInUse
    before, key = get_department_values(department), department.pk
    department.delete()
    department.pk = key
    department_change_record(actor, department, ChangeAction.DELETE, before, {})


@transaction.atomic
def department_move(
    *, actor: Account, pk: str, parent_id: str | None, before_id: str | None = None
) -> Department:
    """Return the moved department: under the new parent (None: top level), before the given
    sibling, or last.

    Raises:
        DepartmentNotFound, Forbidden: the actor cannot see or change the department, or may not
            move it to the top level.
        ValidationFailed: the new parent is below the department, belongs to another enterprise, is
            disabled, or has a sub-department of the same name, or the actor must not make this move
            himself (`refuse_own_move`).
    """
    department = department_lock(actor=actor, pk=pk)
    before, old_parent_id = get_department_values(department), department.parent_id
    if (
        department.parent_id is None
        and parent_id is not None
        and not can_manage_top_level(actor, department.enterprise_id)
    ):
        raise TopLevelUnmovable
    if str(department.parent_id) != str(parent_id):
        department.parent = get_new_parent(
            actor=actor,
            enterprise_id=department.enterprise_id,
            pk=parent_id,
            current_id=department.parent_id,
        )
    if department.parent is not None and department.parent.pk in get_subtree_ids(department):
        raise MovedBelowItself
    if department.parent_id != old_parent_id:
        refuse_own_move(actor, department, target=department.parent, key="ParentId")
        refuse_same_name(department, key="ParentId")
    department.save(update_fields=["parent", "updated_at"])
    _move_among_siblings(department, before_id)
    after = get_department_values(department)
    note = "调整顺序" if before["parent"] == after["parent"] else ""
    department_change_record(actor, department, ChangeAction.MOVE, before, after, note=note)
    return get_department(actor=actor, pk=department.pk)


def _get_enterprise_and_parent(
    actor: Account, enterprise_id: str | None, parent_id: str | None
) -> tuple[int, str | None]:
    """Return (enterprise pk, parent pk) for a new department. The parent is None at the top
    level.

    Raises:
        DepartmentsReadOnly: the actor manages no departments.
        EnterpriseMissing: the enterprise is unknown or out of reach.
        ParentMissing: the actor may not add a department at the top level.
    """
    if not can_manage_departments(actor):
        raise DepartmentsReadOnly
    if parent_id is not None:
        return get_department(actor=actor, pk=parent_id).enterprise_id, parent_id
    enterprises = {str(row.pk): row.pk for row in list_department_enterprises(actor=actor)}
    pk = enterprises.get(enterprise_id or str(actor.enterprise_id))
    if pk is None:
        raise EnterpriseMissing
    if not can_manage_top_level(actor, pk):
        raise ParentMissing
    return pk, None


def _save_department(
    actor: Account, department: Department, fields: dict[str, Any], action: ChangeAction
) -> Department:
    """Set the fields, check and save the department, and write its history."""
    before = get_department_values(department) if department.pk else {}
    if "head_id" in fields:
        head = _get_head(department, fields.pop("head_id"))
        refuse_own_head(actor, department, head_id=head.pk if head else None)
        department.head = head
    for name, value in fields.items():
        setattr(department, name, value)
    department_clean(department)
    if action != ChangeAction.UPDATE or department.name != before["name"]:
        refuse_same_name(department)
    department.save()
    department_change_record(actor, department, action, before, get_department_values(department))
    return get_department(actor=actor, pk=department.pk)


def _get_head(department: Department, pk: str | None) -> Account | None:
    """Return the new head. It must be an enabled account of the group. The present head may
    stay.

    Raises:
        HeadUnavailable: the account is missing, disabled or of another group.
    """
    if pk is None or pk == str(department.head_id):
        return department.head if pk else None
    row: Account | None = Account.objects.filter(pk=parse_key(pk), is_active=True).first()
    if row is None:
        raise HeadUnavailable
    return row


def _move_among_siblings(department: Department, before_id: str | None) -> None:
    """Put the department before the sibling `before_id`, or last if there is none."""
    siblings = Department.objects.filter(
        enterprise_id=department.enterprise_id, parent_id=department.parent_id
    )
    rows = [row for row in siblings.order_by("position", "pk") if row.pk != department.pk]
    at = next((index for index, row in enumerate(rows) if str(row.pk) == before_id), len(rows))
    rows.insert(at, department)
    for position, row in enumerate(rows, start=1):
        row.position = position
    Department.objects.bulk_update(rows, ["position"])


def department_lock(*, actor: Account, pk: str) -> Department:
    """Lock the enterprise's row and return the department for a change. The lock makes writes to
    one tree run one after the other.

    Raises:
        DepartmentNotFound: the actor cannot see a department with this id.
        Forbidden: the actor may only read departments.
    """
    department = get_department(actor=actor, pk=pk)
    if not can_manage_departments(actor):
        raise DepartmentsReadOnly
    lock_enterprises(department.enterprise_id)
    return get_department(actor=actor, pk=pk)


def get_new_parent(
    *,
    actor: Account,
    enterprise_id: int,
    pk: str | None,
    current_id: int | None = None,
    key: str = "ParentId",
) -> Department | None:
    """Return the parent department, or None for the top level of the enterprise.
    `current_id` is the current parent.

    Raises:
        ValidationFailed: the parent belongs to another enterprise, is disabled, or is outside the
            departments that the actor may manage.
    """
    if pk is None:
        if current_id is not None and not can_manage_top_level(actor, enterprise_id):
            raise TopLevelBeyondScope
        return None
    try:
        parent = get_department(actor=actor, pk=pk)
    except DepartmentNotFound as error:
        raise ParentUnavailable(key) from error
    if parent.enterprise_id != enterprise_id:
        raise ParentOfOtherEnterprise(key)
    if not parent.is_active:
        raise ParentInactive(key)
    return parent


def get_subtree_ids(department: Department) -> set[int]:
    """Return the ids of the department and everything below it. One query."""
    rows = (
        Department.objects.filter(enterprise_id=department.enterprise_id)
        .order_by()
        .values_list("pk", "parent_id")
    )
    children: dict[int | None, list[int]] = {}
    for pk, parent_id in rows:
        children.setdefault(parent_id, []).append(pk)
    subtree: set[int] = set()
    unvisited = [department.pk]
    while unvisited:
        pk = unvisited.pop()
        if pk not in subtree:
            subtree.add(pk)
            unvisited += children.get(pk, [])
    return subtree


def refuse_own_move(
    actor: Account, department: Department, *, target: Department | None, key: str
) -> None:
    """Check a move below the target (None: the top level) or a merge into it. Nobody but a group
    admin takes himself to other rules and budgets with his department, brings other departments to
    his own, or makes himself a head above them. The caller holds the tree's lock.

    Raises:
        ActorInsideDepartment: the actor is in the department or below it.
        TargetContainsActor: the actor is in the target or below it.
        TargetHeadedByActor: the actor is the head of the target or of a department above it that
            is not above the department now.
    """
    own = read_own_departments(account=actor)
    parents = read_parents(department.enterprise_id) if own.headed and target is not None else {}
    refusal = own.find_move_refusal(
        department.pk,
        target=target.pk if target is not None else None,
        present_parents=parents,
        new_parents=parents,
        field=key,
    )
    if refusal is not None:
        raise refusal


def refuse_own_head(actor: Account, department: Department, *, head_id: int | None) -> None:
    """Check a change of the department's head. A head approves and owns budgets, so nobody but a
    group admin chooses the heads above himself or appoints himself. The caller holds the tree's
    lock.

    Raises:
        HeadOfOwnDepartment: the actor is in the department or below it.
        HeadIsActor: the actor appoints himself.
    """
    if actor.is_group_admin or head_id == department.head_id:
        return
    own = read_own_departments(account=actor)
    refusal = own.find_head_refusal(department.pk, actor=actor, head_id=head_id)
    if refusal is not None:
        raise refusal


def department_clean(department: Department) -> None:
    """Raise ValidationFailed, with the API's field names, if the row is not valid."""
    try:
        department.clean_fields(exclude=["group", "enterprise", "parent", "head"])
    except ValidationError as error:
        raise ValidationFailed(
            {API_NAMES.get(name, name): list(texts) for name, texts in error.message_dict.items()}
        ) from error
    if (
        Department.objects.filter(enterprise_id=department.enterprise_id, code=department.code)
        .exclude(pk=department.pk)
        .exists()
    ):
        raise DepartmentCodeTaken


def refuse_same_name(department: Department, *, key: str = "Name") -> None:
    """Raise ValidationFailed if an enabled sibling has the same name. The caller holds the
    tree's lock.
    """
    siblings = Department.objects.filter(
        enterprise_id=department.enterprise_id, parent_id=department.parent_id, is_active=True
    )
    if siblings.filter(name=department.name).exclude(pk=department.pk).exists():
        parent = department.parent.name if department.parent else None
        raise DepartmentNameTaken(field=key, name=department.name, parent=parent)


def get_department_values(department: Department) -> dict[str, Any]:
    """Return the values as the history shows them."""
    return {
        "name": department.name,
        "code": department.code,
        "parent": department.parent.name if department.parent else TOP,
        "head": department.head.nickname if department.head else "",
        "cost_center": department.cost_center,
        "is_active": department.is_active,
    }


def department_change_record(
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
