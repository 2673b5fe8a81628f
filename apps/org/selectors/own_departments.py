"""The departments whose head or place decides who approves an account's own orders.

A head approves and owns budgets. So a manager of departments who is not a group admin may not
choose the heads above himself, and may not make himself a head.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from apps.org.models import Account, Department

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class OwnDepartments:
    """`containing`: ids of the account's department and those above it. `headed`: ids of the
    departments whose head the account is. Both are empty for a group admin.
    """

    containing: frozenset[int]
    headed: frozenset[int]


def get_own_departments(
    *,
    account: Account,
    parents: Mapping[int, int | None],
    department_id: int | None,
    headed: frozenset[int],
) -> OwnDepartments:
    """Return the own departments from rows that the caller has already read."""
    if account.is_group_admin:
        return OwnDepartments(frozenset(), frozenset())
    return OwnDepartments(frozenset(list_path(parents, department_id)), headed)


def read_own_departments(*, account: Account) -> OwnDepartments:
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


def read_parents(enterprise_id: int | None) -> dict[int, int | None]:
    """Return {department id: parent id} of the enterprise. One query."""
    rows = Department.objects.filter(enterprise_id=enterprise_id).order_by()
    return dict(rows.values_list("pk", "parent_id"))


def list_path(parents: Mapping[Key, Key | None], start: Key | None) -> list[Key]:
    """Return the department and those above it, as far as `parents` names them."""
    path: list[Key] = []
    current = start
    while current is not None and current in parents and current not in path:
        path.append(current)
        current = parents[current]
    return path
