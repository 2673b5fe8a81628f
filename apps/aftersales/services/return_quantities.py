"""The one place where 售后中 and 已退 of an order line move: conditional UPDATEs, so that no two of them count the same piece."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import F

from apps.common.errors import QuantityExceeded
from apps.orders.models import OrderLine

Quantities = Mapping[int, int]


@transaction.atomic
def quantities_take(*, quantities: Quantities) -> None:
    """Put pieces of order lines (by key) into after-sales; never more than was received less what is in it or gone back.

    Raises:
        QuantityExceeded: of some line fewer are left; the message names it.
    """
    for pk, quantity in sorted(quantities.items()):
        free = F("received_quantity") - F("returning_quantity") - F("returned_quantity")
        rows = OrderLine.objects.annotate(free=free).filter(pk=pk, free__gte=quantity)
        if not rows.update(returning_quantity=F("returning_quantity") + quantity):
            line = OrderLine.objects.get(pk=pk)
            left = line.received_quantity - line.returning_quantity - line.returned_quantity
            raise QuantityExceeded(f"“{line.customer_name or line.name}”最多还可申请 {left} {line.unit}，请修改数量后重试")


@transaction.atomic
def quantities_free(*, quantities: Quantities) -> None:
    """Take pieces out of after-sales: they stay with the customer.

    Raises:
        ValueError: more than are in it: a fault of the caller.
    """
    for pk, quantity in sorted(quantities.items()):
        rows = OrderLine.objects.filter(pk=pk, returning_quantity__gte=quantity)
        if quantity and not rows.update(returning_quantity=F("returning_quantity") - quantity):
            raise ValueError(f"line {pk}: {quantity} freed, fewer are in after-sales")


def quantities_short(*, quantities: Quantities) -> dict[int, int]:
    """Return by line how many of the pieces are on an invoice or in an application for one: so many must come off it first."""
    lines = OrderLine.objects.in_bulk(list(quantities))
    short = {
        pk: quantity - (line.received_quantity - line.applied_quantity - line.invoiced_quantity - line.returned_quantity)
        for pk, quantity in quantities.items()
        if (line := lines[pk])
    }
    return {pk: missing for pk, missing in sorted(short.items()) if missing > 0}


@transaction.atomic
def quantities_gone_back(*, quantities: Quantities) -> None:
    """Pieces in after-sales have gone back for good.

    Raises:
        ValueError: they are not in after-sales, or still on an invoice: a fault of the caller, who asks `quantities_short` first.
    """
    for pk, quantity in sorted(quantities.items()):
        used = F("applied_quantity") + F("invoiced_quantity") + F("returned_quantity")
        rows = OrderLine.objects.annotate(free=F("received_quantity") - used).filter(
            pk=pk, returning_quantity__gte=quantity, free__gte=quantity
        )
        changes = {"returning_quantity": F("returning_quantity") - quantity, "returned_quantity": F("returned_quantity") + quantity}
        if quantity and not rows.update(**changes):
            raise ValueError(f"line {pk}: {quantity} cannot have gone back")
