"""Staff grant or refuse a cancellation; the customer may withdraw it; what nobody decides in time is granted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.aftersales.cancel_enums import CancelEventKind, CancelReason, CancelStatus
from apps.aftersales.cancel_errors import CancelOrderNotFound
from apps.aftersales.models import CancelOrder
from apps.aftersales.selectors.cancel_orders import cancels_visible
from apps.aftersales.services.cancel_moves import cancel_record, refuse_decided
from apps.common.errors import ValidationFailed
from apps.common.tenancy import tenant_scope
from apps.orders.locks import lock_order, lock_own_order
from apps.orders.models import Order
from apps.orders.services.order_hold import pieces_free
from apps.orders.services.order_part_cancel import order_pieces_cancel

if TYPE_CHECKING:
    from apps.org.models import Account

Act = Callable[[CancelOrder, Order], CancelOrder]


def cancel_grant(*, actor: Account, cancel_id: int, note: str = "") -> CancelOrder:
    """Return the cancellation, granted: what was asked for is cancelled; stock, budget and money go back.

    Raises:
        WrongState: it has been decided or withdrawn.
    """
    return _by_staff(cancel_id, lambda cancel, order: granted(cancel, order, actor=actor, note=note))


def cancel_refuse(*, actor: Account, cancel_id: int, reason: str) -> CancelOrder:
    """Return the cancellation, refused with a reason; its pieces can be shipped again.

    Raises:
        ValidationFailed: there is no reason.
        WrongState: it has been decided or withdrawn.
    """
    if not reason.strip():
        raise ValidationFailed({"reason": ["请填写拒绝原因，客户会看到"]})

    def refuse(cancel: CancelOrder, order: Order) -> CancelOrder:
        refuse_decided(cancel, "拒绝")
        pieces_free(order, pieces_of(cancel))
        cancel.refuse(at=timezone.now())
        cancel.decided_by, cancel.decision_note = actor, reason.strip()
        return _saved(cancel, actor, CancelEventKind.REFUSED, reason.strip())

    return _by_staff(cancel_id, refuse)


@transaction.atomic
def cancel_withdraw(*, actor: Account, cancel_id: int) -> CancelOrder:
    """Return the cancellation, withdrawn: the customer wants the pieces after all, and they can be shipped again.

    Raises:
        CancelOrderNotFound, NotYourOrder: it is not the actor's.
        WrongState: it has been decided already.
    """
    found = cancels_visible(actor=actor).select_related("order").filter(pk=cancel_id).first()
    if found is None:
        raise CancelOrderNotFound
    order = lock_own_order(actor=actor, order_no=found.order.order_no)
    cancel = lock_cancel(cancel_id, order)
    refuse_decided(cancel, "撤销")
    pieces_free(order, pieces_of(cancel))
    cancel.withdraw(at=timezone.now())
    return _saved(cancel, actor, CancelEventKind.WITHDRAWN, "")


def granted(cancel: CancelOrder, order: Order, *, actor: Account | None, note: str) -> CancelOrder:
    """Return a locked cancellation of a locked order, granted; no actor is the clock."""
    refuse_decided(cancel, "同意")
    pieces = pieces_of(cancel)
    total, freight = order.total_amount, order.freight_amount
    words = CancelReason(cancel.reason_kind).label + (f"：{cancel.reason}" if cancel.reason else "")
    words = words if actor else f"{note}，取消原因：{words}"
    done = order_pieces_cancel(order, actor=actor, pieces=pieces, held=pieces, reason=words, reference=cancel.cancel_no)
    cancel.grant(at=timezone.now())
    cancel.decided_by, cancel.decision_note = actor, note
    # Since it was asked for the table of freight may have changed: what is kept is what came of it.
    cancel.is_whole = done.reduced.is_whole
    cancel.total_before, cancel.freight_before = total, freight
    cancel.total_after, cancel.freight_after, cancel.refund_amount = done.reduced.total, done.reduced.freight, done.refunded
    kind = CancelEventKind.GRANTED if actor else CancelEventKind.GRANTED_LATE
    return _saved(cancel, actor, kind, note)


def pieces_of(cancel: CancelOrder) -> dict[int, int]:
    """Return the pieces of a cancellation by order line pk."""
    return dict(cancel.lines.order_by().values_list("order_line_id", "quantity"))


def lock_cancel(cancel_id: int, order: Order) -> CancelOrder:
    """Return a cancellation, locked after its order, which all that happens to it locks first."""
    cancel: CancelOrder = CancelOrder.objects.select_for_update(of=("self",)).get(pk=cancel_id)
    cancel.order = order
    return cancel


def _by_staff(cancel_id: int, act: Act) -> CancelOrder:
    found = CancelOrder.objects.select_related("order").only("group_id", "order__order_no", "order__group_id").get(pk=cancel_id)
    with tenant_scope(group_id=found.group_id), transaction.atomic():
        order = lock_order(order_no=found.order.order_no)
        return act(lock_cancel(cancel_id, order), order)


def _saved(cancel: CancelOrder, actor: Account | None, kind: CancelEventKind, reason: str) -> CancelOrder:
    cancel.save()
    cancel_record(cancel, actor=actor, kind=kind, before=CancelStatus.PENDING, reason=reason)
    return cancel
