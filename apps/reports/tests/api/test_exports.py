"""Report workbooks: typed cells, the same totals as the page, the filters on the cover sheet,
and no text that a spreadsheet runs as a formula.
"""

from __future__ import annotations

import io
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from python_calamine import CalamineWorkbook

from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import Answer, ApiClient
from apps.orders.tests.factories import FreightRegionFactory, place_order
from apps.org.models import Account
from apps.reports.enums import ReportName
from apps.reports.tests.trading import deliver


@pytest.fixture
def bought(shopper: Account) -> Account:
    """Two orders with freight. The name of one product looks like a formula."""
    FreightRegionFactory(fee=Decimal("8.00"))
    place_order(
        shopper,
        (ProductFactory(name="=HYPERLINK(1)", market_price=Decimal("12.99")), 3),
        purchase_order_no="+1",
    )
    place_order(shopper, (ProductFactory(), 2))
    deliver()
    return shopper


def read_sheets(answer: Answer) -> tuple[list[list[Any]], list[list[Any]]]:
    """Return the rows of the cover sheet and the rows of the report."""
    book = CalamineWorkbook.from_filelike(io.BytesIO(answer.body))
    assert book.sheet_names[0] == "说明"
    cover, report = [book.get_sheet_by_name(name).to_python() for name in book.sheet_names]
    return cover, report


@pytest.mark.parametrize("name", ReportName.values)
def test_exported_rows_sum_to_the_total_of_the_page(bought: Account, name: str) -> None:
    api = ApiClient(bought)
    _, rows = read_sheets(api.post(f"/api/Report/{name}/Export"))
    at = rows[0].index("含税金额")
    cents = [round(row[at] * 100) for row in rows[1:]]
    result = Decimal(api.get(f"/api/Report/{name}").body["Totals"]["Amount"])
    assert rows[-1][0] == "合计"
    assert sum(cents[:-1]) == cents[-1] == int(result * 100) == 7497


def test_a_text_that_looks_like_a_formula_stays_text(bought: Account) -> None:
    _, rows = read_sheets(ApiClient(bought).post("/api/Report/OrderDetail/Export"))
    names, numbers = rows[0].index("商品"), rows[0].index("采购单号")
    assert "=HYPERLINK(1)" in {row[names] for row in rows[1:]}
    assert "+1" in {row[numbers] for row in rows[1:]}


def test_days_and_money_are_days_and_numbers(bought: Account) -> None:
    _, rows = read_sheets(ApiClient(bought).post("/api/Report/Order/Export"))
    assert isinstance(rows[1][1], datetime)
    assert isinstance(rows[1][rows[0].index("含税金额")], float)


def test_export_cover_names_its_filters_and_data_scope(bought: Account) -> None:
    body = {
        "Basis": "ordered",
        "Period": "month",
        "Status": ["pending_confirm"],
        "PurchaseOrderNo": "+1",
    }
    cover, _ = read_sheets(ApiClient(bought).post("/api/Report/Product/Export", body))
    values = {row[0]: row[1] for row in cover}
    assert (values["统计口径"], values["订单状态"], values["采购单号"], values["数据范围"]) == (
        "下单口径",
        "待确认",
        "+1",
        "仅本人",
    )
    assert values["含税金额"] == pytest.approx(46.97)


def test_export_cover_shows_a_placeholder_for_a_missing_department(bought: Account) -> None:
    cover, _ = read_sheets(
        ApiClient(bought).post("/api/Report/Product/Export", {"DepartmentId": "999"})
    )
    assert {row[0]: row[1] for row in cover}["部门（含下级）"] == "（不存在）"


def test_the_file_is_named_after_the_report_and_its_days(bought: Account) -> None:
    answer = ApiClient(bought).post(
        "/api/Report/Order/Export", {"Period": "custom", "From": "2026-01-01", "To": "2026-01-31"}
    )
    assert answer.response["Content-Disposition"].startswith(
        "attachment; filename*=UTF-8''%E8%AE%A2%E5%8D%95"
    )
    assert answer.response["Content-Disposition"].endswith("20260101-20260131.xlsx")


def test_a_report_without_its_right_is_not_exported(limited: Account) -> None:
    assert ApiClient(limited).post("/api/Report/Order/Export").code == "forbidden"


def test_report_export_of_another_group_is_empty(bought: Account, other_ga: Account) -> None:
    _, rows = read_sheets(ApiClient(other_ga).post("/api/Report/OrderDetail/Export"))
    assert len(rows) == 2


def test_an_unknown_filter_is_refused(bought: Account) -> None:
    assert "Group" in ApiClient(bought).post("/api/Report/Order/Export", {"Group": "1"}).errors


@pytest.mark.parametrize("name", ReportName.values)
def test_more_rows_cost_no_more_queries(bought: Account, name: str) -> None:
    api = ApiClient(bought)
    with CaptureQueriesContext(connection) as few:
        api.post(f"/api/Report/{name}/Export")
    for _ in range(3):
        place_order(bought, (ProductFactory(), 1), (ProductFactory(), 2))
    deliver()
    with CaptureQueriesContext(connection) as many:
        _, rows = read_sheets(api.post(f"/api/Report/{name}/Export"))
    assert len(rows) > 2
    assert len(many) == len(few)
