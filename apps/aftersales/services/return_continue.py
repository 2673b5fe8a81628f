"""Continue refunds that waited for a red invoice or for the end of an application."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Sum

from apps.aftersales.locks import locked_return
from apps.aftersales.models import ReturnLine, ReturnOrder
from apps.aftersales.services.return_flow import accepted_of
from apps.aftersales.services.return_quantities import quantities_short
from apps.aftersales.services.return_refund import refund_now
from apps.common.tenancy import platform_scope
from apps.org.models import Account


def returns_after_red(order_line_ids: Collection[int]) -> int:
    """Refund the waiting returns of these order lines that need to wait no longer, each in its
    own transaction. Returns their number.

    Runs in the scope of the lines' group or of the platform. Repeated calls are safe.
    """
    waiting = ReturnOrder.objects.filter(waits_red=True, lines__order_line__in=order_line_ids)
    keys = list(waiting.order_by("pk").values_list("pk", flat=True).distinct())
    return sum(_continue(return_id) for return_id in keys)


def pieces_waiting(*, order_line_ids: Collection[int]) -> dict[int, int]:
    """Return {order line pk: pieces} of waiting returns that are still invoiced or applied for."""
    rows = ReturnLine.objects.filter(
        return_order__waits_red=True, order_line__in=order_line_ids, accepted_quantity__gt=0
    )
    pieces = rows.order_by().values_list("order_line_id").annotate(pieces=Sum("accepted_quantity"))
    return quantities_short(quantities=dict(pieces))


def _continue(return_id: int) -> bool:
    with locked_return(return_id=return_id) as return_order:
        if not return_order.waits_red or quantities_short(quantities=accepted_of(return_order)):
            return False
        refund_now(return_order, actor=_refunder(return_order))
    return True


def _refunder(return_order: ReturnOrder) -> Account | None:
    """Return the staff member who started the refund. Staff belong to no group, so the query
    needs the platform's scope.
    """
    with platform_scope(reason="aftersales: who asked for a refund"):
        found: Account | None = Account.objects.filter(pk=return_order.refunder_id).first()
    return found
