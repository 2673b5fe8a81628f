"""manage.py check_books reports every kind of planted error after the order: cancellations,
returns, invoices, bank receipts.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from apps.aftersales.models import CancelOrderLine, ReturnLine, ReturnOrder
from apps.aftersales.services.cancel_apply import CancelForm, cancel_apply
from apps.aftersales.tests.stories import Story, apply_for_return, get_line
from apps.catalog.models import StockMovement
from apps.catalog.tests.factories import ProductFactory
from apps.common.books import list_differences
from apps.common.money import build_money_value
from apps.common.testing.faults import list_missed
from apps.invoices.models import (
    BankMatch,
    BankReceipt,
    Invoice,
    InvoiceLine,
    Statement,
    StatementLine,
)
from apps.invoices.services.bank_receipts import receipt_match, receipt_record, receipt_unmatch
from apps.invoices.services.invoice_issue import invoice_issue_by_hand
from apps.invoices.services.red_letters import RedForm, red_letter_answer_by_staff, red_letter_apply
from apps.invoices.services.statements import statements_update
from apps.invoices.tests.factories import (
    apply_for_all,
    build_invoice_number,
    issue_all,
    received_order,
)
from apps.orders.models import Order, OrderLine, Payment
from apps.orders.services.confirmations import order_confirm
from apps.orders.tests.factories import place_order
from apps.org.models import Account

CENT = build_money_value(Decimal("0.01"))
CANCELLED, WAITS, RETURNED, EXCHANGED, INVOICED, APPLIED = range(6)


@pytest.fixture
def trade(shopper: Account, staff: Account) -> None:
    """Orders with a cancelled part, a requested cancellation, a return, an exchange, invoices,
    an application, a red invoice, and two payments.
    """
    product = ProductFactory(stock=500)
    for ordered, cancelled, is_confirmed in ((3, 2, False), (4, 1, True)):
        order = place_order(shopper, (product, ordered))
        if is_confirmed:
            order_confirm(actor=staff, order_id=order.pk)
        cancel_apply(
            actor=shopper,
            form=CancelForm(order.order_no, "unwanted", "", {get_line(order).pk: cancelled}),
        )
    orders = [received_order(shopper, (product, 10), staff=staff) for _ in range(5)]
    Story(shopper, staff, apply_for_return(shopper, orders[0])).to("pending_confirm")
    Story(shopper, staff, apply_for_return(shopper, orders[1], kind="exchange")).to(
        "pending_confirm"
    )
    application = apply_for_all(shopper, orders[2])
    issue_all(application, staff=staff)
    apply_for_all(shopper, orders[3])
    issue_red_invoice(shopper, staff, issue_all(apply_for_all(shopper, orders[4]), staff=staff)[0])
    receipt = receipt_record(
        actor=staff,
        serial="S1",
        received_on=timezone.localdate(),
        payer_name="某某",
        amount=Decimal("90.00"),
    )
    parts = {orders[2].pk: Decimal("40.00"), orders[3].pk: Decimal("30.00")}
    matches = receipt_match(actor=staff, receipt_id=receipt.pk, parts=parts)
    receipt_unmatch(actor=staff, match_id=matches[1].pk, reason="认错订单")
    assert shopper.enterprise is not None
    statements_update(enterprise=shopper.enterprise, today=timezone.localdate())


def issue_red_invoice(shopper: Account, staff: Account, invoice: Invoice) -> None:
    """An order whose whole invoice is red."""
    letter = red_letter_apply(actor=shopper, invoice_id=invoice.pk, form=RedForm("01"))
    red = red_letter_answer_by_staff(actor=staff, letter_id=letter.pk, is_agreed=True).red_invoice
    assert red is not None
    invoice_issue_by_hand(
        actor=staff, invoice_id=red.pk, invoice_no=build_invoice_number(1_000_000 + red.pk)
    )


def of(number: int) -> Any:
    """Return the line of the nth order, as a queryset."""
    return OrderLine.objects.filter(order=Order.objects.order_by("pk")[number])


def order(number: int) -> Any:
    return Order.objects.filter(pk=Order.objects.order_by("pk")[number].pk)


def list_refunds() -> Any:
    return ReturnOrder.objects.filter(kind="return")


def get_invoice() -> Any:
    return Invoice.objects.filter(status="issued", original=None)


def list_red_invoices() -> Any:
    return Invoice.objects.filter(original__isnull=False)


PLANTED: dict[str, tuple[Callable[[], object], str]] = {
    "cancelled more than was": (lambda: of(CANCELLED).update(cancelled_quantity=3), "已取消数量"),
    "a cancellation of more": (
        lambda: CancelOrderLine.objects.filter(order_line__in=of(CANCELLED)).update(quantity=1),
        "已取消数量",
    ),
    "asked to be cancelled, and not held": (
        lambda: of(WAITS).update(cancelling_quantity=0),
        "申请取消中数量",
    ),
    "in after-sales without a return": (
        lambda: of(EXCHANGED).update(returning_quantity=3),
        "售后中数量",
    ),
    "a return of more pieces": (
        lambda: ReturnLine.objects.filter(order_line__in=of(EXCHANGED)).update(accepted_quantity=1),
        "售后中数量",
    ),
    "gone back, and no return says so": (
        lambda: of(RETURNED).update(returned_quantity=3),
        "已退数量",
    ),
    "a refund taken back": (lambda: list_refunds().update(refunded_at=None), "已退数量"),
    "no after-sales though there were": (
        lambda: order(RETURNED).update(after_sales_status="none"),
        "售后状态",
    ),
    "after-sales where none were": (
        lambda: order(INVOICED).update(after_sales_status="done"),
        "售后状态",
    ),
    "a replacement of more pieces": (
        lambda: StockMovement.objects.filter(kind="ship", reference__startswith="TH").update(
            quantity=3
        ),
        "换新发货数量",
    ),
    "a replacement that never left": (
        lambda: StockMovement.objects.filter(kind="ship", reference__startswith="TH").delete(),
        "换新发货数量",
    ),
    "a refund of another amount": (
        lambda: list_refunds().update(refund_amount=F("refund_amount") + CENT),
        "退款金额",
    ),
    "paid back what was not": (lambda: list_refunds().update(paid_back=CENT), "退回已付款"),
    "applied for less than is": (lambda: of(APPLIED).update(applied_quantity=9), "开票申请中数量"),
    "invoiced less than is": (lambda: of(INVOICED).update(invoiced_quantity=9), "已开票数量"),
    "an invoice of fewer pieces": (
        lambda: InvoiceLine.objects.filter(order_line__in=of(INVOICED)).update(quantity=9),
        "已开票数量",
    ),
    "an invoice over another amount": (
        lambda: get_invoice().update(
            amount_incl_tax=F("amount_incl_tax") + CENT, net_amount=F("net_amount") + CENT
        ),
        "发票金额",
    ),
    "an invoice with another tax": (
        lambda: get_invoice().update(
            tax_amount=F("tax_amount") + CENT, net_amount=F("net_amount") - CENT
        ),
        "发票税额",
    ),
    "a red invoice that takes back more": (
        lambda: list_red_invoices().update(
            amount_incl_tax=F("amount_incl_tax") - CENT, net_amount=F("net_amount") - CENT
        ),
        "已红冲金额",
    ),
    "a cent of tax that was not taken back": (
        lambda: list_red_invoices().update(
            tax_amount=F("tax_amount") + CENT, net_amount=F("net_amount") - CENT
        ),
        "已红冲税额",
    ),
    "not invoiced, it says": (lambda: order(INVOICED).update(invoicing_status="none"), "开票状态"),
    "invoiced, it says": (lambda: order(APPLIED).update(invoicing_status="done"), "开票状态"),
    "a receipt with more matched": (
        lambda: BankReceipt.objects.update(matched_amount=F("matched_amount") + CENT),
        "已匹配金额",
    ),
    "a match undone by nobody": (lambda: BankMatch.objects.update(undone_at=None), "已匹配金额"),
    "a match of another amount": (
        lambda: BankMatch.objects.filter(undone_at=None).update(amount=F("amount") - CENT),
        "匹配金额",
    ),
    "an undone match that still pays": (
        lambda: Payment.objects.filter(status="refunded").update(refunded_amount=0, status="paid"),
        "撤销匹配后的已退金额",
    ),
    "settled, it says": (lambda: order(INVOICED).update(settlement_status="done"), "未结月结款"),
    "a statement that paid more": (
        lambda: Statement.objects.update(paid=F("paid") + CENT, closing=F("closing") - CENT),
        "本期付款",
    ),
    "a statement that opens with something": (
        lambda: Statement.objects.update(opening=CENT, closing=F("closing") + CENT),
        "期初应付",
    ),
    "a line of a statement lost": (
        lambda: StatementLine.objects.filter(kind="return").delete(),
        "本期退货",
    ),
}


def test_right_books_have_no_difference(trade: None) -> None:
    assert list(list_differences()) == []


def test_each_planted_error_is_found(trade: None) -> None:
    assert list_missed(PLANTED) == []
