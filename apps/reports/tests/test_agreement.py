"""Property test: any filter gives the same total in all reports, to the cent. The data
contains received, returned, cancelled, partly cancelled and invoiced orders.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from apps.aftersales.tests import cancelling, stories
from apps.budgets.models import Budget
from apps.budgets.selectors.budget_list import sum_budgets
from apps.budgets.tests.factories import make_budget
from apps.catalog.tests.factories import ProductFactory
from apps.common.money import ZERO, yuan
from apps.common.tenancy import tenant_scope
from apps.common.testing import examples
from apps.invoices.tests.factories import apply_for, issue_all, lines_of, received_order
from apps.orders.models import Order, OrderLine
from apps.orders.services.cancellations import order_cancel
from apps.orders.tests.factories import FreightRegionFactory, place_order
from apps.org.enums import DataScope
from apps.org.models import Account, Department
from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory
from apps.reports.enums import Basis, Preset, ReportName
from apps.reports.models import ReportFact
from apps.reports.selectors.cuts import COMPARED_REPORTS
from apps.reports.selectors.question import ReportQuestion, get_matching_facts
from apps.reports.selectors.reports import Report, get_report
from apps.reports.selectors.sheets import get_report_sheet
from apps.reports.tests.trading import deliver
from demo.load.clock import clock_at

NOON = datetime(2025, 3, 12, 12, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
ALL = slice(0, 10_000)


@pytest.fixture
def market(shopper: Account, staff: Account, department: Department) -> list[Account]:
    """Three accounts of two departments. Their orders, over one year, are received, returned,
    cancelled, partly cancelled or invoiced.
    """
    FreightRegionFactory(fee=Decimal("8.00"))
    below = DepartmentFactory(
        enterprise=department.enterprise, parent=department, code="YF01-ADM-1", name="采购组"
    )
    role = RoleFactory(
        group=department.group, code="more", name="采购", data_scope=DataScope.DEPARTMENT
    )
    others = [AccountFactory(department=place, roles=[role]) for place in (department, below)]
    goods = [
        ProductFactory(stock=1000, market_price=Decimal(price))
        for price in ("0.35", "12.99", "7.77")
    ]
    for number, person in enumerate((shopper, *others) * 3):
        with clock_at(NOON + timedelta(days=45 * number + number % 3)):
            wishes = [(goods[number % 3], 3 + number), (goods[(number + 1) % 3], 2)]
            _fate(
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
    return [shopper, *others]


def _fate(number: int, person: Account, staff: Account, wishes: list[Any], **form: Any) -> None:
    if number in (0, 3, 4, 8):
        order = received_order(person, *wishes, staff=staff, **form)
        if number in (3, 8):
            story = stories.Story(person, staff, stories.applied(person, order, 1))
            story.to("pending_confirm")
        return
    order = place_order(person, *wishes, **form)
    if number == 5:
        order_cancel(actor=person, order_no=order.order_no, reason="买错了")
    elif number in (1, 7):
        cancelling.ask(person, order, 1)


def rows_of(actor: Account, name: str, question: ReportQuestion) -> Report:
    return get_report(
        actor=actor, name=name, question=question, sort="", page=ALL, with_charts=True
    )


def sums(report: Report) -> tuple[Decimal, Decimal, int]:
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
    asked = {name: value for name, value in filters.items() if name in drawn["asked"]}
    until = since + timedelta(days=drawn["length"])
    return ReportQuestion(
        basis=drawn["basis"], preset=Preset.CUSTOM, since=since, until=until, **asked
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
        reports = [rows_of(actor, name, question) for name in ReportName.values]
        totals = {
            (
                report.summary.totals.amount,
                report.summary.totals.tax,
                report.summary.totals.quantity,
            )
            for report in reports
        }
        assert len(totals) == 1
        assert {sums(report) for report in reports} == totals
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
        windows = question.windows()
        alone = [
            rows_of(actor, ReportName.ORDER, question.within(days)).summary.totals.amount
            for days in (windows.previous, windows.year_before)
        ]
        for name in COMPARED_REPORTS:
            rows = rows_of(actor, name, question).rows
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
    report = rows_of(ga, ReportName.SAVINGS, WHOLE)
    facts = get_matching_facts(actor=ga, report=ReportName.ORDER, question=WHOLE).within(
        WHOLE.windows().window
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

    report = rows_of(ga, ReportName.DEPARTMENT, WHOLE)
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
    assert [row.key[1] for row in rows_of(market[2], ReportName.DEPARTMENT, WHOLE).rows] == [
        below.pk
    ]


def test_the_budget_report_agrees_with_the_page_of_budgets(
    shopper: Account, ga: Account, department: Department
) -> None:
    day = date(2026, 9, 10)
    goods = ProductFactory(stock=100, market_price=Decimal("10.00"))
    with clock_at(datetime(2026, 9, 1, 12, tzinfo=NOON.tzinfo)):
        place_order(shopper, (goods, 2))
    own = {"days": (date(2026, 9, 1), date(2026, 9, 30)), "period": "month"}
    place: dict[str, Any] = {"enterprise": department.enterprise, **own}
    top = make_budget(amount="1000.00", name="企业", **place)
    child = make_budget(amount="100.00", policy="warn", account=shopper, parent=top, **place)
    unused = make_budget(amount="50.00", name="其他", department=department, **place)
    make_budget(enterprise=department.enterprise, days=(date(2027, 1, 1), date(2027, 1, 31)))
    # Bought on in a compared period: a row without an amount, and no part of the totals.
    earlier = make_budget(
        amount="700.00",
        name="八月",
        enterprise=department.enterprise,
        days=(date(2026, 8, 1), date(2026, 8, 31)),
        period="month",
    )
    with clock_at(datetime(2026, 8, 20, 12, tzinfo=NOON.tzinfo)):
        place_order(shopper, (goods, 3), budget_id=earlier.pk)
    with clock_at(datetime(2026, 9, 2, 12, tzinfo=NOON.tzinfo)):
        place_order(shopper, (goods, 12), budget_id=child.pk)
    with clock_at(datetime(2026, 9, 3, 12, tzinfo=NOON.tzinfo)):
        place_order(shopper, (goods, 1), budget_id=top.pk)
    deliver()

    september = ReportQuestion(
        preset=Preset.CUSTOM, since=date(2026, 9, 1), until=date(2026, 9, 30), as_of=day
    )
    report = rows_of(ga, ReportName.BUDGET, september)
    # The purchases of each budget are its own, so they add up to the total of every report.
    assert [(row.key[0], row.amount) for row in report.rows] == [
        (child.pk, Decimal("120.00")),
        (None, Decimal("20.00")),
        (top.pk, Decimal("10.00")),
        (earlier.pk, ZERO),
        (unused.pk, ZERO),
    ]
    # The figures are those of 预算余额: 130.00 元 in 10 of 30 days make 390.00 元.
    figures = {
        pk: (row.budget.used, row.forecast.at_end, row.forecast.overrun)
        for pk, row in report.row_names.actuals.items()
        if row.is_current
    }
    assert figures == {
        child.pk: (yuan("120.00"), yuan("360.00"), yuan("260.00")),
        top.pk: (yuan("130.00"), yuan("390.00"), ZERO),
        unused.pk: (ZERO, ZERO, ZERO),
    }
    # The totals take the enterprise and the department, not the child a second time.
    totals = report.budgets
    assert totals is not None
    sums = sum_budgets(Budget.objects.filter(pk__in=figures))
    assert (totals.amount, totals.reserved, totals.available) == (
        sums.amount,
        sums.reserved,
        sums.available,
    )
    assert (sums.amount, sums.reserved) == (yuan("1050.00"), yuan("130.00"))
    assert (totals.count, totals.at_end, totals.overrunning) == (3, yuan("390.00"), 1)
    sheet = get_report_sheet(actor=ga, name=ReportName.BUDGET, question=september, sort="")
    assert (sheet.row_count, len(list(sheet.rows))) == (5, 5)
    # A filter of purchases leaves out budgets without matching purchases.
    narrowed = rows_of(ga, ReportName.BUDGET, replace(september, product_code=goods.code))
    assert [row.key[0] for row in narrowed.rows] == [child.pk, None, top.pk, earlier.pk]


def test_the_total_is_what_python_adds_up(market: list[Account], ga: Account) -> None:
    question = ReportQuestion(
        basis=Basis.RECEIVED, preset=Preset.CUSTOM, since=date(2025, 3, 1), until=date(2026, 12, 31)
    )
    facts = (
        get_matching_facts(actor=ga, report=ReportName.ORDER, question=question)
        .within(question.windows().window)
        .facts
    )
    by_hand = sum((fact.amount for fact in facts), ZERO)
    assert by_hand > yuan("100.00")
    assert rows_of(ga, ReportName.DEPARTMENT, question).summary.totals.amount == by_hand


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
        report = rows_of(actor, name, WHOLE)
        assert report.orders == orders, name
        if scope == "仅本人":
            own = ReportFact.objects.filter(requester=actor, basis=Basis.ORDERED)
            assert report.summary.totals.amount == sum((fact.amount for fact in own), ZERO), name
            assert report.charts is not None
            assert (
                sum((part.amount for part in report.charts.share), ZERO)
                == report.summary.totals.amount
            ), name


def test_another_group_sees_nothing_of_it(market: list[Account], other_ga: Account) -> None:
    with tenant_scope(group_id=other_ga.group_id or 0):
        for name in ReportName.values:
            report = rows_of(other_ga, name, WHOLE)
            assert (report.total, report.orders, report.summary.totals.amount) == (0, 0, ZERO), name


def test_a_closed_year_is_compared_with_the_year_before(market: list[Account], ga: Account) -> None:
    question = ReportQuestion(
        preset=Preset.CUSTOM, since=date(2026, 1, 1), until=date(2026, 12, 31)
    )
    found = rows_of(ga, ReportName.ORDER, question).summary
    assert (found.previous.window.since, found.previous.window.until) == (
        date(2025, 1, 1),
        date(2025, 12, 31),
    )
    assert found.previous.amount == found.year_before.amount > ZERO
    assert sum((point.year_before for point in found.trend), ZERO) == found.year_before.amount


def test_lines_of_an_order_keep_where_they_stood_in_the_catalogue(market: list[Account]) -> None:
    line = lines_of(OrderLine.objects.select_related("order").first().order)[0]
    product = line.product
    assert (line.category_id_l1, line.category_id_l2, line.category_id_l3) == (
        product.l1_id,
        product.l2_id,
        product.category_id,
    )
