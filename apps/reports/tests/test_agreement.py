"""Property test: any filter gives the same total in all reports, to the cent. The data
contains received, returned, cancelled, partly cancelled and invoiced orders.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from apps.aftersales.tests import cancelling, stories
from apps.catalog.tests.factories import ProductFactory
from apps.common.money import ZERO, round_yuan
from apps.common.tenancy import platform_scope, tenant_scope
from apps.common.testing import examples, undone
from apps.invoices.tests.factories import apply_for, issue_all, list_lines, received_order
from apps.orders.models import Order, OrderLine
from apps.orders.services.cancellations import order_cancel
from apps.orders.tests.factories import FreightRegionFactory, place_order, settle_in
from apps.org.enums import DataScope
from apps.org.models import Account, Department, Group
from apps.org.tests.factories import (
    AccountFactory,
    DepartmentFactory,
    EnterpriseFactory,
    GroupFactory,
    RoleFactory,
    StaffFactory,
)
from apps.reports.enums import Basis, Preset, ReportName
from apps.reports.models import ReportFact
from apps.reports.selectors.cuts import COMPARED_REPORTS
from apps.reports.selectors.matching import get_matching_facts
from apps.reports.selectors.question import ReportQuestion
from apps.reports.selectors.reports import Report
from apps.reports.selectors.sheets import get_report_sheet
from apps.reports.tests.trading import compute_report, deliver
from demo.load.clock import clock_at

NOON = datetime(2025, 3, 12, 12, 0, tzinfo=ZoneInfo("Asia/Shanghai"))


@dataclass(frozen=True, slots=True)
class Market:
    """The keys of a group whose accounts have traded for a year: 行政部 and the accounts of
    `market`.
    """

    group_id: int
    department_id: int
    account_ids: tuple[int, ...]


@pytest.fixture(scope="module")
def traded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Generator[Market]:
    """Create the market once for all tests of this module, because it takes a second and a half.
    A test rolls back its own changes; the market is rolled back at the end.
    """
    with django_db_blocker.unblock(), undone():
        with platform_scope(reason="test: a market"):
            department = DepartmentFactory(
                enterprise=EnterpriseFactory(
                    group=GroupFactory(code="YF"), code="YF01", name="云帆科技有限公司"
                ),
                code="YF01-ADM",
                name="行政部",
            )
            staff = StaffFactory(username="trader")
        with tenant_scope(group_id=department.group.pk):
            people = _list_trade(department, staff)
        yield Market(department.group.pk, department.pk, tuple(person.pk for person in people))


@pytest.fixture
def group(traded: Market, db: None) -> Generator[Group]:
    """The group of the market. Its tenant scope is open during the test."""
    with tenant_scope(group_id=traded.group_id):
        yield Group.objects.get(pk=traded.group_id)


@pytest.fixture
def department(traded: Market, group: Group) -> Department:
    return Department.objects.get(pk=traded.department_id)


@pytest.fixture
def market(traded: Market, group: Group) -> list[Account]:
    """Three accounts of two departments. Their orders, over one year, are received, returned,
    cancelled, partly cancelled or invoiced.
    """
    return list(Account.objects.filter(pk__in=traded.account_ids).order_by("pk"))


def _list_trade(department: Department, staff: Account) -> list[Account]:
    """Let the three accounts order, and return them in the order of their keys."""
    FreightRegionFactory(fee=Decimal("8.00"))
    below = DepartmentFactory(
        enterprise=department.enterprise, parent=department, code="YF01-ADM-1", name="采购组"
    )
    own, more = (
        RoleFactory(group=department.group, code=scope, name=scope, data_scope=scope)
        for scope in (DataScope.OWN, DataScope.DEPARTMENT)
    )
    people: list[Account] = [
        AccountFactory(department=place, roles=[role])
        for place, role in ((department, own), (department, more), (below, more))
    ]
    settle_in(people[0])
    goods = [
        ProductFactory(stock=1000, market_price=Decimal(price))
        for price in ("0.35", "12.99", "7.77")
    ]
    for number, person in enumerate(people * 3):
        with clock_at(NOON + timedelta(days=45 * number + number % 3)):
            wishes = [(goods[number % 3], 3 + number), (goods[(number + 1) % 3], 2)]
            _end_order(
                number,
                person,
                staff,
                wishes,
                purchase_order_no=f"PO-{number % 2}",
                payment_kind=("credit", "transfer")[number % 2],
            )
    for number, order in enumerate(
        Order.objects.filter(completed_at__isnull=False).order_by("pk")[:2]
    ):
        left = OrderLine.objects.filter(order=order).order_by("no")[number]
        issue_all(
            apply_for(order.requester, {left.pk: left.received_quantity - left.returned_quantity}),
            staff=staff,
        )
    deliver()
    return people


def _end_order(
    number: int, person: Account, staff: Account, wishes: list[Any], **form: Any
) -> None:
    if number in (0, 3, 4, 8):
        order = received_order(person, *wishes, staff=staff, **form)
        if number in (3, 8):
            story = stories.Story(person, staff, stories.apply_for_return(person, order, 1))
            story.to("pending_confirm")
        return
    order = place_order(person, *wishes, **form)
    if number == 5:
        order_cancel(actor=person, order_no=order.order_no, reason="买错了")
    elif number in (1, 7):
        cancelling.ask(person, order, 1)


def get_sums(report: Report) -> tuple[Decimal, Decimal, int]:
    """Return the sums of a report's rows: amount, tax and quantity."""
    tax = "tax_amount" if report.name == ReportName.ORDER_DETAIL else "tax"
    rows = report.rows
    return (
        sum((row.amount for row in rows), ZERO),
        sum((getattr(row, tax) for row in rows), ZERO),
        sum(row.quantity for row in rows),
    )


