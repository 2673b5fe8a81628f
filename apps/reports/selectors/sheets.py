"""A report as an Excel sheet: columns, rows that are read in batches, totals, and a cover with
the filters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from django.utils import timezone

from apps.budgets.models import Budget
from apps.catalog.models import Brand, Category, Product
from apps.common.money import ZERO
from apps.documents.excel.writer import Cell, write_xlsx
from apps.orders.enums import OrderStatus, PaymentKind
from apps.org.models import Account, Department, Enterprise
from apps.reports.enums import Basis, FactKind, Preset, ReportName
from apps.reports.models import ReportFact
from apps.reports.periods import Windows
from apps.reports.selectors import names
from apps.reports.selectors.budget_report import sum_report_budgets
from apps.reports.selectors.cuts import (
    COMPARED_REPORTS,
    KEY_COLUMNS,
    GroupedRow,
    RowValues,
    count_orders,
    count_rows,
    load_grouped_rows,
)
from apps.reports.selectors.matching import get_matching_facts
from apps.reports.selectors.question import (
    FREIGHT_CODE,
    MENU_OF,
    MatchingFacts,
    ReportQuestion,
)
from apps.reports.selectors.reports import (
    LARGEST_FIRST,
    Report,
    RowContext,
    RowNames,
    get_row_context,
    get_row_names,
    list_detail_rows,
    list_rows,
    sort_of,
)
from apps.reports.selectors.savings import get_savings_figures
from apps.reports.selectors.summary import Summary, Sums, get_summary

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet

BATCH_ROWS = 1000
MONEY_COLUMNS = ("数量", "含税金额", "税额", "不含税金额")
COMPARED_COLUMNS = (
    "订单数",
    *MONEY_COLUMNS,
    "上期含税金额",
    "环比（%）",
    "上年同期含税金额",
    "同比（%）",
)
HEADERS: dict[str, tuple[str, ...]] = {
    ReportName.ORDER: (
        "订单号",
        "下单时间",
        "订单状态",
        "企业",
        "部门",
        "采购人",
        "付款方式",
        "采购单号",
        "成本中心",
        *MONEY_COLUMNS,
    ),
    ReportName.ORDER_DETAIL: (
        *(
            "发生时间",
            "类型",
            "订单号",
            "订单状态",
            "企业",
            "部门",
            "采购人",
            "商品编码",
            "物料编码",
            "商品",
            "品牌",
            "类目",
            "单位",
        ),
        *("付款方式", "预算", "采购单号", "成本中心", "含税单价", *MONEY_COLUMNS),
    ),
    ReportName.PRODUCT: ("商品编码", "商品", "品牌", "类目", "单位", *COMPARED_COLUMNS),
    ReportName.DEPARTMENT: ("企业", "部门", *COMPARED_COLUMNS, "含下级金额"),
    ReportName.PURCHASER: ("采购人", "账号", "企业", "部门", *COMPARED_COLUMNS),
    ReportName.BRAND: ("品牌", *COMPARED_COLUMNS),
    ReportName.SAVINGS: (
        "类目",
        *COMPARED_COLUMNS,
        "按市场价金额",
        "节约金额",
        "节约率（%）",
        "协议内金额",
        "协议外金额",
        "协议内占比（%）",
    ),
    ReportName.BUDGET: (
        *("预算", "归属", "预算期间", "上级预算", "限定范围", *COMPARED_COLUMNS),
        *("预算额度", "已预占", "已使用", "使用率（%）", "可用", "预计期末使用", "预计超出"),
    ),
}
Row = Sequence[Cell]
# Label tables for 100,000 look-ups: get_…_display() builds its table on each call.
KINDS, STATES, PAYMENT_KINDS = (
    dict(FactKind.choices),
    dict(OrderStatus.choices),
    dict(PaymentKind.choices),
)


class Detail(NamedTuple):
    """The columns of a row of 明细, by query path. Reading the facts as model instances takes
    three times as long.
    """

    pk: int
    at: datetime
    kind: str
    order_status: str
    payment_kind: str
    purchase_order_no: str
    cost_center: str
    category_id_l1: int
    category_id_l3: int
    quantity: Decimal
    amount: Decimal
    tax_amount: Decimal
    department_id: int | None
    order__order_no: str
    enterprise__name: str
    requester__nickname: str
    budget__name: str | None
    order_line__product_code: str | None
    order_line__customer_code: str
    order_line__customer_name: str
    order_line__name: str
    order_line__brand: str
    order_line__unit: str
    order_line__unit_price_incl_tax: Decimal


@dataclass(frozen=True, slots=True)
class ReportSheet:
    """The content of a sheet. `rows` are read lazily; `row_count` is their number. `totals` are the
    cells of the last row. They sum each fact once: 含下级金额 has no total, because a department's
    amount is part of every department above it.
    """

    name: str
    file_name: str
    header: tuple[str, ...]
    rows: Iterator[Row]
    row_count: int
    totals: list[Cell]
    cover: list[tuple[str, Cell]]


def get_report_sheet(
    *, actor: Account, name: str, question: ReportQuestion, sort: str
) -> ReportSheet:
    """Return the sheet of a report under the filters.

    Raises:
        ValidationFailed: the days of the question make no valid period, or the sort column is
            unknown.
    """
    windows, sort = question.get_windows(), sort_of(name, sort)
    matching = get_matching_facts(actor=actor, report=name, question=question)
    now = matching.restrict_to(windows.window)
    summary, orders, days = get_summary(matching, windows), count_orders(now), windows.window
    title = str(ReportName(name).label)
    header, context = HEADERS[name], get_row_context(actor, name, question, matching, windows)
    listed_rows = list_rows(matching, name, windows, sort, context) if context.is_listed else None
    return ReportSheet(
        name=title,
        file_name=f"{title}_{days.since:%Y%m%d}-{days.until:%Y%m%d}.xlsx",
        header=header,
        rows=_iterate_rows(matching, now, name, windows, sort, context, listed_rows),
        row_count=count_rows(matching, name, windows) if listed_rows is None else len(listed_rows),
        totals=_build_total_row(
            header,
            summary,
            orders,
            {**_get_savings_totals(name, now), **_get_budget_totals(context)},
        ),
        cover=_list_cover_lines(actor, title, name, question, windows, summary.totals, orders),
    )


def _get_savings_totals(name: str, current_facts: MatchingFacts) -> dict[str, Cell]:
    """Return {label: total}. Empty for other reports than 节约."""
    if name != ReportName.SAVINGS:
        return {}
    savings = get_savings_figures(current_facts.facts)
    return {
        "按市场价金额": savings.market,
        "节约金额": savings.saved,
        "节约率（%）": _format_percent_cell(savings.saved_percent),
        "协议内金额": savings.agreed,
        "协议外金额": savings.off_agreement,
        "协议内占比（%）": _format_percent_cell(savings.agreed_percent),
    }


def _get_budget_totals(context: RowContext) -> dict[str, Cell]:
    """Return {label: total in 元}. Empty for reports without budgets."""
    if context.budgets is None:
        return {}
    totals = sum_report_budgets([*context.budgets.values()])
    return {
        "预算额度": totals.amount,
        "已预占": totals.reserved,
        "已使用": totals.consumed,
        "可用": totals.available,
        "预计期末使用": totals.at_end,
        "预计超出": totals.overrun,
    }


def _build_total_row(
    header: Sequence[str], summary: Summary, orders: int, more: dict[str, Cell]
) -> list[Cell]:
    """Return the last row: the totals under their titles. `more`: {title: total} of this report."""
    sums, previous, year_before = summary.totals, summary.previous, summary.year_before
    cell_by_title: dict[str, Cell] = {
        **dict(zip(MONEY_COLUMNS, (sums.quantity, sums.amount, sums.tax, sums.net), strict=True)),
        "订单数": orders,
        "上期含税金额": previous.amount,
        "环比（%）": _format_percent_cell(previous.percent),
        "上年同期含税金额": year_before.amount,
        "同比（%）": _format_percent_cell(year_before.percent),
        **more,
    }
    return ["合计", *(cell_by_title.get(title) for title in header[1:])]


def _list_cover_lines(
    actor: Account,
    title: str,
    name: str,
    question: ReportQuestion,
    windows: Windows,
    sums: Sums,
    orders: int,
) -> list[tuple[str, Cell]]:
    """Return (label, value) of each line of the cover."""
    return [
        ("报表", title),
        ("统计口径", str(Basis(question.basis).label)),
        (
            "统计期间",
            (
                f"{windows.window.since:%Y-%m-%d} 至 {windows.window.until:%Y-%m-%d}"
                f"（{Preset(question.preset).label}）"
            ),
        ),
        ("数据范围", str(actor.get_data_scope(MENU_OF[name]).label)),
        *_iterate_compared_days(name, windows),
        *_list_filter_lines(question),
        ("含税金额", sums.amount),
        ("税额", sums.tax),
        ("不含税金额", sums.net),
        ("数量", sums.quantity),
        ("订单数", orders),
        ("导出人", actor.nickname),
        ("导出时间", timezone.now()),
    ]


def _iterate_compared_days(name: str, windows: Windows) -> Iterator[tuple[str, Cell]]:
    """Yield (label, days) of the comparison periods, if the report has comparison columns."""
    if name in COMPARED_REPORTS:
        for title, window in (("环比上期", windows.previous), ("上年同期", windows.year_before)):
            yield title, f"{window.since:%Y-%m-%d} 至 {window.until:%Y-%m-%d}"


def _list_filter_lines(question: ReportQuestion) -> Iterator[tuple[str, Cell]]:
    """Yield (label, names of the values) of the filters. A key that does not exist in the group
    appears as unknown.
    """
    no_value = {"预算": names.NO_BUDGET}
    by_key: list[tuple[str, type[Model], int | None, str]] = [
        ("企业", Enterprise, question.enterprise_id, "name"),
        ("部门（含下级）", Department, question.department_id, "name"),
        ("部门（不含下级）", Department, question.own_department_id, "name"),
        ("商品类目", Category, question.category_id, "name"),
        ("品牌", Brand, question.brand_id, "name"),
        ("采购人", Account, question.requester_id, "nickname"),
        ("预算", Budget, question.budget_id, "name"),
    ]
    for title, model, pk, field in by_key:
        if pk is not None:
            manager: Any = model._default_manager
            yield (
                title,
                manager.filter(pk=pk).values_list(field, flat=True).first()
                or (no_value.get(title, names.NO_DEPARTMENT) if pk == 0 else names.UNKNOWN),
            )
    texts = {
        "商品编码": question.product_code,
        "采购单号": question.purchase_order_no,
        "成本中心": question.cost_center,
    }
    yield from (
        (title, text) for title, text in {**texts, "订单号": question.order_no}.items() if text
    )
    if question.is_off_agreement is not None:
        yield "协议", "协议外" if question.is_off_agreement else "协议内"
    if question.statuses:
        yield "订单状态", "、".join(str(OrderStatus(state).label) for state in question.statuses)
    if question.payment_kinds:
        yield "付款方式", "、".join(str(PaymentKind(kind).label) for kind in question.payment_kinds)
    if question.is_overrunning:
        yield "预算范围", "只看预计超出"
    if question.weekday:
        yield "星期", "一二三四五六日"[question.weekday - 1]


def iterate_cells(report: Report) -> Iterator[Row]:
    """Return the rows of a report's page as rows of its sheet."""
    rows: list[Any] = report.rows
    if report.name not in KEY_COLUMNS:
        rows = _load_details(ReportFact.objects.all(), LARGEST_FIRST, [fact.pk for fact in rows])
    return (CELLS[report.name](row, report.row_names) for row in rows)


