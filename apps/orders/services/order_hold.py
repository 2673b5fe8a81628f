"""Hold pieces back from shipping while a cancellation request for them is open."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import F

from apps.orders.models import Order, OrderLine


def pieces_hold(order: Order, pieces: Mapping[int, int]) -> None:
    """Hold pieces of a locked order, given by order line pk. A CHECK constraint limits them to
    the unshipped quantity.
    """
    for pk, number in sorted(pieces.items()):
        OrderLine.objects.filter(order=order, pk=pk).update(
            cancelling_quantity=F("cancelling_quantity") + number
        )


def pieces_free(order: Order, pieces: Mapping[int, int]) -> None:
    """Release held pieces of a locked order for shipping."""
    for pk, number in sorted(pieces.items()):
        OrderLine.objects.filter(order=order, pk=pk).update(
            cancelling_quantity=F("cancelling_quantity") - number
        )
