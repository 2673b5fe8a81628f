"""Import budgets from a sheet: a preview of every row, then all rows, only the valid ones, or
none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import IO, Any

from django.utils import timezone

from apps.budgets import texts
from apps.budgets.enums import BudgetPeriod, BudgetPolicy, BudgetRollover, EntryKind
from apps.budgets.errors import BudgetImportBeyondScope, BudgetSheetEmpty
from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.periods import get_period_around
from apps.budgets.selectors.budget_tree import MAX_LEVELS, get_budget_path, with_parents
from apps.budgets.selectors.budgets import may_manage
from apps.budgets.selectors.earmarks import NO_EARMARK, Earmark
from apps.budgets.services.budget_manage import (
    budget_create,
    check_thresholds,
    get_history_values,
    get_rollover_terms,
    history_record,
    refuse_ended_period,
)
from apps.catalog.models import Category
from apps.common.errors import SheetRefused, ValidationFailed
from apps.common.models import ImportRun
from apps.common.money import parse_cell_amount
from apps.common.services.import_run import (
    ChunkRefused,
    ImportWriter,
    Written,
    get_edit_stamp,
    get_importer,
    rows_delete,
    sheet_import,
)
from apps.common.services.wrong_rows import WrongSheet
from apps.dimensions.models import Dimension
from apps.documents.excel import build_wrong_sheet, read_table, refuse_uncertain_formulas
from apps.org.enums import ChangeAction
from apps.org.locks import lock_enterprises
from apps.org.models import Account, Department, Enterprise

COLUMNS = {
    "企业编码": "enterprise",
    "部门编码": "department",
    "账号": "account",
    "预算名称": "name",
    "周期": "period",
    "期次": "day",
    "额度": "amount",
    "超出策略": "policy",
    "结转方式": "rollover",
    "结转上限": "rollover_cap",
    "上级预算": "parent",
    "预警线": "thresholds",
    "限定范围": "earmark",
}
OPTIONAL = ("结转方式", "结转上限", "上级预算", "预警线", "限定范围")
# Codes of categories and dimensions contain no slash.
EARMARK_SEPARATOR = "/"
CATEGORY_LABEL = "类目"
MAX_ROWS = 1000
WRITER = "budgets"
CHUNK_ROWS = 50
TAKEN_BACK = "表格导入未能完成，已撤回"
IN_USE = "该预算已被修改或使用，未能撤回"
MAX_AMOUNT = Decimal("1000000000.00")
MONTH = re.compile(
    r"([0-9]{4})[-/.年]([0-9]{1,2})"
    r"(?:月|[-/.月](?:0?[1-9]|[12][0-9]|3[01])日?(?:[ T]00:00(?::00)?)?)?"
)
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
QUARTER = re.compile(r"([0-9]{4})[-年]?(?:Q|q|第)([1-4])(?:季度)?")
THRESHOLD_SEPARATORS = re.compile(r"[\s/、,，;；%％]+")
NO_THRESHOLDS = "不预警"
YEAR = re.compile(r"([0-9]{4})年?")
PERIODS: dict[str, str] = {
    "月度": BudgetPeriod.MONTH,
    "季度": BudgetPeriod.QUARTER,
    "年度": BudgetPeriod.YEAR,
}
POLICIES: dict[str, str] = {
    "": BudgetPolicy.BLOCK,
    **{label: value for value, label in BudgetPolicy.choices},
}
ROLLOVERS: dict[str, str] = {
    "": BudgetRollover.NONE,
    **{label: value for value, label in BudgetRollover.choices},
}


@dataclass(slots=True)
class PlanRow:
    """One row of the sheet. `number` is its row number; `fields` are the arguments for
    `budget_create` if the row is valid.
    """

    number: int
    cells: tuple[str, ...]
    fields: dict[str, Any] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    # The row of this sheet that is the parent; a stored parent is in `fields`.
    parent_row: PlanRow | None = None

    @property
    def named(self) -> dict[str, str]:
        """Return {column: cell}."""
        return dict(zip(COLUMNS.values(), self.cells, strict=True))

    @property
    def key(self) -> tuple[object, ...]:
        """Return the unique key of the budget: owner, name and period."""
        ids = (
            self.fields[name].pk if self.fields.get(name) else None
            for name in ("enterprise", "department", "account")
        )
        return (
            *ids,
            self.fields.get("name"),
            self.fields.get("period_from"),
            self.fields.get("period_to"),
        )


def require_budget_import(actor: Account) -> None:
    """Raise Forbidden if the actor does not manage budgets. The API calls it before it remembers
    the mapping of columns, which applies to everybody of the group.
    """
    if not _get_importable_enterprises(actor):
        raise BudgetImportBeyondScope


def budgets_preview(*, actor: Account, file: IO[bytes]) -> list[PlanRow]:
    """Return the rows of the sheet with their errors. Writes nothing.

    Raises:
        FileRefused: it is not a sheet, has other columns, has no rows, or more than 1,000.
        Forbidden: the actor does not manage budgets.
    """
    require_budget_import(actor)
    rows = _read_rows(file)
    _validate_rows(actor, rows)
    return rows


def budgets_import(*, actor: Account, file: IO[bytes], is_good_only: bool = False) -> ImportRun:
    """Create all budgets of the sheet in short transactions and return the run. `is_good_only`:
    create the budgets of the valid rows although other rows are wrong.

    Raises:
        FileRefused, Forbidden: see budgets_preview.
        ValidationFailed: a row has an error, or got one meanwhile. Written chunks are undone.
    """
    began_at = timezone.now()
    rows = budgets_preview(actor=actor, file=file)
    errors_by_row = {row.number: row.errors for row in rows if row.errors}
    refusal = SheetRefused(errors_by_row)
    return sheet_import(
        writer=WRITER,
        actor=actor,
        rows=[[row.number, row.cells] for row in rows],
        good=[[row.number, row.cells] for row in rows if not row.errors] if is_good_only else None,
        wrong=budgets_build_wrong_sheet(rows) if is_good_only else None,
        options={},
        began_at=began_at,
        refusal=refusal if errors_by_row else None,
        chunk_rows=CHUNK_ROWS,
    )


def budgets_build_wrong_sheet(rows: Iterable[PlanRow]) -> WrongSheet:
    """Return the sheet of the rows that have errors."""
    return build_wrong_sheet(
        "预算", columns=COLUMNS, rows=((row.named, row.errors) for row in rows)
    )


class BudgetWriter(ImportWriter):
    """Writes the budgets of a sheet; one transaction for each chunk."""

    def write(self, rows: list[Any]) -> Written:
        """Validate the rows again and create their budgets.

        Raises:
            ChunkRefused: a row has an error. Nothing is written.
        """
        actor = get_importer(self.run)
        # Serialise with budget_open, so that the second writer finds the first budget.
        lock_enterprises()
        plan = [PlanRow(number, tuple(cells)) for number, cells in rows]
        _validate_rows(actor, plan)
        if refusals := [(row.number, "", error) for row in plan for error in row.errors]:
            raise ChunkRefused(refusals)
        before = []
        written_budgets: dict[int, Budget] = {}
        for row in plan:
            if row.parent_row is not None:
                row.fields["parent"] = written_budgets[row.parent_row.number]
            budget = written_budgets[row.number] = budget_create(actor=actor, **row.fields)
            history_record(
                actor=actor,
                before=None,
                after=budget,
                action=ChangeAction.CREATE,
                note=texts.IMPORTED,
            )
            budget.refresh_from_db(fields=["updated_at"])
            before.append([row.number, budget.pk, get_edit_stamp(budget)])
        return Written(before=before)

    def take_back(self, before: list[Any]) -> Written:
        """Delete the created budgets, except those that were changed or used since. The history
        keeps both events.
        """
        actor = get_importer(self.run)
        lock_enterprises()
        numbers = {pk: number for number, pk, _ in before}
        stamps = {pk: stamp for _, pk, stamp in before}
        budgets = list(Budget.objects.filter(pk__in=numbers).order_by("pk"))
        stay = {budget.pk for budget in budgets if get_edit_stamp(budget) != stamps[budget.pk]}
        stay |= rows_delete(
            [budget for budget in budgets if budget.pk not in stay], _delete_budgets
        )
        for budget in budgets:
            if budget.pk not in stay:
                history_record(
                    actor=actor,
                    before=get_history_values(budget),
                    after=budget,
                    action=ChangeAction.DELETE,
                    note=TAKEN_BACK,
                )
        return Written(left=[(numbers[pk], "", IN_USE) for pk in sorted(stay)])


def _delete_budgets(keys: list[int]) -> None:
    BudgetEntry.objects.filter(budget__in=keys, kind=EntryKind.ALLOCATE).delete()
    Budget.objects.filter(pk__in=keys).delete()


def _get_importable_enterprises(actor: Account) -> dict[str, Enterprise]:
    """Return {code: enterprise} of those whose budgets the actor manages."""
    return {
        row.code: row
        for row in Enterprise.objects.filter(is_active=True)
        if may_manage(actor, row.pk)
    }


def _validate_rows(actor: Account, rows: list[PlanRow]) -> None:
    """Fill the fields or the errors of each row."""
    enterprises = _get_importable_enterprises(actor)
    within = {"enterprise__in": list(enterprises.values()), "is_active": True}
    departments = {
        (row.enterprise_id, row.code): row for row in Department.objects.filter(**within)
    }
    names = {row.named["account"].casefold() for row in rows}
    accounts = {
        (row.enterprise_id, row.username): row
        for row in Account.objects.filter(**within, username__in=names)
    }
    for row in rows:
        _read_owner(row, enterprises, departments, accounts)
        _read_terms(row)
    _read_earmarks(rows)
    _refuse_repeated(rows)
    _find_parents(rows)


def _read_rows(file: IO[bytes]) -> list[PlanRow]:
    """Return the rows of the sheet as text.

    Raises:
        BudgetSheetEmpty: it has no row.
    """
    refuse_uncertain_formulas(file)
    table = read_table(
        file,
        kind=WRITER,
        columns=COLUMNS,
        optional=OPTIONAL,
        max_rows=MAX_ROWS,
    )
    rows = [PlanRow(row.number, tuple(row.cells.values())) for row in table]
    if not rows:
        raise BudgetSheetEmpty
    return rows


def _read_owner(
    row: PlanRow,
    enterprises: dict[str, Enterprise],
    departments: dict[tuple[int, str], Department],
    accounts: dict[tuple[int | None, str], Account],
) -> None:
    """Read the owner: the account if given, otherwise the department, otherwise the enterprise."""
    cells = row.named
    enterprise = enterprises.get(cells["enterprise"])
    if enterprise is None:
        row.errors.append(
            texts.enterprise_code_out_of_reach(cells["enterprise"])
            if cells["enterprise"]
            else texts.ENTERPRISE_CODE_MISSING
        )
        return
    row.fields = {"owner_type": "enterprise", "enterprise": enterprise}
    if cells["account"]:
        account = accounts.get((enterprise.pk, cells["account"].casefold()))
        row.fields |= {"owner_type": "account", "account": account}
        if account is None:
            row.errors.append(texts.account_unavailable(cells["account"]))
    elif cells["department"]:
        department = departments.get((enterprise.pk, cells["department"]))
        row.fields |= {"owner_type": "department", "department": department}
        if department is None:
            row.errors.append(texts.department_unavailable(cells["department"]))


def _read_terms(row: PlanRow) -> None:
    """Fill the row's fields with name, period, amount, policy and thresholds, or its errors."""
    cells = row.named
    period, day, policy = (
        PERIODS.get(cells["period"]),
        _parse_day(cells["day"]),
        POLICIES.get(cells["policy"]),
    )
    if not cells["name"] or len(cells["name"]) > 80:
        row.errors.append(texts.NAME_INVALID)
    elif CONTROL.search(cells["name"]):
        row.errors.append(texts.NAME_WITH_CONTROL_CHARACTERS)
    if period is None:
        row.errors.append(texts.PERIOD_INVALID)
    if day is None:
        row.errors.append(texts.DAY_INVALID)
    if policy is None:
        row.errors.append(texts.policy_invalid("、".join(BudgetPolicy.labels)))
    amount = _parse_amount(cells["amount"])
    if amount is None or amount > MAX_AMOUNT:
        row.errors.append(texts.AMOUNT_INVALID)
    if period and day and policy and not row.errors:
        first, last = get_period_around(period=period, day=day)
        try:
            refuse_ended_period(period=period, first=first, last=last)
        except ValidationFailed as refused:
            row.errors.append(refused.text)
            return
        terms = {"name": cells["name"], "period": period, "period_from": first, "period_to": last}
        row.fields |= {
            **terms,
            "amount": amount,
            "policy": policy,
            **_read_rollover(row, last),
            **_read_thresholds(row),
        }


