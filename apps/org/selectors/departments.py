"""Departments for 部门管理: the whole tree in one answer, disabled departments included."""

from __future__ import annotations

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from apps.common.keys import key_of
from apps.org.enums import DataScope
from apps.org.errors import DepartmentNotFound
from apps.org.menus import MenuCode
from apps.org.models import Account, Department, Enterprise
from apps.org.selectors.changes import departments_seen

MOST_PEOPLE = 20


def departments_managed(*, actor: Account) -> QuerySet[Department]:
    """Return the departments of the actor's data scope with head, enterprise and
    `account_count` (enabled accounts). Siblings are in order.
    """
    own = (
        Account.objects.filter(department=OuterRef("pk"), is_active=True)
        .order_by()
        .values("department")
    )
    count = Coalesce(Subquery(own.annotate(number=Count("pk")).values("number")), 0)
    rows = (
        departments_seen(actor).select_related("head", "enterprise").annotate(account_count=count)
    )
    return rows.order_by("enterprise__code", "position", "pk")


def department_get(*, actor: Account, pk: str | int | None) -> Department:
    """Return one department of the actor's data scope.

    Raises:
        DepartmentNotFound: the actor cannot see a department with this id.
    """
    row = departments_managed(actor=actor).filter(pk=key_of(pk)).first()
    if row is None:
        raise DepartmentNotFound
    return row


def holds_any(department: Department) -> bool:
    """Whether the department has enabled accounts or sub-departments."""
    return any(
        rows.filter(is_active=True).exists() for rows in (department.accounts, department.children)
    )


def enterprises_of_departments(*, actor: Account) -> QuerySet[Enterprise]:
    """Return the enabled enterprises whose trees the actor manages: all in the group scope,
    otherwise the actor's own.
    """
    rows: QuerySet[Enterprise] = Enterprise.objects.filter(is_active=True).order_by("code")
    return rows if _scope(actor) == DataScope.GROUP else rows.filter(pk__in=[actor.enterprise_id])


def may_keep_roots(actor: Account, enterprise_id: int) -> bool:
    """Whether the actor may create or move departments at the top level of this enterprise."""
    scope = _scope(actor)
    return scope == DataScope.GROUP or (
        scope == DataScope.ENTERPRISE and enterprise_id == actor.enterprise_id
    )


def may_keep(actor: Account) -> bool:
    """Whether the actor may change departments. The narrowest scope can only read."""
    return _scope(actor) != DataScope.OWN


def heads_to_choose(*, actor: Account, keyword: str) -> list[Account]:
    """Return the first 20 enabled people who may be head of a department: from the group in the
    group scope, otherwise from the actor's enterprise.
    """
    rows: QuerySet[Account] = Account.objects.filter(is_active=True)
    if _scope(actor) != DataScope.GROUP:
        rows = rows.filter(enterprise_id__in=[actor.enterprise_id])
    for word in keyword.split()[:3]:
        rows = rows.filter(
            Q(nickname__icontains=word)
            | Q(full_name__icontains=word)
            | Q(username__icontains=word)
            | Q(mobile__startswith=word)
        )
    return list(rows.select_related("department").order_by("nickname", "pk")[:MOST_PEOPLE])


def _scope(actor: Account) -> DataScope:
    return actor.data_scope_of(MenuCode.MANAGEMENT_DEPARTMENT)
