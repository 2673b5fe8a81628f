"""Grant or refuse a cancellation (staff), or withdraw it (customer)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.aftersales.enums import CancelEventKind, CancelStatus
from apps.aftersales.errors import CancelOrderNotFound, CancelRefusalReasonMissing
from apps.aftersales.locks import lock_cancel, locked_cancel
from apps.aftersales.models import CancelOrder
from apps.aftersales.selectors.cancels import list_visible_cancels
from apps.aftersales.services.cancel_flow import CANCELLATIONS, cancel_reason_text, cancel_record
from apps.orders.locks import lock_own_order
from apps.orders.services.cancellations import order_pieces_cancel, pieces_free

if TYPE_CHECKING:
    from apps.org.models import Account


def cancel_grant(*, actor: Account, cancel_id: int, note: str = "") -> CancelOrder:
    """Grant the cancellation and return it. The pieces are cancelled; stock, budget and money
    are released.

    Raises:
        WrongState: it is already decided or withdrawn.
    """
    with locked_cancel(cancel_id=cancel_id) as cancel:
        cancel_grant_locked(cancel, actor=actor, note=note)
    return cancel


def cancel_grant_locked(cancel: CancelOrder, *, actor: Account | None, note: str) -> None:
    """Grant a locked cancellation of a locked order. The actor is None for the periodic job."""
    CANCELLATIONS.transition(cancel, "grant", "同意", at=timezone.now())
    order, pieces = cancel.order, _pieces_by_line(cancel)
    cancel.total_before, cancel.freight_before = order.total_amount, order.freight_amount
    reason = cancel_reason_text(cancel.reason_kind, cancel.reason)
    outcome = order_pieces_cancel(
        order,
        actor=actor,
        pieces=pieces,
        held=pieces,
        reason=reason if actor else f"{note}，取消原因：{reason}",
        reference=cancel.cancel_no,
    )
    # The freight rules may have changed since the request, so save the actual amounts.
    cancel.is_whole = outcome.reduced.is_whole
    cancel.total_after, cancel.freight_after = outcome.reduced.total, outcome.reduced.freight
    cancel.refund_amount = outcome.refunded
    cancel.decided_by, cancel.decision_note = actor, note
    kind = CancelEventKind.GRANTED if actor else CancelEventKind.GRANTED_LATE
    _record_decision(cancel, actor=actor, kind=kind, reason=note)


def cancel_refuse(*, actor: Account, cancel_id: int, reason: str) -> CancelOrder:
    """Refuse the cancellation with a reason and return it. Its pieces can be shipped again.

    Raises:
        ValidationFailed: the reason is empty.
        WrongState: it is already decided or withdrawn.
    """
    note = reason.strip()
    if not note:
        raise CancelRefusalReasonMissing
    with locked_cancel(cancel_id=cancel_id) as cancel:
        CANCELLATIONS.transition(cancel, "refuse", "拒绝", at=timezone.now())
        pieces_free(cancel.order, _pieces_by_line(cancel))
        cancel.decided_by, cancel.decision_note = actor, note
        _record_decision(cancel, actor=actor, kind=CancelEventKind.REFUSED, reason=note)
    return cancel


@transaction.atomic
def cancel_withdraw(*, actor: Account, cancel_id: int) -> CancelOrder:
    """Withdraw the customer's cancellation and return it. Its pieces can be shipped again.

    Raises:
        CancelOrderNotFound, NotYourOrder: the actor cannot see or change it.
        WrongState: it is already decided.
    """
    visible = list_visible_cancels(actor=actor).select_related("order").filter(pk=cancel_id).first()
    if visible is None:
        raise CancelOrderNotFound
    order = lock_own_order(actor=actor, order_no=visible.order.order_no)
    cancel = lock_cancel(cancel_id, order=order)
    CANCELLATIONS.transition(cancel, "withdraw", "撤销", at=timezone.now())
    pieces_free(order, _pieces_by_line(cancel))
    _record_decision(cancel, actor=actor, kind=CancelEventKind.WITHDRAWN)
    return cancel


def _pieces_by_line(cancel: CancelOrder) -> dict[int, int]:
    """Return {order line pk: pieces} of the cancellation."""
    return dict(cancel.lines.order_by().values_list("order_line_id", "quantity"))


def _record_decision(
    cancel: CancelOrder, *, actor: Account | None, kind: CancelEventKind, reason: str = ""
) -> None:
    cancel_record(cancel, actor=actor, kind=kind, before=CancelStatus.PENDING, reason=reason)