def _parse_amount(cell: str) -> Decimal | None:
    """Return the amount of a cell in 元. None for other text and negative amounts."""
    try:
        amount = parse_cell_amount(cell)
    except ValueError:
        return None
    return amount if amount >= 0 else None


def _read_rollover(row: PlanRow, last: date) -> dict[str, Any]:
    """Return the rollover fields. Errors are added to the row."""
    way, cap = ROLLOVERS.get(row.named["rollover"]), row.named["rollover_cap"]
    if way is None:
        row.errors.append(texts.rollover_invalid("、".join(BudgetRollover.labels)))
        return {}
    max_rollover = _parse_amount(cap)
    if cap and (max_rollover is None or max_rollover > MAX_AMOUNT):
        row.errors.append(texts.ROLLOVER_CAP_INVALID)
        return {}
    try:
        rollover, most = get_rollover_terms(rollover=way, cap=max_rollover, last=last)
    except ValidationFailed as refused:
        row.errors.append(refused.text)
        return {}
    return {"rollover": rollover, "rollover_cap": most}


def _read_thresholds(row: PlanRow) -> dict[str, Any]:
    """Return the thresholds, e.g. 50/80/95; an empty cell means the default. Errors are added to
    the row.
    """
    cell = row.named["thresholds"].strip()
    if not cell:
        return {}
    if cell == NO_THRESHOLDS:
        return {"thresholds": ()}
    parts = [part for part in THRESHOLD_SEPARATORS.split(cell) if part]
    if not all(part.isascii() and part.isdigit() and len(part) <= 3 for part in parts):
        row.errors.append(texts.THRESHOLDS_INVALID)
        return {}
    try:
        return {"thresholds": check_thresholds([int(part) for part in parts])}
    except ValidationFailed as refused:
        row.errors.append(refused.text)
        return {}


