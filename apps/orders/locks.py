"""Lock an existing order and check who may change it. The lock order is in docs/architecture.md."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import QuerySet

from apps.common.tenancy import tenant_scope
from apps.orders.errors import NotYourOrder, OrderNotFound
from apps.orders.models import Order
from apps.orders.selectors.access import list_visible_orders

if TYPE_CHECKING:
    from apps.org.models import Account


def _lock_one(orders: QuerySet[Order], order_no: str) -> Order:
    order = (
        orders.select_for_update(of=("self",))
        .select_related("budget_reservation")
        .filter(order_no=order_no)
        .first()
    )
    if order is None:
        raise OrderNotFound
    return order


def lock_own_order(*, actor: Account, order_no: str) -> Order:
    """Lock and return an order that the actor may change: an own order, or any order of the
    group for the group admin.

    Raises:
        OrderNotFound: the actor cannot see an order with this number.
        NotYourOrder: the actor may see the order but not change it.
    """
    order = lock_order(order_no=order_no)
    # The requester always sees the order. Only for others the query of the data scope is worth
    # its price: it takes five times as long as the lock.
    if (
        order.requester_id != actor.pk
        and not list_visible_orders(actor=actor).filter(pk=order.pk).exists()
    ):
        raise OrderNotFound
    if not may_change(actor=actor, order=order):
        raise NotYourOrder
    return order


def lock_order(*, order_no: str) -> Order:
    """Lock and return any order of the open scope. For staff and the system.

    Raises:
        OrderNotFound: there is none.
    """
    return _lock_one(Order.objects.all(), order_no)


@contextmanager
def locked_order(*, order_id: int) -> Generator[Order]:
    """Yield an order of any group, locked, in its group's scope and in one transaction. For staff,
    who work in the platform's scope.

    Raises:
        Order.DoesNotExist: there is none.
    """
    row = Order.objects.only("order_no", "group_id").get(pk=order_id)
    with tenant_scope(group_id=row.group_id), transaction.atomic():
        yield lock_order(order_no=row.order_no)


def may_change(*, actor: Account, order: Order) -> bool:
    """Return whether the actor is the requester of the order or the admin of its group."""
    return bool(
        order.requester_id == actor.pk
        or (actor.is_group_admin and actor.group_id == order.group_id)
    )
