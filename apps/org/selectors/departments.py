"""Departments: those of the actor's data scope, those to order for, those of 部门管理 (disabled
ones included), and the chain above an account's department.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from apps.common.compiled_queries import CompiledQuery, key_parameter
from apps.common.numbers import parse_key
from apps.org.enums import DataScope
from apps.org.errors import DepartmentNotFound
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, Enterprise
from apps.org.selectors.accounts import build_person_condition
from apps.org.selectors.data_scope import list_department_subtree_ids, scope_filter

Key = TypeVar("Key")
MAX_HEADS = 20


def list_departments_in_scope(actor: Account) -> QuerySet[Department]:
    """Return the departments of the actor's data scope in 部门管理, disabled ones included. With
    the narrowest scope, return the actor's own department.
    """
    is_in_scope = Q(pk__in=[actor.department_id])
    rows: QuerySet[Department] = Department.objects.filter(
        is_in_scope
        | scope_filter(
            actor=actor,
            menu=MenuCode.MANAGEMENT_DEPARTMENT,
            account="head",
            department="pk",
            enterprise="enterprise",
        )
    )
    return rows


def list_managed_departments(*, actor: Account) -> QuerySet[Department]:
    """Return the departments of the actor's data scope with head, enterprise and
    `account_count` (enabled accounts). Siblings are in order.
    """
    own_departments = (
        Account.objects.filter(department=OuterRef("pk"), is_active=True)
        .order_by()
        .values("department")
    )
    count = Coalesce(Subquery(own_departments.annotate(number=Count("pk")).values("number")), 0)
    rows = (
        list_departments_in_scope(actor)
        .select_related("head", "enterprise")
        .annotate(account_count=count)
    )
    return rows.order_by("enterprise__code", "position", "pk")


def get_department(*, actor: Account, pk: str | int | None) -> Department:
    """Return one department of the actor's data scope.

    Raises:
        DepartmentNotFound: the actor cannot see a department with this id.
    """
    row = list_managed_departments(actor=actor).filter(pk=parse_key(pk)).first()
    if row is None:
        raise DepartmentNotFound
    return row


def list_visible_departments(*, actor: Account) -> QuerySet[Department]:
    """Return the enabled departments that the actor may see, with their heads: all, the
    enterprise's, the subtree, or the actor's own.
    """
    rows: QuerySet[Department] = Department.objects.filter(is_active=True)
    return (
        rows.filter(_build_scope_condition(actor))
        .select_related("head", "enterprise")
        .order_by("enterprise__code", "position", "pk")
    )


def _build_scope_condition(actor: Account) -> Q:
    """Return the condition on departments in the actor's data scope."""
    match actor.data_scope:
        case DataScope.GROUP:
            return Q()
        case DataScope.ENTERPRISE:
            return Q(enterprise=actor.enterprise_id)
        case DataScope.DEPARTMENT if actor.department_id:
            return Q(pk__in=list_department_subtree_ids(department_id=actor.department_id))
    return Q(pk=actor.department_id)


def list_orderable_departments(*, actor: Account) -> QuerySet[Department]:
    """Return the enabled departments that the actor may order for: the actor's own, and those
    in the actor's data scope of orders within the enterprise.
    """
    rows: QuerySet[Department] = Department.objects.filter(
        enterprise_id=actor.enterprise_id, is_active=True
    )
    is_orderable = Q(pk=actor.department_id)
    match actor.get_data_scope(MenuCode.ORDER_LIST):
        case DataScope.GROUP | DataScope.ENTERPRISE:
            return rows
        case DataScope.DEPARTMENT:
            return rows.filter(is_orderable | Q(pk__in=list_department_ids_below(account=actor)))
    return rows.filter(is_orderable)


def can_manage_departments(actor: Account) -> bool:
    """Whether the actor may change departments. The narrowest scope can only read."""
    return _get_scope(actor) != DataScope.OWN


