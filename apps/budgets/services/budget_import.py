"""A plan of budgets from a sheet: a preview row by row, then all of them or none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import IO, Any

from django.db import transaction

from apps.budgets.enums import BudgetPeriod, BudgetPolicy, BudgetRollover
from apps.budgets.models import Budget
from apps.budgets.periods import period_around
from apps.budgets.selectors.budgets import may_keep
from apps.budgets.services.budget_allocate import budget_create
from apps.budgets.services.budget_history import budget_recorded
from apps.budgets.services.budget_open import refuse_past
from apps.budgets.services.budget_rollover import rollover_terms
from apps.common.errors import FileRefused, Forbidden, ValidationFailed
from apps.common.excel import read_rows, refuse_uncertain_formulas
from apps.org.enums import ChangeAction
from apps.org.locks import lock_enterprises
from apps.org.models import Account, Department, Enterprise

HEADER = ("企业编码", "部门编码", "账号", "预算名称", "周期", "期次", "额度", "超出策略")
# A sheet may go without these two.
MORE = ("结转方式", "结转上限")
COLUMNS = ("enterprise", "department", "account", "name", "period", "day", "amount", "policy", "rollover", "rollover_cap")
MOST_ROWS = 1000
MOST_AMOUNT = Decimal("1000000000.00")
AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,2})?")
MONTH = re.compile(r"([0-9]{4})[-/.年]([0-9]{1,2})(?:月|[-/.月](?:0?[1-9]|[12][0-9]|3[01])日?(?:[ T]00:00(?::00)?)?)?")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
QUARTER = re.compile(r"([0-9]{4})[-年]?(?:Q|q|第)([1-4])(?:季度)?")
YEAR = re.compile(r"([0-9]{4})年?")
PERIODS: dict[str, str] = {"月度": BudgetPeriod.MONTH, "季度": BudgetPeriod.QUARTER, "年度": BudgetPeriod.YEAR}
POLICIES: dict[str, str] = {"": BudgetPolicy.BLOCK, **{label: value for value, label in BudgetPolicy.choices}}
ROLLOVERS: dict[str, str] = {"": BudgetRollover.NONE, **{label: value for value, label in BudgetRollover.choices}}


@dataclass(slots=True)
class PlanRow:
    """One row of the sheet; `number` is the sheet's own, `made` what `budget_create` is to make of a right one."""

    number: int
    cells: tuple[str, ...]
    made: dict[str, Any] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    @property
    def named(self) -> dict[str, str]:
        """The cells by the names of their columns."""
        return dict(zip(COLUMNS, self.cells, strict=True))

    @property
    def key(self) -> tuple[object, ...]:
        """What no two budgets have in common."""
        ids = (self.made[name].pk if self.made.get(name) else None for name in ("enterprise", "department", "account"))
        return (*ids, self.made.get("name"), self.made.get("period_from"), self.made.get("period_to"))


def budgets_preview(*, actor: Account, file: IO[bytes]) -> list[PlanRow]:
    """Return the rows of the sheet with what is wrong in each; nothing is written.

    Raises:
        FileRefused: it is no sheet, has other columns, no rows, or more than 1,000.
        Forbidden: the actor keeps no budgets.
    """
    enterprises = {row.code: row for row in Enterprise.objects.filter(is_active=True) if may_keep(actor, row.pk)}
    if not enterprises:
        raise Forbidden("导入预算需要“本企业”以上的数据范围，请联系贵司管理员")
    rows = _read(file)
    within = {"enterprise__in": list(enterprises.values()), "is_active": True}
    departments = {(row.enterprise_id, row.code): row for row in Department.objects.filter(**within)}
    names = {row.named["account"].casefold() for row in rows}
    accounts = {(row.enterprise_id, row.username): row for row in Account.objects.filter(**within, username__in=names)}
    for row in rows:
        _owner(row, enterprises, departments, accounts)
        _terms(row)
    _refuse_repeated(rows)
    return rows


@transaction.atomic
def budgets_import(*, actor: Account, file: IO[bytes]) -> int:
    """Make all budgets of the sheet, or none, and return how many.

    Raises:
        FileRefused, Forbidden: as for the preview.
        ValidationFailed: a row has an error.
    """
    # As in opening one: of two at once the second finds what the first made.
    lock_enterprises()
    rows = budgets_preview(actor=actor, file=file)
    wrong = [row for row in rows if row.errors]
    if wrong:
        raise ValidationFailed({f"第 {row.number} 行": row.errors for row in wrong[:50]}, f"有 {len(wrong)} 行有误，未导入任何数据")
    for row in rows:
        made = budget_create(actor=actor, **row.made)
        budget_recorded(actor=actor, before=None, after=made, action=ChangeAction.CREATE, note="表格导入")
    return len(rows)