def _iterate_rows(
    matching: MatchingFacts,
    current_facts: MatchingFacts,
    name: str,
    windows: Windows,
    sort: str,
    context: RowContext,
    listed_rows: QuerySet[Any] | list[RowValues] | None,
) -> Iterator[Row]:
    """Yield the cells of each row. `listed_rows`: the rows, or None to read them here."""
    cells = CELLS[name]
    # Load all keys first, then the rows in batches. On SQLite an open cursor would block writes of
    # this connection for minutes.
    source: Any = listed_rows
    if listed_rows is None:
        source = (
            list_rows(matching, name, windows, sort, context)
            if name in KEY_COLUMNS
            else list_detail_rows(current_facts.facts, sort).values_list("pk", flat=True)
        )
    remaining = iter(list(source))
    while batch := list(islice(remaining, BATCH_ROWS)):
        page: list[Any] = (
            load_grouped_rows(matching, name, windows, batch)
            if name in KEY_COLUMNS
            else _load_details(current_facts.facts, sort, batch)
        )
        row_names = get_row_names(name, page, context)
        yield from (cells(row, row_names) for row in page)


def _load_details(
    current_facts: QuerySet[ReportFact], sort: str, keys: Sequence[int]
) -> list[Detail]:
    rows = (
        list_detail_rows(current_facts, sort)
        .filter(pk__in=keys)
        .order_by()
        .values_list(*Detail._fields)
    )
    details = {row[0]: Detail._make(row) for row in rows}
    return [details[pk] for pk in keys if pk in details]