def can_manage_top_level(actor: Account, enterprise_id: int) -> bool:
    """Whether the actor may create or move departments at the top level of this enterprise."""
    scope = _get_scope(actor)
    return scope == DataScope.GROUP or (
        scope == DataScope.ENTERPRISE and enterprise_id == actor.enterprise_id
    )


def list_department_enterprises(*, actor: Account) -> QuerySet[Enterprise]:
    """Return the enabled enterprises whose trees the actor manages: all in the group scope,
    otherwise the actor's own.
    """
    rows: QuerySet[Enterprise] = Enterprise.objects.filter(is_active=True).order_by("code")
    return (
        rows if _get_scope(actor) == DataScope.GROUP else rows.filter(pk__in=[actor.enterprise_id])
    )


def list_head_candidates(*, actor: Account, keyword: str) -> list[Account]:
    """Return the first 20 enabled people whom the actor may appoint head of a department: from the
    group in the group scope, otherwise from the actor's enterprise. Only a group admin may appoint
    himself.
    """
    rows: QuerySet[Account] = Account.objects.filter(is_active=True)
    if not actor.is_group_admin:
        rows = rows.exclude(pk=actor.pk)
    if _get_scope(actor) != DataScope.GROUP:
        rows = rows.filter(enterprise_id__in=[actor.enterprise_id])
    for word in keyword.split()[:3]:
        rows = rows.filter(build_person_condition(word) | Q(mobile__startswith=word))
    return list(rows.select_related("department").order_by("nickname", "pk")[:MAX_HEADS])


def _get_scope(actor: Account) -> DataScope:
    return actor.get_data_scope(MenuCode.MANAGEMENT_DEPARTMENT)


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One department of the chain and its head."""

    pk: int
    head_id: int | None


def get_department_chain(*, account: Account) -> list[ChainLink]:
    """Return the account's department first, then each department above it. Empty without a
    department.

    The result is cached on the account (one query), because checkout reads it for budgets and for
    approval in one request.
    """
    cached: list[ChainLink] | None = account.__dict__.get("_department_chain")
    if cached is None:
        ids = list_department_ids_above(account=account)
        cached = account.__dict__["_department_chain"] = [
            ChainLink(pk, _get_parents_and_heads(account)[pk][1]) for pk in ids
        ]
    return cached


def list_department_ids_above(*, account: Account, department_id: int | None = None) -> list[int]:
    """Return the id of the account's department, or of another one of its enterprise, first, then
    the ids of the departments above it. Empty without a department. Uses the cached rows of the
    chain.
    """
    current = account.department_id if department_id is None else department_id
    places = _get_parents_and_heads(account) if current is not None else {}
    ids: list[int] = []
    while current is not None and current in places and current not in ids:
        ids.append(current)
        current = places[current][0]
    return ids


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


def list_department_ids_below(*, account: Account) -> list[int]:
    """Return the ids of the account's department and all departments below it. Uses the cached
    rows of the chain.
    """
    if account.department_id is None:
        return []
    under: dict[int | None, list[int]] = {}
    for pk, (parent_id, _head_id) in _get_parents_and_heads(account).items():
        under.setdefault(parent_id, []).append(pk)
    ids = [account.department_id]
    for pk in ids:  # grows while it is read
        ids += under.pop(pk, ())
    return ids


DEPARTMENT_PLACES = CompiledQuery(
    lambda: (
        Department.objects.filter(enterprise_id=key_parameter("enterprise"))
        .order_by()
        .values_list("pk", "parent_id", "head_id")
    )
)


def _get_parents_and_heads(account: Account) -> dict[int, tuple[int | None, int | None]]:
    """Return {department pk: (parent pk, head pk)} in the account's enterprise. Cached on the
    account.
    """
    cached: dict[int, tuple[int | None, int | None]] | None = account.__dict__.get(
        "_department_places"
    )
    if cached is None:
        rows = DEPARTMENT_PLACES.fetch(enterprise=account.enterprise_id or 0)
        cached = account.__dict__["_department_places"] = {
            pk: (parent_id, head_id) for pk, parent_id, head_id in rows
        }
    return cached
