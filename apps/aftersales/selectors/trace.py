"""The steps of cancellations and returns in the trace of an order line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from apps.aftersales.enums import CancelStatus, ReturnKind, ReturnStatus
from apps.aftersales.models import CancelOrderLine, ReturnLine
from apps.aftersales.selectors.cancels import list_visible_cancels
from apps.aftersales.selectors.returns import list_visible_returns
from apps.orders.enums import TraceKind
from apps.orders.selectors.order_trace import TraceStep
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.orders.models import Order
    from apps.org.models import Account

CLOSED = (ReturnStatus.REJECTED, ReturnStatus.WITHDRAWN)


def trace_aftersales(*, actor: Account, order: Order) -> Iterator[TraceStep]:
    """Yield a step for each line of each cancellation and return of the order."""
    yield from _iterate_cancel_steps(actor, order)
    yield from _iterate_return_steps(actor, order)


def _iterate_cancel_steps(actor: Account, order: Order) -> Iterator[TraceStep]:
    """Yield a step for each cancelled line of the order."""
    rows = list(
        CancelOrderLine.objects.filter(cancel_order__order=order)
        .select_related("cancel_order")
        .order_by("pk")
    )
    visible: set[int] = set()
    if rows and actor.has_menu_code(MenuCode.ORDER_CANCEL):
        cancels = list_visible_cancels(actor=actor).filter(order=order)
        visible = set(cancels.values_list("pk", flat=True))
    for row in rows:
        cancel = row.cancel_order
        yield TraceStep(
            kind=TraceKind.CANCEL,
            line_id=row.order_line_id,
            at=cancel.decided_at or cancel.submitted_at,
            quantity=row.quantity,
            amount=row.amount_incl_tax,
            number=cancel.cancel_no if cancel.pk in visible else "",
            target=str(cancel.pk) if cancel.pk in visible else "",
            state=cancel.get_status_display(),
            is_counted=cancel.status == CancelStatus.DONE,
        )


def _iterate_return_steps(actor: Account, order: Order) -> Iterator[TraceStep]:
    """Yield a step for each returned line. The number is empty if the actor cannot see the
    return.
    """
    rows = list(
        ReturnLine.objects.filter(return_order__order=order)
        .select_related("return_order")
        .order_by("pk")
    )
    visible: set[int] = set()
    if rows and actor.has_menu_code(MenuCode.ORDER_RETURN):
        returns = list_visible_returns(actor=actor).filter(order=order)
        visible = set(returns.values_list("pk", flat=True))
    for row in rows:
        return_order = row.return_order
        number = return_order.return_no if return_order.pk in visible else ""
        is_refunded = return_order.refunded_at is not None
        yield TraceStep(
            kind=TraceKind.RETURN,
            line_id=row.order_line_id,
            at=return_order.refunded_at or return_order.submitted_at,
            quantity=row.quantity if row.accepted_quantity is None else row.accepted_quantity,
            amount=row.amount_incl_tax if is_refunded else None,
            number=number,
            target=number,
            state=f"{ReturnKind(return_order.kind).label} · {return_order.get_status_display()}",
            is_counted=return_order.status not in CLOSED
            and (is_refunded or return_order.kind != ReturnKind.RETURN),
        )
