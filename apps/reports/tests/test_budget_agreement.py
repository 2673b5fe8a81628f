"""The budget report agrees with the page of the budgets and with the other reports."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from apps.budgets.models import Budget
from apps.budgets.selectors.budget_list import sum_budgets
from apps.budgets.tests.factories import make_budget
from apps.catalog.tests.factories import ProductFactory
from apps.common.money import ZERO, round_yuan
from apps.orders.tests.factories import place_order
from apps.org.models import Account, Department
from apps.reports.enums import Preset, ReportName
from apps.reports.selectors.question import ReportQuestion, parse_question, serialize_question
from apps.reports.selectors.report_pdf import COLUMNS, list_table_rows
from apps.reports.selectors.sheets import get_report_sheet
from apps.reports.tests.trading import compute_report, deliver
from demo.load.clock import clock_at

SHANGHAI = ZoneInfo("Asia/Shanghai")


def test_the_budget_report_agrees_with_the_page_of_budgets(
    shopper: Account, ga: Account, department: Department
) -> None:
    day = date(2026, 9, 10)
    goods = ProductFactory(stock=100, market_price=Decimal("10.00"))
    with clock_at(datetime(2026, 9, 1, 12, tzinfo=SHANGHAI)):
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
    with clock_at(datetime(2026, 8, 20, 12, tzinfo=SHANGHAI)):
        place_order(shopper, (goods, 3), budget_id=earlier.pk)
    with clock_at(datetime(2026, 9, 2, 12, tzinfo=SHANGHAI)):
        place_order(shopper, (goods, 12), budget_id=child.pk)
    with clock_at(datetime(2026, 9, 3, 12, tzinfo=SHANGHAI)):
        place_order(shopper, (goods, 1), budget_id=top.pk)
    deliver()
    earmarked = make_budget(amount="9.00", name="专项", **place)
    Budget.objects.filter(pk=earmarked.pk).update(category=goods.category)

    september = ReportQuestion(
        preset=Preset.CUSTOM, since=date(2026, 9, 1), until=date(2026, 9, 30), as_of=day
    )
    report = compute_report(ga, ReportName.BUDGET, september)
    # The purchases of each budget are its own, so they add up to the total of every report.
    assert [(row.key[0], row.amount) for row in report.rows] == [
        (child.pk, Decimal("120.00")),
        (None, Decimal("20.00")),
        (top.pk, Decimal("10.00")),
        (earlier.pk, ZERO),
        (unused.pk, ZERO),
        (earmarked.pk, ZERO),
    ]
    # The figures are those of 预算余额: 130.00 元 in 10 of 30 days make 390.00 元.
    figures = {
        pk: (row.budget.used, row.forecast.at_end, row.forecast.overrun)
        for pk, row in report.row_names.actuals.items()
        if row.is_current
    }
    assert figures == {
        child.pk: (round_yuan("120.00"), round_yuan("360.00"), round_yuan("260.00")),
        top.pk: (round_yuan("130.00"), round_yuan("390.00"), ZERO),
        unused.pk: (ZERO, ZERO, ZERO),
        earmarked.pk: (ZERO, ZERO, ZERO),
    }
    # The totals add the enterprise and the department. They leave out the child, which its parent
    # counts already, and the earmarked budget: the other budgets count its purchases.
    totals = report.budgets
    assert totals is not None
    sums = sum_budgets(Budget.objects.filter(pk__in=figures))
    assert (totals.amount, totals.reserved, totals.available) == (
        sums.amount,
        sums.reserved,
        sums.available,
    )
    assert (sums.amount, sums.reserved) == (round_yuan("1050.00"), round_yuan("130.00"))
    assert (totals.count, totals.at_end, totals.overrunning) == (4, round_yuan("390.00"), 1)
    # The child overruns alone. Its parent does not, but the total names what the count counts.
    assert totals.overrun == round_yuan("260.00")
    sheet = get_report_sheet(actor=ga, name=ReportName.BUDGET, question=september, sort="")
    assert (sheet.row_count, len(list(sheet.rows))) == (6, 6)
    # Without a figure a row is last: purchases without a budget, and budgets of compared periods.
    by_overrun = compute_report(ga, ReportName.BUDGET, september, sort="-overrun")
    assert [row.key[0] for row in by_overrun.rows][:1] == [child.pk]
    assert [row.key[0] for row in by_overrun.rows][-2:] == [None, earlier.pk]
    by_use = compute_report(ga, ReportName.BUDGET, september, sort="-usedpercent")
    assert [row.key[0] for row in by_use.rows][:2] == [child.pk, top.pk]
    # A filter of purchases leaves out budgets without matching purchases.
    narrowed = compute_report(ga, ReportName.BUDGET, replace(september, product_code=goods.code))
    assert [row.key[0] for row in narrowed.rows] == [child.pk, None, top.pk, earlier.pk]


def test_the_filter_of_overrunning_budgets_counts_the_same_rows_in_every_answer(
    shopper: Account, ga: Account, department: Department
) -> None:
    goods = ProductFactory(stock=100, market_price=Decimal("10.00"))
    place: dict[str, Any] = {
        "enterprise": department.enterprise,
        "days": (date(2026, 9, 1), date(2026, 9, 30)),
        "period": "month",
    }
    calm = make_budget(amount="1000.00", name="充足", **place)
    over = make_budget(amount="100.00", policy="warn", name="超出", **place)
    # Overran in the compared period: no budget of this one.
    august = make_budget(
        amount="20.00",
        policy="warn",
        name="八月",
        enterprise=department.enterprise,
        days=(date(2026, 8, 1), date(2026, 8, 31)),
        period="month",
    )
    for day, pieces, budget in (
        (datetime(2026, 8, 20, 12, tzinfo=SHANGHAI), 3, august),
        (datetime(2026, 9, 2, 12, tzinfo=SHANGHAI), 12, over),
        (datetime(2026, 9, 3, 12, tzinfo=SHANGHAI), 1, calm),
    ):
        with clock_at(day):
            place_order(shopper, (goods, pieces), budget_id=budget.pk)
    deliver()
    question = ReportQuestion(
        preset=Preset.CUSTOM,
        since=date(2026, 9, 1),
        until=date(2026, 9, 30),
        as_of=date(2026, 9, 10),
        is_overrunning=True,
    )

    report = compute_report(ga, ReportName.BUDGET, question)
    sheet = get_report_sheet(actor=ga, name=ReportName.BUDGET, question=question, sort="")
    rows = [dict(zip(sheet.header, row, strict=True)) for row in sheet.rows]
    totals = dict(zip(sheet.header, sheet.totals, strict=True))
    lines = compute_report(ga, ReportName.ORDER_DETAIL, question)

    assert [(row.key[0], row.amount) for row in report.rows] == [(over.pk, Decimal("120.00"))]
    assert report.budgets is not None
    assert (report.total, report.budgets.count, report.budgets.overrunning) == (1, 1, 1)
    # 120.00 元 in 10 of 30 days make 360.00 元, 260.00 元 above the budget. 8 月 is left out.
    assert [(row["预算"], row["使用率（%）"], row["预计超出"]) for row in rows] == [
        ("超出", 120.0, Decimal("260.00"))
    ]
    assert (totals["含税金额"], totals["上期含税金额"]) == (Decimal("120.00"), ZERO)
    assert ("预算范围", "只看预计超出") in sheet.cover
    assert (lines.total, lines.summary.totals.amount) == (1, Decimal("120.00"))
    stored = replace(question, as_of=None)
    assert parse_question(serialize_question(stored)) == stored


def test_the_pdf_of_the_budget_report_has_the_used_percentage(
    shopper: Account, ga: Account, department: Department
) -> None:
    goods = ProductFactory(stock=100, market_price=Decimal("10.00"))
    with clock_at(datetime(2026, 9, 2, 12, tzinfo=SHANGHAI)):
        budget = make_budget(
            amount="160.00",
            name="九月",
            enterprise=department.enterprise,
            days=(date(2026, 9, 1), date(2026, 9, 30)),
            period="month",
        )
        place_order(shopper, (goods, 2), budget_id=budget.pk)
    deliver()
    question = ReportQuestion(preset=Preset.MONTH, as_of=date(2026, 9, 10))

    (row,) = list_table_rows(compute_report(ga, ReportName.BUDGET, question))

    titles = [title for title, _ in COLUMNS[ReportName.BUDGET]]
    assert dict(zip(titles, row, strict=True)) == {
        "预算": "九月",
        "预算额度": "160.00",
        "已使用": "0.00",
        "使用率（%）": "12.5",
        "可用": "140.00",
        "预计期末使用": "60.00",
        "预计超出": "0.00",
        "含税金额": "20.00",
    }
