"""Refund amounts. The pieces that the customer keeps cost their normal price and tax. The refund is
the rest of the receipts, so all returns and the kept pieces sum to the receipts exactly.
"""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal
from typing import Any

from django.db.models import Sum

from apps.aftersales.models import ReturnLine
from apps.common.money import ZERO, tax_of
from apps.orders.models import ReceiptLine


def get_refund_amounts(rows: Collection[ReturnLine]) -> dict[int, tuple[Decimal, Decimal]]:
    """Return {return line pk: (amount in 元 含税, tax in 元)} of the accepted pieces. Two
    queries.
    """
    keys = [row.order_line_id for row in rows]
    receipts: Any = (
        ReceiptLine.objects.filter(order_line__in=keys).order_by().values_list("order_line_id")
    )
    received = {
        pk: (pieces, tax)
        for pk, pieces, tax in receipts.annotate(pieces=Sum("quantity"), tax=Sum("tax_amount"))
    }
    returns: Any = ReturnLine.objects.filter(
        order_line__in=keys, return_order__refunded_at__isnull=False
    ).order_by()
    refunded = dict(returns.values_list("order_line_id").annotate(tax=Sum("tax_amount")))
    amounts = {}
    for row in rows:
        pieces, tax = received.get(row.order_line_id, (0, ZERO))
        amounts[row.pk] = _compute_line_refund(
            row, received=pieces, tax=tax, refunded_tax=refunded.get(row.order_line_id) or ZERO
        )
    return amounts


def _compute_line_refund(
    row: ReturnLine, *, received: int, tax: Decimal, refunded_tax: Decimal
) -> tuple[Decimal, Decimal]:
    """Return (amount, tax) of the accepted pieces. `received` and `tax` are the pieces and the tax
    of all receipts of the order line.
    """
    line, pieces = row.order_line, row.accepted_quantity or 0
    amount = line.unit_price_incl_tax * pieces
    # The tax of the remaining pieces is then exact to the cent on an invoice, independent of
    # cancelled or undelivered pieces.
    remaining = received - line.returned_quantity - pieces
    remaining_tax = tax_of(line.unit_price_incl_tax * remaining, line.tax_rate)
    return amount, min(max(tax - refunded_tax - remaining_tax, ZERO), amount)