FIRST_DAY = date(2025, 3, 1)
NAMED = (
    "requester_id",
    "department_id",
    "own_department_id",
    "product_code",
    "category_id",
    "is_off_agreement",
    "weekday",
    "purchase_order_no",
)
LISTED = ("payment_kinds", "statuses")
# Filters whose value is drawn as it is.
PLAIN_NAMED = ("is_off_agreement", "weekday", "purchase_order_no")
FILTERS = st.fixed_dictionaries(
    {
        "asked": st.sets(st.sampled_from((*NAMED, *LISTED)), max_size=3),
        "basis": st.sampled_from(list(Basis)),
        "begin": st.sampled_from([0, 3, 40, 100, 200, 400]),
        "length": st.sampled_from([0, 30, 61, 62, 365, 700, 1200]),
        "who": st.integers(0, 2),
        "place": st.integers(0, 1),
        "own_place": st.integers(0, 1),
        "goods": st.integers(0, 3),
        "category": st.integers(0, 2),
        "is_off_agreement": st.booleans(),
        "weekday": st.integers(1, 7),
        "purchase_order_no": st.sampled_from(["PO-0", "PO-1", "PO-9"]),
        "payment_kinds": st.sampled_from([("credit",), ("credit", "transfer"), ("online",)]),
        "statuses": st.sampled_from(
            [("completed",), ("cancelled", "pending_confirm"), ("pending_shipment",)]
        ),
        "looks": st.sampled_from(["group", "department", "own"]),
    }
)
# Questions without filters run before the random ones. They alone give one total per basis and
# data scope, so the test always compares several totals.
PLAIN = {
    "asked": set[str](),
    "begin": 0,
    "length": 700,
    "who": 0,
    "place": 0,
    "own_place": 0,
    "goods": 0,
    "category": 0,
    "is_off_agreement": False,
    "weekday": 1,
}
UNNARROWED = [
    PLAIN | dict.fromkeys(LISTED, ()) | {"basis": basis, "looks": looks, "purchase_order_no": ""}
    for basis in Basis
    for looks in ("group", "own")
]


def _question(drawn: dict[str, Any], people: list[Account]) -> ReportQuestion:
    lines = list(
        OrderLine.objects.order_by("product_id")
        .values_list("product_code", "category_id_l3")
        .distinct()
    )
    codes, places = (
        sorted({code for code, _ in lines}),
        sorted({person.department_id or 0 for person in people}),
    )
    categories = sorted({key for _, key in lines})
    since = FIRST_DAY + timedelta(days=drawn["begin"])
    filters = {
        "requester_id": people[drawn["who"]].pk,
        "department_id": places[drawn["place"]],
        "own_department_id": places[drawn["own_place"]],
        "product_code": (*codes, "0")[drawn["goods"]],
        "category_id": categories[drawn["category"] % len(categories)],
        **{
            name: drawn[name]
            for name in ("is_off_agreement", "weekday", "purchase_order_no", *LISTED)
        },
    }
    query = {name: value for name, value in filters.items() if name in drawn["asked"]}
    until = since + timedelta(days=drawn["length"])
    return ReportQuestion(
        basis=drawn["basis"], preset=Preset.CUSTOM, since=since, until=until, **query
    )


