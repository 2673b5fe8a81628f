"""Grant or refuse a cancellation (staff), or withdraw it (customer). The periodic job grants
overdue requests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.aftersales.enums import CancelEventKind, CancelReason, CancelStatus
from apps.aftersales.errors import CancelOrderNotFound
from apps.aftersales.models import CancelOrder
from apps.aftersales.selectors.cancels import cancels_visible
from apps.aftersales.services.cancel_flow import CANCELLATIONS, cancel_record
from apps.common.errors import ValidationFailed
from apps.common.tenancy import tenant_scope
from apps.orders.locks import lock_order, lock_own_order
from apps.orders.models import Order
from apps.orders.services.cancellations import order_pieces_cancel, pieces_free

if TYPE_CHECKING:
    from apps.org.models import Account

Act = Callable[[CancelOrder, Order], CancelOrder]


def cancel_grant(*, actor: Account, cancel_id: int, note: str = "") -> CancelOrder:
    """Grant the cancellation and return it. The pieces are cancelled; stock, budget and money
    are released.

    Raises:
        WrongState: it is already decided or withdrawn.
    """
    return _by_staff(
        cancel_id, lambda cancel, order: granted(cancel, order, actor=actor, note=note)
    )


def cancel_refuse(*, actor: Account, cancel_id: int, reason: str) -> CancelOrder:
    """Refuse the cancellation with a reason and return it. Its pieces can be shipped again.

    Raises:
        ValidationFailed: the reason is empty.
        WrongState: it is already decided or withdrawn.
    """
    if not reason.strip():
        raise ValidationFailed({"reason": ["请填写拒绝原因，客户会看到"]})

    def refuse(cancel: CancelOrder, order: Order) -> CancelOrder:
        CANCELLATIONS.transition(cancel, "refuse", "拒绝", at=timezone.now())
        pieces_free(order, pieces_of(cancel))
        cancel.decided_by, cancel.decision_note = actor, reason.strip()
        return _saved(cancel, actor, CancelEventKind.REFUSED, reason.strip())

    return _by_staff(cancel_id, refuse)


@transaction.atomic
def cancel_withdraw(*, actor: Account, cancel_id: int) -> CancelOrder:
    """Withdraw the customer's cancellation and return it. Its pieces can be shipped again.

    Raises:
        CancelOrderNotFound, NotYourOrder: the actor cannot see or change it.
        WrongState: it is already decided.
    """
    found = cancels_visible(actor=actor).select_related("order").filter(pk=cancel_id).first()
    if found is None:
        raise CancelOrderNotFound
    order = lock_own_order(actor=actor, order_no=found.order.order_no)
    cancel = lock_cancel(cancel_id, order)
    CANCELLATIONS.transition(cancel, "withdraw", "撤销", at=timezone.now())
    pieces_free(order, pieces_of(cancel))
    return _saved(cancel, actor, CancelEventKind.WITHDRAWN, "")


def granted(cancel: CancelOrder, order: Order, *, actor: Account | None, note: str) -> CancelOrder:
    """Grant a locked cancellation of a locked order and return it. The actor is None for the
    periodic job.
    """
    CANCELLATIONS.transition(cancel, "grant", "同意", at=timezone.now())
    pieces = pieces_of(cancel)
    total, freight = order.total_amount, order.freight_amount
    words = CancelReason(cancel.reason_kind).label + (f"：{cancel.reason}" if cancel.reason else "")
    words = words if actor else f"{note}，取消原因：{words}"
    done = order_pieces_cancel(
        order, actor=actor, pieces=pieces, held=pieces, reason=words, reference=cancel.cancel_no
    )
    cancel.decided_by, cancel.decision_note = actor, note
    # The freight rules may have changed since the request, so save the actual amounts.
    cancel.is_whole = done.reduced.is_whole
    cancel.total_before, cancel.freight_before = total, freight
    cancel.total_after, cancel.freight_after, cancel.refund_amount = (
        done.reduced.total,
        done.reduced.freight,
        done.refunded,
    )
    kind = CancelEventKind.GRANTED if actor else CancelEventKind.GRANTED_LATE
    return _saved(cancel, actor, kind, note)


def pieces_of(cancel: CancelOrder) -> dict[int, int]:
    """Return {order line pk: pieces} of the cancellation."""
    return dict(cancel.lines.order_by().values_list("order_line_id", "quantity"))


def lock_cancel(cancel_id: int, order: Order) -> CancelOrder:
    """Lock the cancellation of an order that the caller has locked, and return it."""
    cancel: CancelOrder = CancelOrder.objects.select_for_update(of=("self",)).get(pk=cancel_id)
    cancel.order = order
    return cancel


def _by_staff(cancel_id: int, act: Act) -> CancelOrder:
    found = (
        CancelOrder.objects.select_related("order")
        .only("group_id", "order__order_no", "order__group_id")
        .get(pk=cancel_id)
    )
    with tenant_scope(group_id=found.group_id), transaction.atomic():
        order = lock_order(order_no=found.order.order_no)
        return act(lock_cancel(cancel_id, order), order)


def _saved(
    cancel: CancelOrder, actor: Account | None, kind: CancelEventKind, reason: str
) -> CancelOrder:
    cancel_record(cancel, actor=actor, kind=kind, before=CancelStatus.PENDING, reason=reason)
    return cancel
