"""Freight and budgets of the demo."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal

from django.utils import timezone

from apps.budgets.enums import BudgetOwner, BudgetPeriod
from apps.budgets.models import DEFAULT_THRESHOLDS, Budget
from apps.budgets.selectors.earmarks import NO_EARMARK, Earmark
from apps.budgets.services.budget_manage import budget_create
from apps.catalog.models import Category
from apps.common.money import ZERO
from apps.dimensions.enums import DimensionKind
from apps.dimensions.models import Dimension
from apps.dimensions.services.dimensions import links_save
from apps.orders.models import FreightRegion
from apps.org.models import Account, Department, Enterprise, Group, PurchaseLimit, Role
from demo.load.clock import clock_at
from demo.load.sheets import get_sheet, split_codes

MONTHS = {BudgetPeriod.MONTH: 1, BudgetPeriod.QUARTER: 3, BudgetPeriod.YEAR: 12}


def load_freight() -> int:
    """Write the freight table. Orders below 满额 pay the fee; others are free. Return the
    number of provinces.
    """
    rows = get_sheet("enterprise/freight_regions")
    regions = []
    for row in rows:
        province = "" if row["省"] == "*" else row["省"]
        days = int(row["加时天数"])
        regions.append(
            FreightRegion(
                province=province, amount_from=ZERO, fee=Decimal(row["运费"]), extra_days=days
            )
        )
        if Decimal(row["满额"]) > 0:
            regions.append(
                FreightRegion(
                    province=province, amount_from=Decimal(row["满额"]), fee=ZERO, extra_days=days
                )
            )
    FreightRegion.objects.bulk_create(regions)
    return len(rows)


def get_period(*, kind: str, today: date, offset: int) -> tuple[date, date]:
    """Return the first and last day of the month, quarter or year that is `offset` periods
    after today's.
    """
    months = MONTHS[BudgetPeriod(kind)]
    first = today.year * 12 + (today.month - 1) // months * months + offset * months
    last = first + months - 1
    end = date(last // 12, last % 12 + 1, 1)
    return date(first // 12, first % 12 + 1, 1), end.replace(
        day=calendar.monthrange(end.year, end.month)[1]
    )


def _iterate_offsets(cell: str) -> Iterator[int]:
    first, _, last = cell.partition("..")
    yield from range(int(first), int(last or first) + 1)


def load_budgets(*, today: date) -> int:
    """Write one budget for each period of each row, allocated on the morning of the period's
    first day, below the budget of the parent's row whose period contains it. Return the number of
    budgets.
    """
    by_code: dict[str, list[Budget]] = {}
    for row in get_sheet("enterprise/budgets"):
        by_code[row["编码"]] = _create_budgets(row, by_code.get(row["上级"], []), today)
    return sum(map(len, by_code.values()))


def _create_budgets(row: dict[str, str], parents: list[Budget], today: date) -> list[Budget]:
    """Write the budgets of a row. `parents` are those of the row above."""
    enterprise = Enterprise.objects.get(code=row["企业"])
    owner = row["归属类型"]
    department = (
        Department.objects.get(enterprise=enterprise, code=row["归属"])
        if owner == BudgetOwner.DEPARTMENT
        else None
    )
    account = Account.objects.get(username=row["归属"]) if owner == BudgetOwner.ACCOUNT else None
    thresholds = [int(each) for each in split_codes(row["预警线"])] or DEFAULT_THRESHOLDS
    budgets = []
    for offset in _iterate_offsets(row["期次"]):
        begins, ends = get_period(kind=row["周期"], today=today, offset=offset)
        with clock_at(
            datetime.combine(begins, time(8, 30), tzinfo=timezone.get_default_timezone())
        ):
            budget = budget_create(
                actor=None,
                name=row["名称"],
                owner_type=owner,
                enterprise=enterprise,
                department=department,
                account=account,
                period=row["周期"],
                period_from=begins,
                period_to=ends,
                amount=Decimal(row["金额"]),
                policy=row["策略"],
                parent=next(
                    (
                        each
                        for each in parents
                        if each.period_from <= begins and ends <= each.period_to
                    ),
                    None,
                ),
                thresholds=thresholds,
                earmark=_read_earmark(row["限定范围"], group=enterprise.group),
            )
        budgets.append(budget)
    return budgets


def _read_earmark(cell: str, *, group: Group) -> Earmark:
    """Return what an earmarked budget counts: 类目/1101, or a kind of dimension such as
    项目/P-2026-R1. Empty: every order.
    """
    label, _, code = cell.partition("/")
    if not label:
        return NO_EARMARK
    if label == "类目":
        return Earmark(category=Category.objects.get(code=code))
    kind = next(kind for kind in DimensionKind if kind.label == label)
    return Earmark(dimension=Dimension.objects.get(group=group, kind=kind, code=code))


def load_dimensions() -> int:
    """Write the dimensions with their departments and defaults. Return their number."""
    rows = get_sheet("enterprise/dimensions")
    for row in rows:
        group = Group.objects.get(code=row["集团"])
        departments = {
            each.code: each.pk for each in Department.objects.filter(group=group).order_by("pk")
        }
        dimension = Dimension.objects.create(
            group=group,
            kind=row["类别"],
            code=row["编码"],
            name=row["名称"],
            owner=Account.objects.get(username=row["负责人"]) if row["负责人"] else None,
            valid_to=row["失效日"] or None,
        )
        links_save(
            dimension,
            department_ids=[departments[code] for code in split_codes(row["适用部门"])],
            default_ids=[departments[code] for code in split_codes(row["默认部门"])],
        )
    return len(rows)


def load_purchase_limits() -> int:
    """Write the purchase limits of roles and of accounts. Return their number."""
    rows = get_sheet("enterprise/purchase_limits")
    for row in rows:
        group = Group.objects.get(code=row["集团"])
        PurchaseLimit.objects.create(
            group=group,
            role=Role.objects.get(group=group, code=row["角色"]) if row["角色"] else None,
            account=Account.objects.get(username=row["账号"]) if row["账号"] else None,
            category=Category.objects.get(code=row["类目"]) if row["类目"] else None,
            period=row["周期"],
            amount=Decimal(row["限额"]),
            action=row["超出时"],
        )
    return len(rows)