def _build_amount_cells(row: GroupedRow) -> tuple[Cell, ...]:
    return row.quantity, row.amount, row.tax, row.net


def _list_comparison_cells(row: GroupedRow) -> tuple[Cell, ...]:
    """Return orders, amounts, and the amounts of the periods to compare with, with the change in
    %.
    """
    changes = (
        row.previous,
        _format_percent_cell(row.percent_of_previous),
        row.year_before,
        _format_percent_cell(row.percent),
    )
    return row.orders, *_build_amount_cells(row), *changes


def _format_percent_cell(percent: Decimal | None) -> Cell:
    """Return the percentage as a plain number, because a Decimal would get the money format
    with two decimals.
    """
    return None if percent is None else float(percent)


def _build_order_row(row: GroupedRow, row_names: RowNames) -> Row:
    order = row_names.orders[row.key[0] or 0]
    order_cells = (
        STATES[order.status],
        order.enterprise.name,
        row_names.get_department_name(order.department_id),
        order.requester.nickname,
    )
    payment_cells = (PAYMENT_KINDS[order.payment_kind], order.purchase_order_no, order.cost_center)
    return (
        order.order_no,
        order.submitted_at,
        *order_cells,
        *payment_cells,
        *_build_amount_cells(row),
    )


def _build_detail_row(fact: Detail, row_names: RowNames) -> Row:
    """Return the cells of one fact, in the order of the columns of the sheet 明细."""
    is_freight = fact.order_line__product_code is None
    product_cells: tuple[Cell, ...] = (
        ("", "", names.FREIGHT, "") if is_freight else _list_goods_cells(fact)
    )
    category = " / ".join(
        text
        for pk in (fact.category_id_l1, fact.category_id_l3)
        if (text := row_names.categories.get(pk))
    )
    requester_cells = (
        fact.enterprise__name,
        row_names.get_department_name(fact.department_id),
        fact.requester__nickname,
    )
    payment_cells = (
        PAYMENT_KINDS[fact.payment_kind],
        fact.budget__name,
        fact.purchase_order_no,
        fact.cost_center,
    )
    unit, price = (
        ("", None) if is_freight else (fact.order_line__unit, fact.order_line__unit_price_incl_tax)
    )
    amount_cells = (
        fact.quantity,
        fact.amount,
        fact.tax_amount,
        (fact.amount or ZERO) - (fact.tax_amount or ZERO),
    )
    order_cells = (fact.at, KINDS[fact.kind], fact.order__order_no, STATES[fact.order_status])
    return (
        *order_cells,
        *requester_cells,
        *product_cells,
        category,
        unit,
        *payment_cells,
        price,
        *amount_cells,
    )


