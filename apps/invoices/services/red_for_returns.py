"""Goods went back: the red invoice that the refund waits for is asked for, the return told once it is issued, the order's axis kept.

What is still to be asked for is read from the books each time, under the orders' locks, never taken from the message: a message may come
twice, late, or beside another.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet, Sum

from apps.aftersales.services.return_continue import pieces_waiting, returns_after_red
from apps.invoices.enums import InvoiceStatus, RedReason, RedStatus
from apps.invoices.locks import lock_invoice
from apps.invoices.models import InvoiceLine, RedLetter, RedLine
from apps.invoices.services.quantities import invoicing_status_set, orders_locked
from apps.invoices.services.red_open import RedForm, red_opened
from apps.orders.models import OrderLine

OPEN = (RedStatus.AWAITS_SELLER, RedStatus.AWAITS_BUYER, RedStatus.CONFIRMED)
NOTE = "售后退货，红冲后退款"


def return_waits_red_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox `return.waits_red`: {"lines": [{"order_line_id", "quantity"}]}; told twice, it is asked for once."""
    red_open_for_returns(order_line_ids=[int(line["order_line_id"]) for line in payload.get("lines") or ()])


def lines_moved_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox `invoice.lines_moved`, `invoice.red_issued`: lines with pieces in after-sales came onto an invoice or off it, out of an
    application, or out of a red request that came to nothing; a return that waited for them goes on, or the red invoice that it waits
    for is asked for now. Told twice, they go on once."""
    lines = [int(pk) for pk in payload.get("order_line_ids") or ()]
    returns_after_red(lines)
    red_open_for_returns(order_line_ids=lines)


@transaction.atomic
def order_lessened_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox `return.refunded`, `order.partly_cancelled`: {"order_id"}; where the rest went back or was cancelled, all is invoiced."""
    invoicing_status_set(orders_locked([int(payload["order_id"])]))


@transaction.atomic
def red_open_for_returns(*, order_line_ids: Collection[int]) -> list[RedLetter]:
    """Ask for what returns of these lines wait for, all of them together, of the newest invoices first; nothing is asked for twice.

    The buyer has asked by his return: the seller confirms.
    """
    orders = set(OrderLine.objects.filter(pk__in=order_line_ids).values_list("order_id", flat=True))
    invoices = _lines_left(order_line_ids).order_by().values("invoice_id")
    # All at once, before anything is counted: whoever else asks, and whatever moves these invoices, waits here.
    orders_locked(orders | set(InvoiceLine.objects.filter(invoice_id__in=invoices).values_list("order_id", flat=True)))
    waiting = pieces_waiting(order_line_ids=order_line_ids)
    asked = _asked(order_line_ids)
    chosen = _chosen({pk: pieces - asked.get(pk, 0) for pk, pieces in waiting.items()})
    return [
        red_opened(
            lock_invoice(pk=invoice_id),
            RedForm(RedReason.RETURNED, NOTE, quantities),
            actor=None,
            status=RedStatus.AWAITS_SELLER,
            is_for_return=True,
        )
        for invoice_id, quantities in sorted(chosen.items())
    ]


def _lines_left(order_line_ids: Collection[int]) -> QuerySet[InvoiceLine]:
    """Return the lines of issued invoices of which something may still be taken back."""
    rows: QuerySet[InvoiceLine] = InvoiceLine.objects.filter(
        order_line_id__in=order_line_ids,
        invoice__original=None,
        invoice__status__in=(InvoiceStatus.ISSUED, InvoiceStatus.PARTLY_RED),
        red_quantity__lt=F("quantity"),
    )
    return rows


def _asked(order_line_ids: Collection[int]) -> dict[int, int]:
    """Return by line the pieces that open requests for returns will free."""
    rows = RedLine.objects.filter(line__order_line_id__in=order_line_ids, letter__is_for_return=True, letter__status__in=OPEN)
    return dict(rows.order_by().values_list("line__order_line_id").annotate(pieces=Sum("quantity")))


def _chosen(wanted: Mapping[int, int]) -> dict[int, dict[int, int]]:
    """Return by invoice how many pieces of which of its lines are to be taken back."""
    left = {pk: pieces for pk, pieces in wanted.items() if pieces > 0}
    chosen: dict[int, dict[int, int]] = {}
    rows = _lines_left(left).order_by("-invoice_id", "no").annotate(free=F("quantity") - F("red_quantity"))
    for pk, invoice_id, order_line_id, free in rows.values_list("pk", "invoice_id", "order_line_id", "free"):
        if taken := min(left[order_line_id], free):
            chosen.setdefault(invoice_id, {})[pk] = taken
            left[order_line_id] -= taken
    return chosen
