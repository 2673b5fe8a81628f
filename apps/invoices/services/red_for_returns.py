"""Goods went back: the red invoice that the refund waits for is asked for, the return told once it is issued, the order's axis kept."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from apps.aftersales.services.return_continue import pieces_waiting, returns_after_red
from apps.invoices.services.quantities import invoicing_status_set, orders_locked
from apps.invoices.services.red_open import red_open_for_return


def return_waits_red_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox `return.waits_red`: {"lines": [{"order_line_id", "quantity"}]}; told twice, it is asked for once."""
    pieces = {int(line["order_line_id"]): int(line["quantity"]) for line in payload.get("lines") or ()}
    if pieces:
        red_open_for_return(pieces=pieces)


def lines_moved_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox `invoice.lines_moved`: lines with pieces in after-sales came onto an invoice or out of an application; a return that waited
    for them goes on, or the red invoice that it waits for can be asked for now."""
    lines = [int(pk) for pk in payload["order_line_ids"]]
    returns_after_red(lines)
    if pieces := pieces_waiting(order_line_ids=lines):
        red_open_for_return(pieces=pieces)


def red_issued_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox `invoice.red_issued`: the returns that waited for these lines go on; told twice, they go on once."""
    returns_after_red([int(pk) for pk in payload.get("order_line_ids") or ()])


@transaction.atomic
def return_refunded_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox `return.refunded`: {"order_id"}; an order of which the rest went back uninvoiced is invoiced whole."""
    invoicing_status_set(orders_locked([int(payload["order_id"])]))