def _list_goods_cells(fact: Detail) -> tuple[Cell, ...]:
    """Return product code, the customer's code, name and brand."""
    name = fact.order_line__customer_name or fact.order_line__name
    return (
        fact.order_line__product_code,
        fact.order_line__customer_code,
        name,
        fact.order_line__brand,
    )


def _build_product_row(row: GroupedRow, row_names: RowNames) -> Row:
    product: Product | None = row_names.products.get(row.key[0] or 0)
    if product is None:
        return FREIGHT_CODE, names.FREIGHT, "", "", "", *_list_comparison_cells(row)
    return (
        product.code,
        product.name,
        product.brand.name,
        f"{product.l1.name} / {product.category.name}",
        product.unit,
        *_list_comparison_cells(row),
    )


def _build_department_row(row: GroupedRow, row_names: RowNames) -> Row:
    return (
        row_names.enterprises.get(row.key[0] or 0, ""),
        row_names.get_department_name(row.key[1]),
        *_list_comparison_cells(row),
        row.subtotal,
    )


def _build_purchaser_row(row: GroupedRow, row_names: RowNames) -> Row:
    person = row_names.people[row.key[0] or 0]
    enterprise = person.enterprise.name if person.enterprise else ""
    return (
        person.nickname,
        person.username,
        enterprise,
        row_names.get_department_name(person.department_id),
        *_list_comparison_cells(row),
    )


