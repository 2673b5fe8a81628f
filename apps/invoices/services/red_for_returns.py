"""Outbox handlers that connect returns with invoices. They open the red request that a refund
waits for, continue the return after the red invoice, and update 开票状态 of the order.

Each handler reads the open quantities from the database under the orders' locks. It does not trust
the message, which may come twice, late or concurrently with another.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet, Sum

from apps.aftersales.services.return_refund import get_waiting_pieces, returns_refund_after_red
from apps.invoices.enums import InvoiceStatus, RedReason, RedStatus
from apps.invoices.locks import lock_invoice
from apps.invoices.models import InvoiceLine, RedLetter, RedLine
from apps.invoices.services.quantities import invoicing_status_set, lock_orders
from apps.invoices.services.red_letters import RedForm, red_letter_open
from apps.orders.models import OrderLine

OPEN = (RedStatus.AWAITS_SELLER, RedStatus.AWAITS_BUYER, RedStatus.CONFIRMED)
NOTE = "售后退货，红冲后退款"


def return_waits_red_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox `return.waits_red` ({"lines": [{"order_line_id", "quantity"}]}): open the red
    requests. A repeated message opens nothing.
    """
    red_letters_open_for_returns(
        order_line_ids=[int(line["order_line_id"]) for line in payload.get("lines") or ()]
    )


def handle_lines_moved(_key: str, payload: dict[str, Any]) -> None:
    """Outbox `invoice.lines_moved`, `invoice.red_issued` ({"order_line_ids"}): lines in
    after-sales were invoiced, taken back or released from an application or a red request.
    Continue the returns that wait for them, or open the red requests that they still need. A
    repeated message changes nothing.
    """
    lines = [int(pk) for pk in payload.get("order_line_ids") or ()]
    returns_refund_after_red(lines)
    red_letters_open_for_returns(order_line_ids=lines)


@transaction.atomic
def handle_order_reduced(_key: str, payload: dict[str, Any]) -> None:
    """Outbox `return.refunded`, `order.partly_cancelled` ({"order_id"}): update 开票状态. The
    remaining pieces may all be invoiced now.
    """
    invoicing_status_set(lock_orders([int(payload["order_id"])]))


@transaction.atomic
def red_letters_open_for_returns(*, order_line_ids: Collection[int]) -> list[RedLetter]:
    """Open red requests for the pieces of these order lines that returns wait for, and return
    them. The newest invoices come first. Pieces in an open request for returns are not
    requested again.

    The requests wait for the seller, because the buyer has agreed by asking for the return.
    """
    orders = set(OrderLine.objects.filter(pk__in=order_line_ids).values_list("order_id", flat=True))
    invoices = _filter_reversible_lines(order_line_ids).order_by().values("invoice_id")
    # Lock all orders before counting, so that concurrent requests and changes of these invoices
    # wait.
    lock_orders(
        orders
        | set(
            InvoiceLine.objects.filter(invoice_id__in=invoices).values_list("order_id", flat=True)
        )
    )
    waiting_pieces = get_waiting_pieces(order_line_ids=order_line_ids)
    requested_pieces = _sum_pieces_in_requests(order_line_ids)
    pieces_by_invoice = _choose_lines(
        {pk: pieces - requested_pieces.get(pk, 0) for pk, pieces in waiting_pieces.items()}
    )
    return [
        red_letter_open(
            lock_invoice(pk=invoice_id),
            RedForm(RedReason.RETURNED, NOTE, quantities),
            actor=None,
            status=RedStatus.AWAITS_SELLER,
            is_for_return=True,
        )
        for invoice_id, quantities in sorted(pieces_by_invoice.items())
    ]


def _filter_reversible_lines(order_line_ids: Collection[int]) -> QuerySet[InvoiceLine]:
    """Return the lines of issued blue invoices with pieces that can still be taken back."""
    rows: QuerySet[InvoiceLine] = InvoiceLine.objects.filter(
        order_line_id__in=order_line_ids,
        invoice__original=None,
        invoice__status__in=(InvoiceStatus.ISSUED, InvoiceStatus.PARTLY_RED),
        red_quantity__lt=F("quantity"),
    )
    return rows


def _sum_pieces_in_requests(order_line_ids: Collection[int]) -> dict[int, int]:
    """Return {order line pk: pieces} of the open requests for returns."""
    rows = RedLine.objects.filter(
        line__order_line_id__in=order_line_ids, letter__is_for_return=True, letter__status__in=OPEN
    )
    return dict(rows.order_by().values_list("line__order_line_id").annotate(pieces=Sum("quantity")))


def _choose_lines(pieces_by_line: Mapping[int, int]) -> dict[int, dict[int, int]]:
    """Return {invoice pk: {invoice line pk: pieces}} to take back."""
    open_pieces = {pk: pieces for pk, pieces in pieces_by_line.items() if pieces > 0}
    pieces_by_invoice: dict[int, dict[int, int]] = {}
    rows = (
        _filter_reversible_lines(open_pieces)
        .order_by("-invoice_id", "no")
        .annotate(reversible=F("quantity") - F("red_quantity"))
    )
    for pk, invoice_id, order_line_id, reversible in rows.values_list(
        "pk", "invoice_id", "order_line_id", "reversible"
    ):
        if line_pieces := min(open_pieces[order_line_id], reversible):
            pieces_by_invoice.setdefault(invoice_id, {})[pk] = line_pieces
            open_pieces[order_line_id] -= line_pieces
    return pieces_by_invoice
