"""Tests of /api/Statement/{Id}/File and /Debts: the statement as PDF, and the unpaid amounts by
age.
"""

from __future__ import annotations

import io
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest

from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries
from apps.dimensions.tests.factories import DimensionFactory
from apps.documents.excel import read_rows
from apps.documents.pdf import Paper
from apps.invoices.models import Statement
from apps.invoices.selectors import statements as paper
from apps.invoices.services.statements import statements_update
from apps.orders.models import Order
from apps.orders.selectors.allocations import AllocationForm, PartForm
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import FreightRegionFactory, place_order
from apps.org.models import Account
from apps.org.tests.factories import EnterpriseFactory


def _receive_order(buyer: Account, staff: Account, day: str, pieces: int, **form: Any) -> Order:
    """Return an order of `pieces` at 10.00 元, received on a day."""
    with patch(
        "django.utils.timezone.now", lambda: datetime.fromisoformat(f"{day}T10:00:00+08:00")
    ):
        order = place_order(buyer, (ProductFactory(name="签字笔"), pieces), **form)
        order_confirm(actor=staff, order_id=order.pk)
        order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF1")
        result: Order = order_receive(actor=buyer, order_no=order.order_no).order
    return result


def _create_statements(buyer: Account, day: str) -> list[Statement]:
    """Run the statement task on a day. Return the new statements of the buyer's enterprise."""
    assert buyer.enterprise is not None
    with patch(
        "django.utils.timezone.now", lambda: datetime.fromisoformat(f"{day}T20:00:00+08:00")
    ):
        return statements_update(enterprise=buyer.enterprise, today=date.fromisoformat(day))


@pytest.fixture
def may(shopper: Account, staff: Account) -> Statement:
    """The statement of May: 30.00 元 received on 20 May."""
    _receive_order(shopper, staff, "2026-05-20", 3)
    return _create_statements(shopper, "2026-06-02")[0]


def _list_written(statement: Statement) -> list[str]:
    """Return the texts on the statement's pages."""
    seen: list[str] = []

    class Listening(Paper):
        def finish(self) -> bytes:
            seen.extend(
                mark.text for page in self.pages for mark in page.marks if hasattr(mark, "text")
            )
            return super().finish()

    with patch.object(paper, "Paper", Listening):
        assert paper.draw_statement_paper(statement)[:5] == b"%PDF-"
    return seen


def test_the_paper_adds_up_and_has_each_line(may: Statement, ga: Account) -> None:
    answer = ApiClient(ga).get(f"/api/Statement/{may.pk}/File")
    assert (answer.response["Content-Type"], answer.body[:5]) == ("application/pdf", b"%PDF-")

    texts = _list_written(may)

    order_no = Order.objects.get().order_no
    assert texts[texts.index("本期开票") + 1 :][:6] == [
        "0.00",
        "30.00",
        "0.00",
        "0.00",
        "30.00",
        "0.00",
    ]
    assert {"2026年5月对账单", "2026-05-20", order_no, "3", "3.45"} <= set(texts)
    assert "期末应付余额（大写）：叁拾元整" in texts


def test_goods_have_their_unit_on_the_page_the_paper_and_the_sheet(
    shopper: Account, staff: Account, ga: Account
) -> None:
    FreightRegionFactory(fee=Decimal("7.00"))
    order = _receive_order(shopper, staff, "2026-05-20", 3)
    order.lines.update(unit="盒")
    statement = _create_statements(shopper, "2026-06-02")[0]
    client = ApiClient(ga)

    with assert_queries(4):
        lines = client.get(f"/api/Statement/{statement.pk}/Lines").body["Items"]
    texts = _list_written(statement)
    export = client.get(f"/api/Statement/{statement.pk}/Export").body
    head, *rows = read_rows(io.BytesIO(export), max_rows=20, heading=1, max_columns=20)

    assert [(line["KindText"], line["Unit"], line["Quantity"]) for line in lines] == [
        ("签收", "盒", 3),
        ("运费", "", None),
    ]
    assert texts[texts.index("盒") + 1] == "3"
    unit = head.index("单位")
    assert [row[unit : unit + 2] for row in rows if row[0] in ("签收", "运费")] == [
        ["盒", "3"],
        ["", ""],
    ]