def _read_earmarks(rows: list[PlanRow]) -> None:
    """Read the cells like 类目/A01 or 项目/P-1: the kind, and the code of the category or
    dimension. Errors are added to the row. Two queries if a cell is filled.
    """
    cells = {row.number: row.named["earmark"].strip() for row in rows if row.named["earmark"]}
    if not cells:
        return
    codes = {cell.partition(EARMARK_SEPARATOR)[2].strip() for cell in cells.values()}
    categories = Category.objects.select_related("parent__parent").filter(code__in=codes)
    dimensions = Dimension.objects.filter(code__in=codes, is_active=True)
    earmark_by_label = {(CATEGORY_LABEL, row.code): Earmark(row) for row in categories}
    earmark_by_label |= {
        (row.get_kind_display(), row.code): Earmark(None, row) for row in dimensions
    }
    for row in rows:
        if row.number not in cells:
            continue
        kind, _, code = cells[row.number].partition(EARMARK_SEPARATOR)
        earmark = earmark_by_label.get((kind.strip(), code.strip()))
        if earmark is None:
            row.errors.append(texts.earmark_unavailable(cells[row.number]))
        else:
            row.fields["earmark"] = earmark


def _read_earmark(row: PlanRow) -> Earmark:
    earmark: Earmark = row.fields.get("earmark", NO_EARMARK)
    return earmark


