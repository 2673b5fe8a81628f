"""Write receipts with quantities and amounts. Statements, invoices and the books sum them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from apps.common.money import part_of_line
from apps.orders.models import Order, OrderLine, Receipt, ReceiptLine

if TYPE_CHECKING:
    from apps.org.models import Account


def receipt_write(
    order: Order,
    *,
    actor: Account | None,
    at: datetime,
    lines: Iterable[OrderLine],
    received: Mapping[int, int],
) -> Receipt:
    """Return the new receipt of quantities by order line pk. `lines` have the state before the
    receipt. `actor` None means the system.

    If a staff member acts as a customer, the staff member is recorded as the receiver, as in the
    timeline.
    """
    doer = actor if actor is None else actor.impersonator or actor
    receipt: Receipt = Receipt.objects.create(
        group_id=order.group_id, order=order, received_by=doer, received_at=at
    )
    ReceiptLine.objects.bulk_create(
        [_part(receipt, line, received[line.pk]) for line in lines if line.pk in received]
    )
    return receipt


def _part(receipt: Receipt, line: OrderLine, quantity: int) -> ReceiptLine:
    received = line.received_quantity
    amount, tax = part_of_line(
        line.unit_price_incl_tax, line.tax_rate, first=received, last=received + quantity
    )
    money: dict[str, Any] = {"amount_incl_tax": amount, "tax_amount": tax}
    return ReceiptLine(
        group_id=receipt.group_id, receipt=receipt, order_line=line, quantity=quantity, **money
    )
