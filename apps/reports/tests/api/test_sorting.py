"""Sorting of rows by name, number of orders, previous period, year before and change. The rows
still sum to the total.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory
from apps.reports.enums import ReportName
from apps.reports.selectors.names import list_labels
from apps.reports.tests.api.test_exports import read_sheets
from apps.reports.tests.trading import buy_at, deliver

NOW, BEFORE = (datetime(year, 7, 1, 10, tzinfo=ZoneInfo("Asia/Shanghai")) for year in (2026, 2025))
JUNE = datetime(2026, 6, 1, 10, tzinfo=ZoneInfo("Asia/Shanghai"))
JULY = {"Period": "custom", "From": "2026-07-01", "To": "2026-07-31"}
COMPARED = (ReportName.PRODUCT, ReportName.DEPARTMENT, ReportName.PURCHASER)
# 10 → 40 元: +300 %. 30 → 15 元: −50 %. 0 → 20 元: no percentage. 25 → 0 元: −100 %.
BOUGHT = {"中性笔": (10, 40), "办公用纸": (30, 15), "A4 夹": (0, 20), "墨盒": (25, 0)}


@pytest.fixture
def years(shopper: Account) -> Account:
    """Orders of four products at 1.00 元 each, in July of two consecutive years."""
    goods = {name: ProductFactory(name=name, market_price="1.00", stock=1000) for name in BOUGHT}
    for number, moment in enumerate((BEFORE, NOW)):
        buy_at(
            moment,
            shopper,
            *((goods[name], pieces[number]) for name, pieces in BOUGHT.items() if pieces[number]),
        )
    deliver()
    return shopper


@pytest.fixture
def months(years: Account) -> Account:
    """`years`, plus orders in June 2026: pens for 16 元 (July: 40), paper for 20 元 (July: 15),
    and scissors for 5 元 (in neither July).
    """
    goods = {product.name: product for product in Product.objects.filter(name__in=BOUGHT)}
    scissors = ProductFactory(name="剪刀", market_price="1.00", stock=1000)
    buy_at(JUNE, years, (goods["中性笔"], 16), (goods["办公用纸"], 20), (scissors, 5))
    deliver()
    return years


def list_values(
    api: ApiClient, sort: str, field: str = "Name", report: str = "Product"
) -> list[Any]:
    return [
        row[field] for row in api.get(f"/api/Report/{report}", {**JULY, "Sort": sort}).body["Items"]
    ]


def test_names_come_as_in_a_phone_book(years: Account) -> None:
    by = partial(list_values, ApiClient(years))
    assert by("name") == ["A4 夹", "办公用纸", "墨盒", "中性笔"]
    assert by("-name") == ["中性笔", "墨盒", "办公用纸", "A4 夹"]


def test_the_year_before_orders_rows(years: Account) -> None:
    assert list_values(ApiClient(years), "-lastyear", "LastYear") == [
        "30.00",
        "25.00",
        "10.00",
        "0.00",
    ]


def test_rows_without_a_change_are_sorted_last_in_both_directions(years: Account) -> None:
    by = partial(list_values, ApiClient(years), field="Change")
    assert by("-change") == ["300.0", "-50.0", "-100.0", None]
    assert by("change") == ["-100.0", "-50.0", "300.0", None]


def test_the_period_before_orders_rows(months: Account) -> None:
    by = partial(list_values, ApiClient(months))
    assert by("-previous", "Previous") == ["20.00", "16.00", "5.00", "0.00", "0.00"]
    assert by("-previouschange", "PreviousChange") == ["150.0", "-25.0", "-100.0", None, None]
    assert by("previouschange", "PreviousChange") == ["-100.0", "-25.0", "150.0", None, None]


@pytest.mark.parametrize("report", COMPARED)
def test_rows_sum_to_the_previous_period_including_discontinued_products(
    months: Account, report: str
) -> None:
    page = ApiClient(months).get(f"/api/Report/{report}", JULY).body
    assert (page["Previous"]["From"], page["Previous"]["To"], page["Previous"]["Amount"]) == (
        "2026-06-01",
        "2026-06-30",
        "41.00",
    )
    assert sum(float(row["Previous"]) for row in page["Items"]) == 41
    assert page["Total"] == len(page["Items"]) == (5 if report == ReportName.PRODUCT else 1)


def test_the_number_of_orders_orders_rows(years: Account) -> None:
    pens, paper = (Product.objects.get(name=name) for name in ("中性笔", "办公用纸"))
    for wishes in (((paper, 1),), ((paper, 1), (pens, 1))):
        buy_at(NOW, years, *wishes)
    deliver()
    by = partial(list_values, ApiClient(years))
    assert by("-orders", "Orders") == [3, 2, 1, 0]
    assert by("-orders") == ["办公用纸", "中性笔", "A4 夹", "墨盒"]
    assert by("orders") == ["墨盒", "A4 夹", "中性笔", "办公用纸"]


def test_rows_with_equal_order_counts_are_sorted_by_amount(years: Account) -> None:
    assert list_values(ApiClient(years), "-orders", "Amount") == ["40.00", "20.00", "15.00", "0.00"]


def test_departments_and_people_come_by_orders_too(years: Account, department: Department) -> None:
    person = AccountFactory(
        department=DepartmentFactory(enterprise=department.enterprise, name="安全部", code="AN-2"),
        nickname="阿宝",
        roles=[RoleFactory(group=department.group, code="buyers")],
    )
    for _ in range(2):
        buy_at(NOW, person, (Product.objects.get(name="A4 夹"), 1))
    deliver()
    api = ApiClient(AccountFactory(department=department, nickname="看客", kind="GA"))
    assert (
        list_values(api, "-orders", "Orders", "Purchaser")
        == list_values(api, "-orders", "Orders", "Department")
        == [2, 1]
    )
    assert list_values(api, "-orders", report="Purchaser")[0] == "阿宝"


def test_departments_and_people_come_by_name_too(years: Account, department: Department) -> None:
    place = DepartmentFactory(enterprise=department.enterprise, name="安全部", code="AN-1")
    role = RoleFactory(group=department.group, code="buyers")
    person = AccountFactory(department=place, nickname="阿宝", roles=[role])
    buy_at(NOW, person, (Product.objects.get(name="A4 夹"), 1))
    deliver()
    api = ApiClient(AccountFactory(department=department, nickname="看客", kind="GA"))
    assert list_values(api, "name", report="Purchaser")[0] == "阿宝"
    assert list_values(api, "name", "Department", "Department")[0] == "安全部"


@pytest.mark.parametrize("report", COMPARED)
def test_rows_sum_to_the_previous_year_including_discontinued_products(
    years: Account, report: str
) -> None:
    page = ApiClient(years).get(f"/api/Report/{report}", JULY).body
    assert page["LastYear"]["Amount"] == "65.00"
    assert sum(float(row["LastYear"]) for row in page["Items"]) == 65
    assert page["Total"] == len(page["Items"]) == (4 if report == ReportName.PRODUCT else 1)


def test_discontinued_product_is_a_zero_row(years: Account) -> None:
    rows = {
        row["Name"]: row for row in ApiClient(years).get("/api/Report/Product", JULY).body["Items"]
    }
    gone = rows["墨盒"]
    assert (gone["Amount"], gone["Quantity"], gone["Orders"], gone["LastYear"], gone["Change"]) == (
        "0.00",
        0,
        0,
        "25.00",
        "-100.0",
    )


def test_top_ten_chart_excludes_discontinued_products(years: Account) -> None:
    for more in ({}, {"Sort": "name"}):
        top = ApiClient(years).get("/api/Report/Product", {**JULY, **more}).body["Charts"]["Top"]
        assert [row["Name"] for row in top] == ["中性笔", "A4 夹", "办公用纸"]


def test_a_sheet_has_the_rows_of_the_page(years: Account) -> None:
    _, rows = read_sheets(
        ApiClient(years).post("/api/Report/Product/Export", {**JULY, "Sort": "-name"})
    )
    assert [row[1] for row in rows[1:-1]] == ["中性笔", "墨盒", "办公用纸", "A4 夹"]


def test_exported_sheet_contains_changes_and_comparison_periods(months: Account) -> None:
    cover, rows = read_sheets(
        ApiClient(months).post("/api/Report/Product/Export", {**JULY, "Sort": "-orders"})
    )
    named = {row[1]: dict(zip(rows[0], row, strict=True)) for row in rows[1:]}
    figures = ("上期含税金额", "环比（%）", "上年同期含税金额", "同比（%）")
    assert [named["中性笔"][title] for title in figures] == [16, 150, 10, 300]
    assert [rows[-1][rows[0].index(title)] for title in figures] == [41, 82.9, 65, 15.4]
    values = {row[0]: row[1] for row in cover}
    assert (values["环比上期"], values["上年同期"]) == (
        "2026-06-01 至 2026-06-30",
        "2025-07-01 至 2025-07-31",
    )


@pytest.mark.parametrize(
    "sort", ["name", "-orders", "previous", "previouschange", "-lastyear", "change"]
)
def test_an_order_is_beside_no_year_before(years: Account, sort: str) -> None:
    api = ApiClient(years)
    expected_text = "该报表不支持按此列排序"
    assert api.get("/api/Report/Order", {**JULY, "Sort": sort}).message == expected_text
    query = {"Report": "Order", "Filters": {**JULY, "Sort": sort}}
    assert api.post("/api/ExportJob", query, key="sort-of-nothing-0001").message == expected_text
    assert api.post("/api/SavedView", {"Name": "七月", **query}).message == expected_text


def test_freight_and_no_department_have_names_to_be_sorted_by() -> None:
    assert list_labels(ReportName.PRODUCT, {}, [(None,)]) == ["运费"]
    assert list_labels(ReportName.DEPARTMENT, {}, [(1, None)]) == ["未归属部门"]