def test_the_same_filter_gives_the_same_total_in_all_reports(
    market: list[Account], ga: Account
) -> None:
    looks = {"group": ga, "department": market[1], "own": market[0]}
    seen: set[Decimal] = set()

    @settings(max_examples=examples(75))
    @given(FILTERS)
    def agree(drawn: dict[str, Any]) -> None:
        actor, question = looks[drawn["looks"]], _question(drawn, market)
        reports = [compute_report(actor, name, question) for name in ReportName.values]
        totals = {
            (
                report.summary.totals.amount,
                report.summary.totals.tax,
                report.summary.totals.quantity,
            )
            for report in reports
        }
        assert len(totals) == 1
        assert {get_sums(report) for report in reports} == totals
        assert {
            sum((point.amount for point in report.summary.trend), ZERO) for report in reports
        } == {reports[0].summary.totals.amount}
        shares = {
            sum((row.amount for row in report.charts.share), ZERO)
            for report in reports
            if report.charts
        }
        assert shares == {reports[0].summary.totals.amount}
        assert {report.orders for report in reports} == {reports[0].total}
        seen.add(reports[0].summary.totals.amount)

    for plain in UNNARROWED:
        agree = example(plain)(agree)
    agree()
    # Several different totals occurred, so the test did not compare zeros only.
    assert len(seen) > 5


def test_rows_sum_to_the_totals_of_the_periods_they_are_compared_with(
    market: list[Account], ga: Account
) -> None:
    looks = {"group": ga, "department": market[1], "own": market[0]}
    seen: set[Decimal] = set()

    @settings(max_examples=examples(45))
    @given(FILTERS)
    def agree(drawn: dict[str, Any]) -> None:
        actor, question = looks[drawn["looks"]], _question(drawn, market)
        windows = question.get_windows()
        alone = [
            compute_report(
                actor, ReportName.ORDER, question.restrict_to(days)
            ).summary.totals.amount
            for days in (windows.previous, windows.year_before)
        ]
        for name in COMPARED_REPORTS:
            rows = compute_report(actor, name, question).rows
            assert [
                sum((row.previous for row in rows), ZERO),
                sum((row.year_before for row in rows), ZERO),
            ] == alone
        seen.add(alone[0])

    # These examples compare half a year with the half year before. The random questions begin
    # at the first order, so their previous periods contain few orders.
    for plain in UNNARROWED:
        agree = example(plain | {"begin": 200, "length": 180})(agree)
    agree()
    assert len(seen) > 3


def test_savings_and_agreed_goods_add_up_to_the_facts(market: list[Account], ga: Account) -> None:
    first = OrderLine.objects.order_by("pk").values_list("product_id", flat=True)[0]
    for line in OrderLine.objects.all():
        line.market_price = line.unit_price_incl_tax + Decimal("0.50")
        line.is_off_agreement = line.product_id == first
        line.save(update_fields=["market_price", "is_off_agreement"])
    report = compute_report(ga, ReportName.SAVINGS, WHOLE)
    facts = get_matching_facts(actor=ga, report=ReportName.ORDER, question=WHOLE).restrict_to(
        WHOLE.get_windows().window
    )
    goods = [fact for fact in facts.facts if fact.order_line_id]
    off = sum((fact.amount for fact in goods if fact.product_id == first), ZERO)

    savings = report.savings
    assert savings is not None
    assert savings.saved == sum(fact.quantity for fact in goods) * Decimal("0.50") > ZERO
    assert savings.off_agreement == sum((buyer.amount for buyer in savings.buyers), ZERO) == off
    assert savings.agreed + off == sum((fact.amount for fact in goods), ZERO)
    assert savings.amount == report.summary.totals.amount
    for name in ("market", "agreed", "off_agreement", "saved"):
        assert sum((getattr(row, name) for row in report.rows), ZERO) == getattr(savings, name)


