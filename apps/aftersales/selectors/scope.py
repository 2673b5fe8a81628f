"""Visibility of returns, and the right to act on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.aftersales.models import ReturnOrder
from apps.orders.models import Order
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account


def returns_visible(*, actor: Account) -> QuerySet[ReturnOrder]:
    """Return the returns in the actor's data scope."""
    scope = scope_filter(actor=actor, menu=MenuCode.ORDER_RETURN, account="requester")
    queryset: QuerySet[ReturnOrder] = ReturnOrder.objects.filter(scope)
    return queryset


def orders_returnable(*, actor: Account) -> QuerySet[Order]:
    """Return the orders in the actor's data scope for returns, including orders that cannot be
    returned.
    """
    scope = scope_filter(actor=actor, menu=MenuCode.ORDER_RETURN, account="requester")
    queryset: QuerySet[Order] = Order.objects.filter(scope)
    return queryset


def may_change_return(*, actor: Account, return_order: ReturnOrder) -> bool:
    """Return whether the actor is the requester or the administrator of the return's group."""
    return bool(
        return_order.requester_id == actor.pk
        or (actor.is_group_admin and actor.group_id == return_order.group_id)
    )
