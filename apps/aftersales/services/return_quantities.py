"""The only module that changes `returning_quantity` and `returned_quantity` of order lines.
Conditional UPDATEs prevent two requests from counting the same piece.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.db.models import F

from apps.aftersales.errors import ReturnQuantityExceeded
from apps.orders.models import OrderLine

Quantities = Mapping[int, int]


@transaction.atomic
def quantities_take(*, quantities: Quantities) -> None:
    """Move pieces ({order line pk: pieces}) into after-sales.

    Raises:
        QuantityExceeded: a line has fewer received pieces outside after-sales. The message names
            it.
    """
    for pk, quantity in sorted(quantities.items()):
        free = F("received_quantity") - F("returning_quantity") - F("returned_quantity")
        rows = OrderLine.objects.annotate(free=free).filter(pk=pk, free__gte=quantity)
        if not rows.update(returning_quantity=F("returning_quantity") + quantity):
            line = OrderLine.objects.get(pk=pk)
            returnable = line.received_quantity - line.returning_quantity - line.returned_quantity
            raise ReturnQuantityExceeded(line.customer_name or line.name, returnable, line.unit)


@transaction.atomic
def quantities_free(*, quantities: Quantities) -> None:
    """Take pieces out of after-sales. They stay with the customer.

    Raises:
        ValueError: fewer pieces are in after-sales (a bug of the caller).
    """
    for pk, quantity in sorted(quantities.items()):
        rows = OrderLine.objects.filter(pk=pk, returning_quantity__gte=quantity)
        if quantity and not rows.update(returning_quantity=F("returning_quantity") - quantity):
            raise ValueError(f"line {pk}: {quantity} freed, fewer are in after-sales")


def find_short_quantities(*, quantities: Quantities) -> dict[int, int]:
    """Return {order line pk: pieces} that are invoiced or applied for and must be released
    before the return.
    """
    lines = OrderLine.objects.in_bulk(list(quantities))
    short = {
        pk: quantity
        - (
            line.received_quantity
            - line.applied_quantity
            - line.invoiced_quantity
            - line.returned_quantity
        )
        for pk, quantity in quantities.items()
        if (line := lines[pk])
    }
    return {pk: missing for pk, missing in sorted(short.items()) if missing > 0}


@transaction.atomic
def quantities_return(*, quantities: Quantities) -> None:
    """Move pieces from after-sales to returned.

    Raises:
        ValueError: the pieces are not in after-sales, or still invoiced (a bug of the caller, which
            has to check `find_short_quantities` first).
    """
    for pk, quantity in sorted(quantities.items()):
        bound_pieces = F("applied_quantity") + F("invoiced_quantity") + F("returned_quantity")
        rows = OrderLine.objects.annotate(free=F("received_quantity") - bound_pieces).filter(
            pk=pk, returning_quantity__gte=quantity, free__gte=quantity
        )
        changes = {
            "returning_quantity": F("returning_quantity") - quantity,
            "returned_quantity": F("returned_quantity") + quantity,
        }
        if quantity and not rows.update(**changes):
            raise ValueError(f"line {pk}: {quantity} cannot have gone back")
