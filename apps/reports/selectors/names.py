"""The names of the keys on a page: one query for each kind of key."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from apps.budgets.models import Budget
from apps.catalog.models import Brand, Category, Product
from apps.orders.models import Order
from apps.org.models import Account, Department, Enterprise
from apps.reports.enums import ReportName

NO_DEPARTMENT = "未归属部门"
# Shown for a filter key that does not exist in the group.
UNKNOWN = "（不存在）"
FREIGHT = "运费"
OTHER_BRAND, OTHER_CATEGORY = "其他品牌", "其他类目"
NO_BUDGET = "未使用预算"
SEPARATOR = " / "


def department_paths() -> dict[int, str]:
    """Return the path of every department of the group, such as “行政部 / 采购组”, by key."""
    rows = {
        pk: (name, parent)
        for pk, name, parent in Department.objects.order_by().values_list("pk", "name", "parent_id")
    }
    paths: dict[int, str] = {}

    def path(pk: int) -> str:
        if pk not in paths:
            name, parent = rows[pk]
            paths[pk] = f"{path(parent)}{SEPARATOR}{name}" if parent in rows else name
        return paths[pk]

    return {pk: path(pk) for pk in rows}


def labels(report: str, paths: dict[int, str], keys: Sequence[tuple[int | None, ...]]) -> list[str]:
    """Return the names of these row keys, for sorting. The product and purchaser reports need
    one query.
    """
    if report == ReportName.DEPARTMENT:
        return [paths.get(pk, "") if pk else NO_DEPARTMENT for _, pk in keys]
    keys_present = [pk for (pk,) in keys if pk is not None]
    if report == ReportName.BRAND:
        brands = brand_names(keys_present)
        return [FREIGHT if pk is None else brands.get(pk, OTHER_BRAND) for (pk,) in keys]
    if report == ReportName.SAVINGS:
        categories = category_names(keys_present)
        return [categories.get(pk or 0, OTHER_CATEGORY) if pk else FREIGHT for (pk,) in keys]
    if report == ReportName.BUDGET:
        budgets = budget_names(keys_present)
        return [NO_BUDGET if pk is None else budgets[pk] for (pk,) in keys]
    goods = report == ReportName.PRODUCT
    known = (
        Product.objects.values_list("pk", "name")
        if goods
        else Account.objects.values_list("pk", "nickname")
    )
    names = dict(known.filter(pk__in=keys_present).order_by())
    return [FREIGHT if pk is None else names[pk] for (pk,) in keys]


def category_names(keys: Collection[int]) -> dict[int, str]:
    """Return the names of these categories by key."""
    return dict(Category.objects.filter(pk__in=keys).values_list("pk", "name"))


def brand_names(keys: Collection[int]) -> dict[int, str]:
    """Return the names of these brands by key."""
    return dict(Brand.objects.filter(pk__in=keys).values_list("pk", "name"))


def budget_names(keys: Collection[int]) -> dict[int, str]:
    """Return the names of these budgets by key."""
    return dict(Budget.objects.filter(pk__in=keys).order_by().values_list("pk", "name"))


def enterprise_names() -> dict[int, str]:
    """Return the names of the group's enterprises by key."""
    return dict(Enterprise.objects.order_by().values_list("pk", "name"))


def people_by_key(keys: Collection[int]) -> dict[int, Account]:
    """Return people by key, with their enterprises."""
    return {row.pk: row for row in Account.objects.filter(pk__in=keys).select_related("enterprise")}


def products_by_key(keys: Collection[int]) -> dict[int, Product]:
    """Return products by key, with brand and categories."""
    return {
        row.pk: row
        for row in Product.objects.filter(pk__in=keys).select_related("brand", "l1", "category")
    }


def orders_by_key(keys: Collection[int]) -> dict[int, Order]:
    """Return orders by key, with requester, enterprise and department."""
    return {
        row.pk: row
        for row in Order.objects.filter(pk__in=keys).select_related(
            "requester", "enterprise", "department"
        )
    }
