"""The orders that an account may see."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet

from apps.approvals.selectors.approvals import subject_ids_of_approver
from apps.orders.models import Order
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter

if TYPE_CHECKING:
    from apps.org.models import Account

SUBJECT_TYPE = "order"


def orders_in_scope(*, actor: Account, below: Collection[int] | None = None) -> QuerySet[Order]:
    """Return the orders in the actor's data scope, as in the order list. `below` is the
    department subtree, if the caller has read it.
    """
    scope = scope_filter(actor=actor, menu=MenuCode.ORDER_LIST, account="requester", below=below)
    queryset: QuerySet[Order] = Order.objects.filter(scope)
    return queryset


def orders_visible(*, actor: Account) -> QuerySet[Order]:
    """Return the orders that the actor may open: those in the data scope, and those with an
    approval task of the actor.
    """
    scope = scope_filter(actor=actor, menu=MenuCode.ORDER_LIST, account="requester")
    asked = subject_ids_of_approver(SUBJECT_TYPE, actor)
    queryset: QuerySet[Order] = Order.objects.filter(scope | Q(pk__in=asked))
    return queryset
