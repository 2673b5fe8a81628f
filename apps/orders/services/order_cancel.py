"""Cancel an order of which nothing has been shipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from apps.approvals.services.approval_close import approval_withdraw
from apps.common.background.periodic import done_for_each
from apps.common.errors import WrongState
from apps.common.tenancy import tenant_scope
from apps.orders.enums import OrderApprovalStatus, OrderEventKind, OrderStatus, PaymentKind, SettlementStatus
from apps.orders.locks import lock_order, lock_own_order
from apps.orders.models import Order
from apps.orders.selectors.actions import PAY_WITHIN
from apps.orders.selectors.scope import SUBJECT_TYPE
from apps.orders.services.moves import order_move, order_record, wrong_state
from apps.orders.services.order_release import order_release
from apps.orders.services.payment_close import payments_close

if TYPE_CHECKING:
    from apps.org.models import Account

UNPAID = "超过 24 小时未支付，系统自动取消"


@transaction.atomic
def order_cancel(*, actor: Account, order_no: str, reason: str) -> Order:
    """Return the order, cancelled whole before staff have confirmed it; its stock and its budget reservation go back.

    Raises:
        OrderNotFound, NotYourOrder: it is not the actor's.
        WrongState: it has ended already, is confirmed, or something of it has been shipped.
    """
    order = lock_own_order(actor=actor, order_no=order_no)
    if order.status == OrderStatus.PENDING_SHIPMENT:
        # Unconfirmed → at once, confirmed → staff decides.
        raise wrong_state(order, "直接取消")
    return order_end(order, actor=actor, reason=reason)


def order_cancel_by_staff(*, actor: Account, order_id: int, reason: str) -> Order:
    """Cancel any order of which nothing has been shipped, for its customer.

    Raises:
        WrongState: it has ended already, something of it has been shipped, or its customer has asked to cancel and waits for an answer.
    """
    found = Order.objects.only("order_no", "group_id").get(pk=order_id)
    with tenant_scope(group_id=found.group_id), transaction.atomic():
        order = lock_order(order_no=found.order_no)
        if order.lines.filter(cancelling_quantity__gt=0).exists():
            raise WrongState("客户对该订单的取消申请正等待处理，请到“取消订单”中同意或拒绝")
        return order_end(order, actor=actor, reason=reason)


def order_end(order: Order, *, actor: Account | None, reason: str) -> Order:
    """Return a locked order, cancelled whole: its approval ends, budget and stock go back, and what was paid; its lines stay."""
    was_in_approval = order.approval_status == OrderApprovalStatus.PENDING
    before = order_move(order, "cancel", "取消")
    if was_in_approval:
        approval_withdraw(subject_type=SUBJECT_TYPE, subject_id=order.pk)
    order_release(order, actor=actor, note="取消订单")
    payments_close(order, actor=actor)
    order_record(order, actor=actor, kind=OrderEventKind.CANCELLED, before=before, reason=reason)
    return order


def orders_cancel_unpaid() -> int:
    """Cancel what should have been paid online within 24 hours, each in its own transaction; return how many.

    Runs in the platform's scope.
    """
    late = (
        Order.objects.filter(status=OrderStatus.PENDING_CONFIRM, payment_kind=PaymentKind.ONLINE)
        .exclude(settlement_status=SettlementStatus.DONE)
        .annotate(payable_since=Min("payments__created_at"))
        .filter(payable_since__lt=timezone.now() - PAY_WITHIN)
    )
    return done_for_each(late.order_by("pk").values_list("order_no", "group_id"), _cancel_unpaid)


def _cancel_unpaid(order_no: str, group_id: int) -> bool:
    with tenant_scope(group_id=group_id), transaction.atomic():
        order = lock_order(order_no=order_no)
        # Paid or cancelled while we came here: it is no longer ours to end.
        if order.status != OrderStatus.PENDING_CONFIRM or order.settlement_status == SettlementStatus.DONE:
            return False
        order_end(order, actor=None, reason=UNPAID)
    return True