def _format_earmark_cell(budget: Budget) -> str:
    if budget.category is not None:
        return f"{CATEGORY_LABEL}{EARMARK_SEPARATOR}{budget.category.code}"
    if budget.dimension is not None:
        kind = budget.dimension.get_kind_display()
        return f"{kind}{EARMARK_SEPARATOR}{budget.dimension.code}"
    return ""


def _find_parents(rows: list[PlanRow]) -> None:
    """Find the parent of each row by its name: a budget of the same enterprise whose period
    contains that of the row, stored or in a row above. Errors are added to the row.
    """
    names = {row.named["parent"] for row in rows if row.named["parent"]}
    if not names:
        return
    budget_by_id = {row.pk: row for row in with_parents(Budget.objects.filter(name__in=names))}
    levels: dict[int, int] = {}
    for number, row in enumerate(rows):
        name = row.named["parent"]
        if not name or row.errors:
            continue
        fitting = [
            each
            for each in budget_by_id.values()
            if each.name == name and _can_be_parent(each, row)
        ]
        above = [
            each
            for each in rows[:number]
            if not each.errors and each.fields["name"] == name and _can_row_be_parent(each, row)
        ]
        if len(fitting) + len(above) != 1:
            row.errors.append(
                texts.parent_ambiguous(count=len(fitting) + len(above), name=name)
                if fitting or above
                else texts.parent_unknown(name)
            )
            continue
        if fitting:
            row.fields["parent"] = fitting[0]
            depth = len(get_budget_path(fitting[0], budget_by_id))
        else:
            row.parent_row = above[0]
            depth = levels.get(above[0].number, 1)
        if depth >= MAX_LEVELS:
            row.errors.append(texts.tree_too_deep(MAX_LEVELS))
        levels[row.number] = depth + 1


