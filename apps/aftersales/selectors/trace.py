"""The steps of cancellations and returns in the trace of an order line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from apps.aftersales.enums import CancelStatus, ReturnKind, ReturnStatus
from apps.aftersales.models import CancelOrderLine, ReturnLine
from apps.aftersales.selectors.cancels import cancels_visible
from apps.aftersales.selectors.returns import returns_visible
from apps.orders.enums import TraceKind
from apps.orders.selectors.order_trace import TraceStep
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.orders.models import Order
    from apps.org.models import Account

OVER = (ReturnStatus.REJECTED, ReturnStatus.WITHDRAWN)


def aftersales_trace(*, actor: Account, order: Order) -> Iterator[TraceStep]:
    """Yield a step for each line of each cancellation and return of the order."""
    yield from _cancelled(actor, order)
    yield from _returned(actor, order)


def _cancelled(actor: Account, order: Order) -> Iterator[TraceStep]:
    rows = list(
        CancelOrderLine.objects.filter(cancel_order__order=order)
        .select_related("cancel_order")
        .order_by("pk")
    )
    seen = cancels_visible(actor=actor).filter(order=order)
    may_open = (
        set(seen.values_list("pk", flat=True))
        if rows and actor.has_menu_code(MenuCode.ORDER_CANCEL)
        else set()
    )
    for row in rows:
        cancel = row.cancel_order
        number, target = (cancel.cancel_no, str(cancel.pk)) if cancel.pk in may_open else ("", "")
        at, counts = cancel.decided_at or cancel.submitted_at, cancel.status == CancelStatus.DONE
        state = cancel.get_status_display()
        yield TraceStep(
            TraceKind.CANCEL,
            row.order_line_id,
            at,
            row.quantity,
            row.amount_incl_tax,
            number,
            target,
            state,
            counts,
        )


def _returned(actor: Account, order: Order) -> Iterator[TraceStep]:
    rows = list(
        ReturnLine.objects.filter(return_order__order=order)
        .select_related("return_order")
        .order_by("pk")
    )
    seen = returns_visible(actor=actor).filter(order=order)
    may_open = (
        set(seen.values_list("pk", flat=True))
        if rows and actor.has_menu_code(MenuCode.ORDER_RETURN)
        else set()
    )
    for row in rows:
        of = row.return_order
        number = of.return_no if of.pk in may_open else ""
        is_refunded = of.refunded_at is not None
        yield TraceStep(
            kind=TraceKind.RETURN,
            line_id=row.order_line_id,
            at=of.refunded_at or of.submitted_at,
            quantity=row.quantity if row.accepted_quantity is None else row.accepted_quantity,
            amount=row.amount_incl_tax if is_refunded else None,
            number=number,
            target=number,
            state=f"{ReturnKind(of.kind).label} · {of.get_status_display()}",
            counts=of.status not in OVER and (is_refunded or of.kind != ReturnKind.RETURN),
        )
