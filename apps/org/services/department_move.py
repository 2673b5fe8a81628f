"""Move a department with its subtree. Budgets, orders and approvals refer to the department
itself and do not change.
"""

from __future__ import annotations

from django.db import transaction

from apps.common.errors import Forbidden, ValidationFailed
from apps.org.enums import ChangeAction
from apps.org.models import Account, Department
from apps.org.selectors.departments import can_manage_top_level, get_department
from apps.org.services.department_tree import below, keep, parent_of, record, refuse_same_name, told


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
            disabled, or has a sub-department of the same name.
    """
    department = keep(actor=actor, pk=pk)
    was, parent_was = told(department), department.parent_id
    if (
        department.parent_id is None
        and parent_id is not None
        and not can_manage_top_level(actor, department.enterprise_id)
    ):
        raise Forbidden("您不能移动顶级部门，请联系贵司管理员")
    if str(department.parent_id) != str(parent_id):
        department.parent = parent_of(
            actor=actor,
            enterprise_id=department.enterprise_id,
            pk=parent_id,
            present=department.parent_id,
        )
    if department.parent is not None and department.parent.pk in below(department):
        raise ValidationFailed({"ParentId": ["不能移动到本部门或其下级部门"]})
    if department.parent_id != parent_was:
        refuse_same_name(department, key="ParentId")
    department.save(update_fields=["parent", "updated_at"])
    _order(department, before_id)
    record(
        actor,
        department,
        ChangeAction.MOVE,
        was,
        told(department),
        "" if was["parent"] != told(department)["parent"] else "调整顺序",
    )
    return get_department(actor=actor, pk=department.pk)


def _order(department: Department, before_id: str | None) -> None:
    siblings = Department.objects.filter(
        enterprise_id=department.enterprise_id, parent_id=department.parent_id
    )
    rows = [row for row in siblings.order_by("position", "pk") if row.pk != department.pk]
    at = next((index for index, row in enumerate(rows) if str(row.pk) == before_id), len(rows))
    rows.insert(at, department)
    for position, row in enumerate(rows, start=1):
        row.position = position
    Department.objects.bulk_update(rows, ["position"])