def _can_be_parent(parent: Budget, row: PlanRow) -> bool:
    """Return whether the stored budget has the row's enterprise and contains its period and
    earmark.
    """
    return bool(
        parent.enterprise_id == row.fields["enterprise"].pk
        and parent.period_from <= row.fields["period_from"]
        and parent.period_to >= row.fields["period_to"]
        and _read_earmark(row).is_within(parent)
    )


def _can_row_be_parent(parent: PlanRow, row: PlanRow) -> bool:
    """Return whether another row of the sheet has the row's enterprise and contains its period
    and earmark.
    """
    above = _read_earmark(parent)
    return bool(
        parent.fields["enterprise"].pk == row.fields["enterprise"].pk
        and parent.fields["period_from"] <= row.fields["period_from"]
        and parent.fields["period_to"] >= row.fields["period_to"]
        and _read_earmark(row).is_within_keys(
            *(each.pk if each else None for each in (above.category, above.dimension))
        )
    )


def build_sheet_cells(budget: Budget) -> tuple[str, ...]:
    """Return the cells of a budget in the order of COLUMNS. Its owner and parent must be read."""
    first = budget.period_from
    day = {
        BudgetPeriod.MONTH: f"{first:%Y-%m}",
        BudgetPeriod.QUARTER: f"{first.year}Q{(first.month + 2) // 3}",
        BudgetPeriod.YEAR: f"{first.year}",
    }[BudgetPeriod(budget.period)]
    return (
        budget.enterprise.code,
        budget.department.code if budget.department else "",
        budget.account.username if budget.account else "",
        budget.name,
        next(label for label, value in PERIODS.items() if value == budget.period),
        day,
        str(budget.amount),
        budget.get_policy_display(),
        budget.get_rollover_display(),
        "" if budget.rollover_cap is None else str(budget.rollover_cap),
        budget.parent.name if budget.parent else "",
        "/".join(map(str, budget.thresholds)) or NO_THRESHOLDS,
        _format_earmark_cell(budget),
    )


def _parse_day(text: str) -> date | None:
    """Return a day in the named month, quarter or year; None for other texts or years outside
    2000 to 2099.
    """
    quarter, month, year = QUARTER.fullmatch(text), MONTH.fullmatch(text), YEAR.fullmatch(text)
    if quarter:
        year_and_month = int(quarter[1]), int(quarter[2]) * 3
    elif month:
        year_and_month = int(month[1]), int(month[2])
    elif year:
        year_and_month = int(year[1]), 1
    else:
        return None
    return (
        date(*year_and_month, 1)
        if 2000 <= year_and_month[0] <= 2099 and 1 <= year_and_month[1] <= 12
        else None
    )


def _refuse_repeated(rows: list[PlanRow]) -> None:
    """Add an error to each valid row whose key is stored already or stands earlier in the sheet."""
    valid_rows = [row for row in rows if not row.errors]
    keys = ("enterprise_id", "department_id", "account_id", "name", "period_from", "period_to")
    stored_keys = set(
        Budget.objects.filter(name__in={row.fields["name"] for row in valid_rows})
        .order_by()
        .values_list(*keys)
    )
    first_number_by_key: dict[tuple[object, ...], int] = {}
    for row in valid_rows:
        if row.key in stored_keys:
            row.errors.append(texts.NAME_TAKEN)
        elif first_number_by_key.setdefault(row.key, row.number) != row.number:
            row.errors.append(texts.repeats_row(first_number_by_key[row.key]))
