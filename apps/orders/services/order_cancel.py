"""Cancel an order of which nothing has shipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from apps.approvals.services.approval_flow import approval_withdraw
from apps.common.background.periodic import run_for_each
from apps.common.errors import WrongState
from apps.common.tenancy import tenant_scope
from apps.orders.enums import (
    OrderApprovalStatus,
    OrderEventKind,
    OrderStatus,
    PaymentKind,
    SettlementStatus,
)
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
    """Cancel an order that the staff have not confirmed, and return it. Releases its stock and
    its budget reservation.

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see it, or may not change it.
        WrongState: it has ended already, is confirmed, or something of it has shipped.
    """
    order = lock_own_order(actor=actor, order_no=order_no)
    if order.status == OrderStatus.PENDING_SHIPMENT:
        # After the confirmation, staff decide on a cancellation request.
        raise wrong_state(order, "直接取消")
    return order_end(order, actor=actor, reason=reason)


def order_cancel_by_staff(*, actor: Account, order_id: int, reason: str) -> Order:
    """Cancel an order of which nothing has shipped, on behalf of the customer.

    Raises:
        WrongState: it has ended already, something of it has shipped, or a cancellation request of
            the customer is open.
    """
    found = Order.objects.only("order_no", "group_id").get(pk=order_id)
    with tenant_scope(group_id=found.group_id), transaction.atomic():
        order = lock_order(order_no=found.order_no)
        if order.lines.filter(cancelling_quantity__gt=0).exists():
            raise WrongState("客户对该订单的取消申请正等待处理，请到“取消订单”中同意或拒绝")
        return order_end(order, actor=actor, reason=reason)


def order_end(order: Order, *, actor: Account | None, reason: str) -> Order:
    """Cancel a locked order as a whole and return it. Ends its approval, releases budget and
    stock, and refunds its payments. The lines stay.
    """
    was_in_approval = order.approval_status == OrderApprovalStatus.PENDING
    before = order_move(order, "cancel", "取消")
    if was_in_approval:
        approval_withdraw(subject_type=SUBJECT_TYPE, subject_id=order.pk)
    order_release(order, actor=actor, note="取消订单")
    payments_close(order, actor=actor)
    order_record(order, actor=actor, kind=OrderEventKind.CANCELLED, before=before, reason=reason)
    return order


def orders_cancel_unpaid() -> int:
    """Cancel online orders without payment after 24 hours, each in its own transaction. Return
    the number of cancelled orders.

    Runs in the platform scope.
    """
    late = (
        Order.objects.filter(status=OrderStatus.PENDING_CONFIRM, payment_kind=PaymentKind.ONLINE)
        .exclude(settlement_status=SettlementStatus.DONE)
        .annotate(payable_since=Min("payments__created_at"))
        .filter(payable_since__lt=timezone.now() - PAY_WITHIN)
    )
    return run_for_each(late.order_by("pk").values_list("order_no", "group_id"), _cancel_unpaid)


def _cancel_unpaid(order_no: str, group_id: int) -> bool:
    with tenant_scope(group_id=group_id), transaction.atomic():
        order = lock_order(order_no=order_no)
        # A concurrent transaction has paid or cancelled the order.
        if (
            order.status != OrderStatus.PENDING_CONFIRM
            or order.settlement_status == SettlementStatus.DONE
        ):
            return False
        order_end(order, actor=None, reason=UNPAID)
    return True
