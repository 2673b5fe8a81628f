"""The tree of departments for the subtotals of the department report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.org.enums import DataScope
from apps.org.models import Department

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class DepartmentTree:
    """The parents and positions of the group's departments. `root` is the topmost department that
    the actor sees: 0 for all, None if the actor sees only own orders.
    """

    parents: dict[int, int | None]
    positions: dict[int, int]
    root: int | None

    def ancestors(self, department_id: int | None) -> list[int]:
        """Return the departments above one that the actor sees, the nearest first."""
        if self.root is None or department_id is None or department_id == self.root:
            return []
        found: list[int] = []
        above = self.parents.get(department_id)
        while above is not None and above not in found:
            found.append(above)
            if above == self.root:
                return found
            above = self.parents.get(above)
        return found if self.root == 0 else []

    def place(self, department_id: int | None) -> list[tuple[int, int]]:
        """Return the sort key of a department: the positions from the top down to it."""
        if department_id is None:
            return []
        path = [*reversed(self.ancestors(department_id)), department_id]
        return [(self.positions.get(pk, 0), pk) for pk in path]


def get_department_tree(*, actor: Account, menu: str) -> DepartmentTree:
    """Return the tree as the actor sees it in a report. One query."""
    scope = actor.data_scope_of(menu)
    root: int | None = 0
    if scope == DataScope.DEPARTMENT:
        root = actor.department_id
    elif scope not in (DataScope.GROUP, DataScope.ENTERPRISE):
        root = None
    rows = list(Department.objects.order_by().values_list("pk", "parent_id", "position"))
    return DepartmentTree(
        parents={pk: parent for pk, parent, _ in rows},
        positions={pk: position for pk, _, position in rows},
        root=root,
    )