def test_running_statement_shows_its_cut_off_time(
    may: Statement, shopper: Account, ga: Account, staff: Account
) -> None:
    _receive_order(shopper, staff, "2026-06-03", 1)
    june = _create_statements(shopper, "2026-06-05")[-1]
    api = ApiClient(ga)
    rows = [api.get(f"/api/Statement/{statement.pk}").body for statement in (june, may)]

    assert [(each["Status"], each["AsOf"]) for each in rows] == [
        ("running", "2026-06-05T20:00:00+08:00"),
        ("pending", None),
    ]


def test_more_lines_than_paper_bears_are_named(
    may: Statement, shopper: Account, staff: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    _receive_order(shopper, staff, "2026-06-03", 1)
    _receive_order(shopper, staff, "2026-06-04", 1)
    june = _create_statements(shopper, "2026-06-05")[-1]
    monkeypatch.setattr(paper, "MAX_LINES", 1)
    assert "共 2 条明细，此处为前 1 条，全部明细请导出表格" in _list_written(june)


def test_debts_are_listed_by_enterprise_with_the_most_overdue_first(
    may: Statement, shopper: Account, ga: Account, staff: Account
) -> None:
    """The payment term is 30 days. The amount is due on 19 June, so it is 21 days overdue on 10
    July.
    """
    _receive_order(shopper, staff, "2026-06-25", 5)
    idle = EnterpriseFactory(group=ga.group)
    statements_update(enterprise=idle, today=date(2026, 7, 1))
    with (
        patch(
            "django.utils.timezone.now", lambda: datetime.fromisoformat("2026-07-10T10:00:00+08:00")
        ),
        assert_queries(11),
    ):
        rows = ApiClient(ga).get("/api/Statement/Debts").body

    assert shopper.enterprise is not None
    assert rows[0]["EnterpriseId"] == str(shopper.enterprise.pk)
    assert (rows[0]["CreditDays"], rows[0]["Total"], rows[0]["Overdue"]) == (30, "80.00", "30.00")
    assert {age["Code"]: age["Amount"] for age in rows[0]["Ages"] if Decimal(age["Amount"])} == {
        "not_due": "50.00",
        "up_to_30": "30.00",
    }


def test_debts_of_another_group_are_hidden(
    may: Statement, other_ga: Account, shopper: Account
) -> None:
    assert ApiClient(other_ga).get("/api/Statement/Debts").body == []


def test_a_split_order_sums_to_the_statement_by_cost_centre(
    shopper: Account, staff: Account, ga: Account
) -> None:
    FreightRegionFactory(fee=Decimal("7.00"))
    centers = [DimensionFactory(group=ga.group, code=f"CC-{n}", name=f"{n}部") for n in (1, 2, 3)]
    shares = zip(centers, ("33.33", "33.33", "33.34"), strict=True)
    parts = tuple(PartForm(row.pk, Decimal(percent)) for row, percent in shares)
    _receive_order(
        shopper, staff, "2026-05-20", 3, allocations=(AllocationForm("cost_center", parts),)
    )
    _receive_order(shopper, staff, "2026-05-21", 1)
    statement = _create_statements(shopper, "2026-06-02")[0]

    body = ApiClient(ga).get(f"/api/Statement/{statement.pk}/Allocations").body
    export = ApiClient(ga).get(f"/api/Statement/{statement.pk}/Allocations/Export").body
    head, *rows = read_rows(io.BytesIO(export), max_rows=20, heading=1, max_columns=20)

    # Goods of 30.00 and freight of 7.00 are split; the second order has no cost centre.
    assert [(row["Code"], row["Amount"]) for row in body] == [
        ("CC-1", "12.32"),
        ("CC-2", "12.32"),
        ("CC-3", "12.36"),
        ("", "17.00"),
    ]
    assert sum(Decimal(row["Amount"]) for row in body) == statement.deliveries
    assert list(head)[:2] == ["成本中心编码", "成本中心名称"]
    assert sum(Decimal(row[6]) for row in rows) == statement.deliveries
    assert ApiClient(ga).get(f"/api/Statement/{statement.pk}/Allocations?Kind=project").body == []
