"""The values that the filters of a report offer, within the actor's data scope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet

from apps.budgets.models import Budget
from apps.catalog.models import Brand, Category
from apps.org.enums import DataScope
from apps.org.models import Account, Department, Enterprise
from apps.org.selectors.data_scope import department_subtree_ids, scope_filter
from apps.reports.selectors.question import MENU_OF

if TYPE_CHECKING:
    from collections.abc import Collection

MAX_CHOICES = 1000


@dataclass(frozen=True, slots=True)
class Choices:
    """The values of each filter. Departments and categories form trees by their parents."""

    scope: DataScope
    enterprises: list[Enterprise]
    departments: list[Department]
    categories: list[Category]
    requesters: list[Account]
    budgets: list[Budget]
    brands: list[Brand]


def get_choices(*, actor: Account, report: str) -> Choices:
    """Return the filter values of a report. They include disabled people and departments,
    because past orders refer to them. At most 1,000 people and 1,000 budgets.
    """
    scope = actor.data_scope_of(MENU_OF[report])
    subtree_ids = (
        department_subtree_ids(department_id=actor.department_id or 0)
        if scope == DataScope.DEPARTMENT
        else []
    )
    people = scope_filter(actor=actor, menu=MENU_OF[report], account="pk", subtree_ids=subtree_ids)
    return Choices(
        scope=scope,
        enterprises=list(_enterprises(scope, actor)),
        departments=list(_departments(scope, actor, subtree_ids)),
        categories=list(Category.objects.order_by("level", "position", "pk")),
        requesters=list(Account.objects.filter(people).order_by("nickname", "pk")[:MAX_CHOICES]),
        budgets=list(_budgets(scope, actor, subtree_ids)[:MAX_CHOICES]),
        brands=list(Brand.objects.order_by("name", "pk").only("name")[:MAX_CHOICES]),
    )


def _enterprises(scope: DataScope, actor: Account) -> QuerySet[Enterprise]:
    rows: QuerySet[Enterprise] = Enterprise.objects.order_by("code")
    return rows if scope == DataScope.GROUP else rows.filter(pk__in=[actor.enterprise_id])


def _departments(
    scope: DataScope, actor: Account, subtree_ids: Collection[int]
) -> QuerySet[Department]:
    rows: QuerySet[Department] = Department.objects.order_by("position", "pk")
    match scope:
        case DataScope.GROUP:
            return rows
        case DataScope.ENTERPRISE:
            return rows.filter(enterprise=actor.enterprise_id)
        case DataScope.DEPARTMENT:
            return rows.filter(pk__in=subtree_ids)
    return rows.filter(pk__in=[actor.department_id])


def _budgets(scope: DataScope, actor: Account, subtree_ids: Collection[int]) -> QuerySet[Budget]:
    rows: QuerySet[Budget] = Budget.objects.order_by("-period_from", "name", "pk")
    if scope == DataScope.GROUP:
        return rows
    rows = rows.filter(enterprise=actor.enterprise_id)
    if scope == DataScope.ENTERPRISE:
        return rows
    places = list(subtree_ids) if scope == DataScope.DEPARTMENT else [actor.department_id]
    return rows.filter(
        Q(account=actor)
        | Q(department__in=places)
        | Q(department__isnull=True, account__isnull=True)
    )