def _read(file: IO[bytes]) -> list[PlanRow]:
    refuse_uncertain_formulas(file)
    lines = list(read_rows(file, max_rows=MOST_ROWS, heading=1, max_columns=20))
    head = tuple(cell.strip().rstrip("*") for cell in lines[0]) if lines else ()
    if head[: len(HEADER)] != HEADER:
        raise FileRefused(f"表头须为：{'、'.join(HEADER)}（{'、'.join(MORE)}可不填），请下载模板填写")
    width = len(COLUMNS) if head[len(HEADER) : len(COLUMNS)] == MORE else len(HEADER)
    padded = [tuple(cell.strip() for cell in [*line[:width], *[""] * len(COLUMNS)][: len(COLUMNS)]) for line in lines]
    rows = [PlanRow(number, cells) for number, cells in enumerate(padded, start=1) if number > 1 and any(cells)]
    if not rows:
        raise FileRefused("表格里没有预算，请填写后重试")
    return rows


def _owner(
    row: PlanRow,
    enterprises: dict[str, Enterprise],
    departments: dict[tuple[int, str], Department],
    accounts: dict[tuple[int | None, str], Account],
) -> None:
    """A person where one is named, else a department, else the enterprise."""
    named = row.named
    enterprise = enterprises.get(named["enterprise"])
    if enterprise is None:
        row.errors.append(f"企业编码“{named['enterprise']}”不存在，或不在您的管理范围内" if named["enterprise"] else "请填写企业编码")
        return
    row.made = {"owner_type": "enterprise", "enterprise": enterprise}
    if named["account"]:
        account = accounts.get((enterprise.pk, named["account"].casefold()))
        row.made |= {"owner_type": "account", "account": account}
        if account is None:
            row.errors.append(f"账号“{named['account']}”不存在、已停用或不属于该企业")
    elif named["department"]:
        department = departments.get((enterprise.pk, named["department"]))
        row.made |= {"owner_type": "department", "department": department}
        if department is None:
            row.errors.append(f"部门编码“{named['department']}”不存在、已停用或不属于该企业")


def _terms(row: PlanRow) -> None:
    named = row.named
    period, day, policy = PERIODS.get(named["period"]), _day(named["day"]), POLICIES.get(named["policy"])
    if not named["name"] or len(named["name"]) > 80:
        row.errors.append("请填写预算名称，最多 80 个字")
    elif CONTROL.search(named["name"]):
        row.errors.append("预算名称含有换行等不可见字符，请删除后重试")
    if period is None:
        row.errors.append("周期请填写：月度、季度或年度")
    if day is None:
        row.errors.append("期次请填写月份、季度或年份，例如 2027-01、2027Q1、2027")
    if policy is None:
        row.errors.append(f"超出策略请填写：{'、'.join(BudgetPolicy.labels)}")
    amount = named["amount"].replace(",", "")
    if not AMOUNT.fullmatch(amount) or Decimal(amount) > MOST_AMOUNT:
        row.errors.append("额度请填写 0 至 10 亿元之间的金额，最多两位小数")
    if period and day and policy and not row.errors:
        first, last = period_around(period=period, day=day)
        try:
            refuse_past(period=period, first=first, last=last)
        except ValidationFailed as refused:
            row.errors.append(refused.text)
            return
        terms = {"name": named["name"], "period": period, "period_from": first, "period_to": last}
        row.made |= {**terms, "amount": Decimal(amount), "policy": policy, **_rollover(row, last)}


def _rollover(row: PlanRow, last: date) -> dict[str, Any]:
    """Return the way of rolling over; what is wrong with it is told in the row."""
    way, cap = ROLLOVERS.get(row.named["rollover"]), row.named["rollover_cap"].replace(",", "")
    if way is None:
        row.errors.append(f"结转方式请填写：{'、'.join(BudgetRollover.labels)}")
        return {}
    if cap and not (AMOUNT.fullmatch(cap) and Decimal(cap) <= MOST_AMOUNT):
        row.errors.append("结转上限请填写金额，最多两位小数")
        return {}
    try:
        rollover, most = rollover_terms(rollover=way, cap=Decimal(cap) if cap else None, last=last)
    except ValidationFailed as refused:
        row.errors.append(refused.text)
        return {}
    return {"rollover": rollover, "rollover_cap": most}


def _day(text: str) -> date | None:
    """Return a day of the month, quarter or year that is named; None for anything else, or far from now."""
    quarter, month, year = QUARTER.fullmatch(text), MONTH.fullmatch(text), YEAR.fullmatch(text)
    if quarter:
        found = int(quarter[1]), int(quarter[2]) * 3
    elif month:
        found = int(month[1]), int(month[2])
    elif year:
        found = int(year[1]), 1
    else:
        return None
    return date(*found, 1) if 2000 <= found[0] <= 2099 and 1 <= found[1] <= 12 else None


def _refuse_repeated(rows: list[PlanRow]) -> None:
    """Refuse what the sheet has twice, and what is there already."""
    right = [row for row in rows if not row.errors]
    keys = ("enterprise_id", "department_id", "account_id", "name", "period_from", "period_to")
    present = set(Budget.objects.filter(name__in={row.made["name"] for row in right}).order_by().values_list(*keys))
    first: dict[tuple[object, ...], int] = {}
    for row in right:
        if row.key in present:
            row.errors.append("该归属在此周期已有同名预算")
        elif first.setdefault(row.key, row.number) != row.number:
            row.errors.append(f"与第 {first[row.key]} 行重复")
