"""Names of departments, people, products and other keys: those on a page, with one query for each
kind of key, and those that the filters of a report offer within the actor's data scope.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from apps.budgets.models import Budget
from apps.catalog.models import Brand, Category, Product
from apps.orders.models import Order
from apps.org.enums import DataScope
from apps.org.models import Account, Department, Enterprise
from apps.org.selectors.data_scope import list_department_subtree_ids, scope_filter
from apps.reports.enums import ReportName
from apps.reports.selectors.question import MENU_OF

NO_DEPARTMENT = "未归属部门"
# Shown for a filter key that does not exist in the group.
UNKNOWN = "（不存在）"
FREIGHT = "运费"
OTHER_BRAND, OTHER_CATEGORY = "其他品牌", "其他类目"
NO_BUDGET = "未使用预算"
SEPARATOR = " / "


def get_department_paths() -> dict[int, str]:
    """Return the path of every department of the group, such as “行政部 / 采购组”, by key."""
    rows = {
        pk: (name, parent)
        for pk, name, parent in Department.objects.order_by().values_list("pk", "name", "parent_id")
    }
    paths: dict[int, str] = {}

    def build_path(pk: int) -> str:
        """Return the names from the top department down to this one."""
        if pk not in paths:
            name, parent = rows[pk]
            paths[pk] = f"{build_path(parent)}{SEPARATOR}{name}" if parent in rows else name
        return paths[pk]

    return {pk: build_path(pk) for pk in rows}


def list_labels(
    report: str, paths: dict[int, str], keys: Sequence[tuple[int | None, ...]]
) -> list[str]:
    """Return the names of these row keys, for sorting. The product and purchaser reports need
    one query.
    """
    if report == ReportName.DEPARTMENT:
        return [paths.get(pk, "") if pk else NO_DEPARTMENT for _, pk in keys]
    keys_present = [pk for (pk,) in keys if pk is not None]
    if report == ReportName.BRAND:
        brands = get_brand_names(keys_present)
        return [FREIGHT if pk is None else brands.get(pk, OTHER_BRAND) for (pk,) in keys]
    if report == ReportName.SAVINGS:
        categories = get_category_names(keys_present)
        return [categories.get(pk or 0, OTHER_CATEGORY) if pk else FREIGHT for (pk,) in keys]
    if report == ReportName.BUDGET:
        budgets = get_budget_names(keys_present)
        return [NO_BUDGET if pk is None else budgets[pk] for (pk,) in keys]
    is_product_report = report == ReportName.PRODUCT
    rows = (
        Product.objects.values_list("pk", "name")
        if is_product_report
        else Account.objects.values_list("pk", "nickname")
    )
    names = dict(rows.filter(pk__in=keys_present).order_by())
    return [FREIGHT if pk is None else names[pk] for (pk,) in keys]


def get_category_names(keys: Collection[int]) -> dict[int, str]:
    """Return the names of these categories by key."""
    return dict(Category.objects.filter(pk__in=keys).values_list("pk", "name"))


def get_brand_names(keys: Collection[int]) -> dict[int, str]:
    """Return the names of these brands by key."""
    return dict(Brand.objects.filter(pk__in=keys).values_list("pk", "name"))


def get_budget_names(keys: Collection[int]) -> dict[int, str]:
    """Return the names of these budgets by key."""
    return dict(Budget.objects.filter(pk__in=keys).order_by().values_list("pk", "name"))


def get_enterprise_names() -> dict[int, str]:
    """Return the names of the group's enterprises by key."""
    return dict(Enterprise.objects.order_by().values_list("pk", "name"))


def get_people_by_key(keys: Collection[int]) -> dict[int, Account]:
    """Return people by key, with their enterprises."""
    return {row.pk: row for row in Account.objects.filter(pk__in=keys).select_related("enterprise")}


def get_products_by_key(keys: Collection[int]) -> dict[int, Product]:
    """Return products by key, with brand and categories."""
    return {
        row.pk: row
        for row in Product.objects.filter(pk__in=keys).select_related("brand", "l1", "category")
    }


def get_orders_by_key(keys: Collection[int]) -> dict[int, Order]:
    """Return orders by key, with requester, enterprise and department."""
    return {
        row.pk: row
        for row in Order.objects.filter(pk__in=keys).select_related(
            "requester", "enterprise", "department"
        )
    }


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
    scope = actor.get_data_scope(MENU_OF[report])
    subtree_ids = (
        list_department_subtree_ids(department_id=actor.department_id or 0)
        if scope == DataScope.DEPARTMENT
        else []
    )
    people = scope_filter(actor=actor, menu=MENU_OF[report], account="pk", subtree_ids=subtree_ids)
    return Choices(
        scope=scope,
        enterprises=list(_list_enterprises(scope, actor)),
        departments=list(_list_departments(scope, actor, subtree_ids)),
        categories=list(Category.objects.order_by("level", "position", "pk")),
        requesters=list(Account.objects.filter(people).order_by("nickname", "pk")[:MAX_CHOICES]),
        budgets=list(_list_budgets(scope, actor, subtree_ids)[:MAX_CHOICES]),
        brands=list(Brand.objects.order_by("name", "pk").only("name")[:MAX_CHOICES]),
    )


def _list_enterprises(scope: DataScope, actor: Account) -> QuerySet[Enterprise]:
    rows: QuerySet[Enterprise] = Enterprise.objects.order_by("code")
    return rows if scope == DataScope.GROUP else rows.filter(pk__in=[actor.enterprise_id])


def _list_departments(
    scope: DataScope, actor: Account, subtree_ids: Collection[int]
) -> QuerySet[Department]:
    """Return the departments in the data scope, in the order of the tree."""
    rows: QuerySet[Department] = Department.objects.order_by("position", "pk")
    match scope:
        case DataScope.GROUP:
            return rows
        case DataScope.ENTERPRISE:
            return rows.filter(enterprise=actor.enterprise_id)
        case DataScope.DEPARTMENT:
            return rows.filter(pk__in=subtree_ids)
    return rows.filter(pk__in=[actor.department_id])


def _list_budgets(
    scope: DataScope, actor: Account, subtree_ids: Collection[int]
) -> QuerySet[Budget]:
    """Return the budgets in the data scope, the newest period first."""
    rows: QuerySet[Budget] = Budget.objects.order_by("-period_from", "name", "pk")
    if scope == DataScope.GROUP:
        return rows
    rows = rows.filter(enterprise=actor.enterprise_id)
    if scope == DataScope.ENTERPRISE:
        return rows
    department_ids = list(subtree_ids) if scope == DataScope.DEPARTMENT else [actor.department_id]
    return rows.filter(
        Q(account=actor)
        | Q(department__in=department_ids)
        | Q(department__isnull=True, account__isnull=True)
    )
