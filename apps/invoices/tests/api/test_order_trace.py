"""Tests of GET /api/Order/{OrderNo}/Trace: all quantities and amounts of an order on one page,
computed from the same sums.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from apps.aftersales.enums import CancelReason
from apps.aftersales.services.cancel_apply import CancelForm, cancel_apply
from apps.aftersales.tests.stories import Story, apply_for_return
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries
from apps.invoices.models import Invoice, RedLetter
from apps.invoices.services.invoice_issue import invoice_issue_by_hand
from apps.invoices.services.red_for_returns import handle_lines_moved, return_waits_red_handler
from apps.invoices.services.red_letters import red_letter_answer_by_staff
from apps.invoices.services.statements import statements_update
from apps.invoices.tests.factories import apply_for, build_invoice_number, issue_all, list_lines
from apps.orders.models import Order
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.payments import payment_record
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import FreightRegionFactory, place_order
from apps.org.menus import MenuCode
from apps.org.models import Account


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    """Ten pieces at 10.00 元, freight 8.00 元. Two pieces are cancelled, eight are shipped in two
    parcels and received, and five of them are invoiced.
    """
    FreightRegionFactory(fee=Decimal("8.00"))
    placed = place_order(shopper, (ProductFactory(stock=100), 10))
    (line,) = list_lines(placed)
    cancel_apply(
        actor=shopper, form=CancelForm(placed.order_no, CancelReason.UNWANTED, pieces={line.pk: 2})
    )
    order_confirm(actor=staff, order_id=placed.pk)
    for pieces in (5, 3):
        order_ship(
            actor=staff,
            order_id=placed.pk,
            carrier="示例快递",
            tracking_no=f"SF{pieces}",
            quantities={line.pk: pieces},
        )
        order_receive(actor=shopper, order_no=placed.order_no)
    issue_all(apply_for(shopper, {line.pk: 5}))
    return Order.objects.get(pk=placed.pk)


def return_pieces(shopper: Account, staff: Account, order: Order, pieces: int) -> None:
    """Return more pieces than the uninvoiced ones. The refund happens after the red invoice is
    issued.
    """
    story = Story(shopper, staff, apply_for_return(shopper, order, pieces))
    story.to("processing")
    story.settle()
    (line,) = list_lines(order)
    return_waits_red_handler(
        story.now.return_no, {"lines": [{"order_line_id": line.pk, "quantity": 1}]}
    )
    letter = RedLetter.objects.get()
    red = red_letter_answer_by_staff(actor=staff, letter_id=letter.pk, is_agreed=True).red_invoice
    assert red is not None
    issued = invoice_issue_by_hand(
        actor=staff, invoice_id=red.pk, invoice_no=build_invoice_number(9_000_000 + red.pk)
    )
    handle_lines_moved(issued.request_no, {"order_line_ids": [line.pk]})
    assert story.now.refunded_at is not None


def get_trace(account: Account, order: Order) -> Any:
    return ApiClient(account).get(f"/api/Order/{order.order_no}/Trace").body


def summarise_line(line: Any) -> list[tuple[str, int | None, str | None, bool]]:
    return [
        (step["Kind"], step["Quantity"], step["Amount"], step["Counts"]) for step in line["Steps"]
    ]


def test_order_trace_lists_every_document_of_a_line(
    shopper: Account, staff: Account, order: Order
) -> None:
    return_pieces(shopper, staff, order, 4)
    goods, freight = get_trace(shopper, order)["Lines"]

    assert summarise_line(goods) == [
        ("cancel", 2, "20.00", True),
        ("shipment", 5, None, True),
        ("receipt", 5, "50.00", True),
        ("shipment", 3, None, True),
        ("receipt", 3, "30.00", True),
        ("invoice", 5, "50.00", True),
        ("invoice", -1, "-10.00", True),
        ("return", 4, "40.00", True),
    ]
    assert (freight["Line"], freight["Name"], summarise_line(freight)) == (
        None,
        "运费",
        [("receipt", None, "8.00", True)],
    )


def test_the_sum_closes_to_the_cent(shopper: Account, staff: Account, order: Order) -> None:
    return_pieces(shopper, staff, order, 4)
    payment_record(actor=staff, order_id=order.pk, amount=Decimal("20.00"))
    assert shopper.enterprise is not None
    (statement,) = statements_update(enterprise=shopper.enterprise, today=timezone.localdate())

    assert get_trace(shopper, order)["Sum"] == {
        "Total": "88.00", "Delivered": "88.00", "Returned": "40.00", "Payable": "48.00",
        "Invoiced": "40.00", "Uninvoiced": "8.00",
        "Stated": "48.00", "Paid": "20.00", "Owed": "28.00",
    }  # fmt: skip
    assert statement.closing == Decimal("28.00")


def test_the_quantities_are_the_lines_own(shopper: Account, staff: Account, order: Order) -> None:
    apply_for_return(shopper, order, 1)
    (line,) = list_lines(order)
    apply_for(shopper, {line.pk: 2})
    told_of = get_trace(shopper, order)["Lines"][0]["Line"]

    names = (
        "Quantity",
        "Cancelled",
        "Cancelling",
        "Shipped",
        "Received",
        "Returning",
        "Returned",
        "Applied",
        "Invoiced",
    )
    assert [told_of[name] for name in names] == [8, 2, 0, 8, 8, 1, 0, 2, 5]
    row = ApiClient(shopper).get("/api/Order").body["Items"][0]["Lines"][0]
    assert (
        row["CancelledQuantity"],
        row["CancellingQuantity"],
        row["ReturnedQuantity"],
        row["AppliedQuantity"],
    ) == (2, 0, 0, 2)


def test_pending_documents_do_not_count_in_the_order_trace(shopper: Account, order: Order) -> None:
    apply_for_return(shopper, order, 1)
    (line,) = list_lines(order)
    apply_for(shopper, {line.pk: 2})
    steps = get_trace(shopper, order)["Lines"][0]["Steps"]

    waiting = [
        (step["Kind"], step["Quantity"], step["State"]) for step in steps if not step["Counts"]
    ]
    assert sorted(waiting) == [("invoice", 2, "待开票"), ("return", 1, "退货 · 待审核")]


def test_order_trace_hides_document_numbers_without_permission(
    shopper: Account, order: Order
) -> None:
    apply_for_return(shopper, order, 1)
    shopper.roles.update(menu_codes=[MenuCode.ORDER_LIST])
    (invoice,) = Invoice.objects.all()
    known = {
        step["Kind"]: (step["Number"], step["Target"])
        for step in get_trace(shopper, order)["Lines"][0]["Steps"]
    }
    assert invoice.invoice_no
    assert known["invoice"] == known["return"] == known["cancel"] == ("", "")


def test_order_trace_takes_seventeen_queries_with_every_document(
    shopper: Account, staff: Account, ga: Account, order: Order
) -> None:
    return_pieces(shopper, staff, order, 4)
    assert shopper.enterprise is not None
    statements_update(enterprise=shopper.enterprise, today=timezone.localdate())
    api = ApiClient(ga)
    with assert_queries(17):
        steps = api.get(f"/api/Order/{order.order_no}/Trace").body["Lines"][0]["Steps"]
    assert {step["Kind"] for step in steps if step["Target"]} == {
        "cancel",
        "shipment",
        "return",
        "invoice",
        "statement",
    }
