"""Pieces that are asked to be cancelled are held back from shipping until it is decided."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import F

from apps.orders.models import Order, OrderLine


def pieces_hold(order: Order, pieces: Mapping[int, int]) -> None:
    """Hold pieces by order line pk of a locked order; a CHECK keeps them within what has not been shipped."""
    for pk, number in sorted(pieces.items()):
        OrderLine.objects.filter(order=order, pk=pk).update(cancelling_quantity=F("cancelling_quantity") + number)


def pieces_free(order: Order, pieces: Mapping[int, int]) -> None:
    """Let held pieces of a locked order be shipped again."""
    for pk, number in sorted(pieces.items()):
        OrderLine.objects.filter(order=order, pk=pk).update(cancelling_quantity=F("cancelling_quantity") - number)
