"""Access to orders: the orders that an account may see, and the table of actions that a person may
take on an order in each state.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.approvals.selectors.approvals import list_subject_ids_of_approver
from apps.orders.enums import OrderAction, OrderStatus, PaymentKind, SettlementStatus
from apps.orders.models import Order
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account

SUBJECT_TYPE = "order"

# 在线支付: an unpaid order is cancelled after this time.
PAY_WITHIN = timedelta(hours=24)
S = OrderStatus
A = OrderAction
# The actions by state for a person who may change the order. A person who may only see it can
# only reorder.
ACTIONS: dict[str, tuple[OrderAction, ...]] = {
    S.PENDING_APPROVAL: (A.WITHDRAW, A.CANCEL, A.REORDER),
    S.REJECTED: (A.REORDER,),
    S.WITHDRAWN: (A.REORDER,),
    S.PENDING_CONFIRM: (A.PAY, A.CANCEL, A.APPLY_CANCEL, A.REORDER),
    S.PENDING_SHIPMENT: (A.APPLY_CANCEL, A.REORDER),
    S.PARTLY_SHIPPED: (A.RECEIVE, A.REVIEW, A.APPLY_CANCEL, A.APPLY_RETURN, A.REORDER),
    S.PENDING_RECEIPT: (A.RECEIVE, A.REVIEW, A.APPLY_RETURN, A.REORDER),
    S.COMPLETED: (A.REVIEW, A.APPLY_RETURN, A.REORDER),
    S.CANCELLED: (A.REORDER,),
}


def list_orders_in_scope(
    *, actor: Account, subtree_ids: Collection[int] | None = None
) -> QuerySet[Order]:
    """Return the orders in the actor's data scope, as in the order list. `subtree_ids` is the
    department subtree, if the caller has read it.
    """
    scope = scope_filter(
        actor=actor, menu=MenuCode.ORDER_LIST, account="requester", subtree_ids=subtree_ids
    )
    queryset: QuerySet[Order] = Order.objects.filter(scope)
    return queryset


def list_visible_orders(*, actor: Account) -> QuerySet[Order]:
    """Return the orders that the actor may open: those in the data scope, and those with an
    approval task of the actor.
    """
    scope = scope_filter(actor=actor, menu=MenuCode.ORDER_LIST, account="requester")
    own_approvals = list_subject_ids_of_approver(SUBJECT_TYPE, actor)
    queryset: QuerySet[Order] = Order.objects.filter(scope | Q(pk__in=own_approvals))
    return queryset


def is_owed_online(order: Order) -> bool:
    """Return whether the order waits for its online payment."""
    return (
        order.payment_kind == PaymentKind.ONLINE
        and order.status == S.PENDING_CONFIRM
        and order.settlement_status != SettlementStatus.DONE
    )


def may_be_reviewed(order: Order) -> bool:
    """Return whether a received line has no review and the review period is still open."""
    return order.review_until is not None and order.review_until > timezone.now()


def pay_by(order: Order) -> datetime | None:
    """Return the time when an unpaid online order is cancelled: PAY_WITHIN after its first payment
    was created. None for an order that is not owed online or has no payment.
    """
    if not is_owed_online(order):
        return None
    payment_times = [payment.created_at for payment in order.payments.all()]
    return min(payment_times) + PAY_WITHIN if payment_times else None


def list_allowed_actions(
    *,
    actor: Account,
    order: Order,
    has_goods_on_way: bool = True,
    has_goods_to_return: bool = False,
) -> list[str]:
    """Return the codes of the actions that the actor may take on the order now."""
    if order.requester_id != actor.pk and not actor.is_group_admin:
        return [A.REORDER.value]
    actions = [action.value for action in ACTIONS[order.status]]
    if not is_owed_online(order) or actor.impersonator is not None:
        actions = [action for action in actions if action != A.PAY]
    withheld = set()
    if not actor.has_menu_code(MenuCode.ORDER_CANCEL):
        withheld.add(A.APPLY_CANCEL.value)
    if not (has_goods_to_return and actor.has_menu_code(MenuCode.ORDER_RETURN)):
        withheld.add(A.APPLY_RETURN.value)
    if actor.impersonator is not None or not may_be_reviewed(order):
        withheld.add(A.REVIEW.value)
    if not has_goods_on_way:
        withheld.add(A.RECEIVE.value)
    return [action for action in actions if action not in withheld]