def _build_brand_row(row: GroupedRow, row_names: RowNames) -> Row:
    return row_names.get_brand_name(row.key[0]), *_list_comparison_cells(row)


def _build_savings_row(row: GroupedRow, row_names: RowNames) -> Row:
    return (
        row_names.get_category_name(row.key[0]),
        *_list_comparison_cells(row),
        row.market,
        row.saved,
        _format_percent_cell(row.saved_percent),
        row.agreed,
        row.off_agreement,
        _format_percent_cell(row.agreed_percent),
    )


def _build_budget_row(row: GroupedRow, row_names: RowNames) -> Row:
    """Return the cells of one budget. Amounts without a budget have only a name and their
    comparison.
    """
    name, actual = row_names.get_budget_name(row.key[0]), row_names.actuals.get(row.key[0] or 0)
    if actual is None:
        return (name, *[""] * 4, *_list_comparison_cells(row), *[None] * 7)
    budget, forecast = actual.budget, actual.forecast
    return (
        name,
        budget.owner_name,
        actual.period_name,
        actual.parent_name,
        budget.earmark_text,
        *_list_comparison_cells(row),
        budget.amount,
        budget.reserved,
        budget.consumed,
        _format_percent_cell(actual.used_percent),
        budget.available,
        forecast.at_end,
        actual.overrun,
    )


CELLS: dict[str, Callable[[Any, RowNames], Row]] = {
    ReportName.ORDER: _build_order_row,
    ReportName.ORDER_DETAIL: _build_detail_row,
    ReportName.PRODUCT: _build_product_row,
    ReportName.DEPARTMENT: _build_department_row,
    ReportName.PURCHASER: _build_purchaser_row,
    ReportName.BRAND: _build_brand_row,
    ReportName.SAVINGS: _build_savings_row,
    ReportName.BUDGET: _build_budget_row,
}


def sheet_write(
    sheet: ReportSheet,
    file: IO[bytes],
    *,
    folder: str | None = None,
    on_row: Callable[[int], None] | None = None,
) -> int:
    """Return the number of rows written. Before each row, `on_row` receives the number of rows so
    far; it may raise to stop.

    Temporary files go to `folder`, by default the system's temporary folder.
    """

    def iterate_rows() -> Iterator[Row]:
        """Yield the rows of the sheet and report the number of each to `on_row`."""
        for number, row in enumerate(sheet.rows):
            if on_row is not None:
                on_row(number)
            yield row

    return write_xlsx(
        file,
        rows=iterate_rows(),
        folder=folder,
        header=sheet.header,
        sheet=sheet.name,
        cover=sheet.cover,
        totals=sheet.totals,
    )
