"""The departments whose head or place decides who approves an account's own orders.

A head approves and owns budgets. So a manager of departments who is not a group admin may not
choose the heads above himself, and may not make himself a head.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from apps.common.errors import ValidationFailed
from apps.org.errors import (
    ActorInsideDepartment,
    HeadIsActor,
    HeadOfOwnDepartment,
    TargetContainsActor,
    TargetHeadedByActor,
)
from apps.org.models import Account, Department
from apps.org.selectors.departments import list_path, read_parents

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class OwnDepartments(Generic[Key]):
    """`containing`: the account's department and those above it. `headed`: the departments whose
    head the account is. Both are empty for a group admin. A key is an id, or in a sheet a code.
    """

    containing: frozenset[Key]
    headed: frozenset[Key]

    def find_move_refusal(
        self,
        department: Key,
        *,
        target: Key | None,
        present_parents: Mapping[Key, Key | None],
        new_parents: Mapping[Key, Key | None],
        field: str,
    ) -> ValidationFailed | None:
        """Return the error that refuses a move of the department below the target (None: the top
        level) or a merge into it. None if the account may do it. The parents are those of all
        departments before and after; empty ones are enough if the account heads none. `field` is
        the wire key of the target.
        """
        if department in self.containing:
            return ActorInsideDepartment(field)
        if target in self.containing:
            return TargetContainsActor(field)
        present_path = list_path(present_parents, department)
        new_path = list_path(new_parents, target)
        if self.headed.intersection(new_path).difference(present_path):
            return TargetHeadedByActor(field)
        return None

    def find_head_refusal(
        self, department: Key, *, actor: Account, head_id: int | None
    ) -> ValidationFailed | None:
        """Return the error that refuses the new head (None: no head) of the department, or None.
        `actor` has these own departments. A group admin may choose any head.
        """
        if actor.is_group_admin:
            return None
        if department in self.containing:
            return HeadOfOwnDepartment()
        return HeadIsActor() if head_id == actor.pk else None


def get_own_departments(
    *,
    account: Account,
    parents: Mapping[int, int | None],
    department_id: int | None,
    headed: frozenset[int],
) -> OwnDepartments[int]:
    """Return the own departments from rows that the caller has already read."""
    if account.is_group_admin:
        return OwnDepartments(frozenset(), frozenset())
    return OwnDepartments(frozenset(list_path(parents, department_id)), headed)


def read_own_departments(*, account: Account) -> OwnDepartments[int]:
    """Return the account's own departments, read again under the caller's lock. At most three
    queries.
    """
    if account.is_group_admin:
        return OwnDepartments(frozenset(), frozenset())
    place = Account.objects.filter(pk=account.pk).values_list("department_id", "enterprise_id")
    department_id, enterprise_id = place.first() or (None, None)
    headed = Department.objects.filter(head_id=account.pk).values_list("pk", flat=True)
    return get_own_departments(
        account=account,
        parents=read_parents(enterprise_id),
        department_id=department_id,
        headed=frozenset(headed),
    )