def test_departments_have_subtotals_up_the_tree(market: list[Account], ga: Account) -> None:
    below = market[2].department
    assert below is not None
    top = DepartmentFactory(enterprise=below.enterprise, code="YF01-TOP", name="总部")
    Department.objects.filter(pk=below.parent_id).update(parent=top)

    report = compute_report(ga, ReportName.DEPARTMENT, WHOLE)
    rows = {row.key[1]: row for row in report.rows}
    assert [row.key[1] for row in report.rows] == [top.pk, below.parent_id, below.pk]
    own = rows[below.parent_id].amount, rows[below.pk].amount
    assert (rows[top.pk].amount, rows[top.pk].subtotal) == (ZERO, sum(own, ZERO))
    assert rows[below.parent_id].subtotal == sum(own, ZERO) == report.summary.totals.amount
    assert rows[below.pk].subtotal == own[1]
    # The sheet counts its rows, and its last row adds each fact once, not parent and child.
    sheet = get_report_sheet(actor=ga, name=ReportName.DEPARTMENT, question=WHOLE, sort="")
    last = dict(zip(sheet.header, sheet.totals, strict=True))
    assert (sheet.row_count, len(list(sheet.rows))) == (3, 3)
    assert (last["含税金额"], last["含下级金额"]) == (sum(own, ZERO), None)
    # A person who sees a part of the tree sees no department above it.
    assert [row.key[1] for row in compute_report(market[2], ReportName.DEPARTMENT, WHOLE).rows] == [
        below.pk
    ]


def test_report_total_equals_the_sum_in_python(market: list[Account], ga: Account) -> None:
    question = ReportQuestion(
        basis=Basis.RECEIVED, preset=Preset.CUSTOM, since=date(2025, 3, 1), until=date(2026, 12, 31)
    )
    facts = (
        get_matching_facts(actor=ga, report=ReportName.ORDER, question=question)
        .restrict_to(question.get_windows().window)
        .facts
    )
    by_hand = sum((fact.amount for fact in facts), ZERO)
    assert by_hand > round_yuan("100.00")
    assert compute_report(ga, ReportName.DEPARTMENT, question).summary.totals.amount == by_hand


WHOLE = ReportQuestion(preset=Preset.CUSTOM, since=date(2025, 3, 1), until=date(2026, 12, 31))
# Data scope, index of the account (None: the group administrator), number of visible orders.
SCOPES: list[tuple[str, int | None, int]] = [
    ("全集团", None, 9),
    ("本部门及下级", 1, 9),
    ("下级部门", 2, 3),
    ("仅本人", 0, 3),
]


@pytest.mark.parametrize(
    ("scope", "who", "orders"), SCOPES, ids=["group", "department", "below", "own"]
)
def test_every_cell_is_of_the_data_scope(
    market: list[Account], ga: Account, scope: str, who: int | None, orders: int
) -> None:
    actor = ga if who is None else market[who]
    for name in ReportName.values:
        report = compute_report(actor, name, WHOLE)
        assert report.orders == orders, name
        if scope == "仅本人":
            own = ReportFact.objects.filter(requester=actor, basis=Basis.ORDERED)
            assert report.summary.totals.amount == sum((fact.amount for fact in own), ZERO), name
            assert report.charts is not None
            assert (
                sum((part.amount for part in report.charts.share), ZERO)
                == report.summary.totals.amount
            ), name


def test_reports_of_another_group_are_empty(market: list[Account], other_ga: Account) -> None:
    with tenant_scope(group_id=other_ga.group_id or 0):
        for name in ReportName.values:
            report = compute_report(other_ga, name, WHOLE)
            assert (report.total, report.orders, report.summary.totals.amount) == (0, 0, ZERO), name


def test_a_closed_year_is_compared_with_the_year_before(market: list[Account], ga: Account) -> None:
    question = ReportQuestion(
        preset=Preset.CUSTOM, since=date(2026, 1, 1), until=date(2026, 12, 31)
    )
    result = compute_report(ga, ReportName.ORDER, question).summary
    assert (result.previous.window.since, result.previous.window.until) == (
        date(2025, 1, 1),
        date(2025, 12, 31),
    )
    assert result.previous.amount == result.year_before.amount > ZERO
    assert sum((point.year_before for point in result.trend), ZERO) == result.year_before.amount


def test_order_lines_keep_their_category_path_at_purchase(market: list[Account]) -> None:
    line = list_lines(OrderLine.objects.select_related("order").first().order)[0]
    product = line.product
    assert (line.category_id_l1, line.category_id_l2, line.category_id_l3) == (
        product.l1_id,
        product.l2_id,
        product.category_id,
    )
