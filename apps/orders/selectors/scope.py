"""Which orders an account may see."""

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
    """Return the orders of the actor's data scope: what his list shows. `below` is his department's subtree where it is known already."""
    scope = scope_filter(actor=actor, menu=MenuCode.ORDER_LIST, account="requester", below=below)
    queryset: QuerySet[Order] = Order.objects.filter(scope)
    return queryset


def orders_visible(*, actor: Account) -> QuerySet[Order]:
    """Return the orders he may open: his data scope's, and those that he has been asked to approve."""
    scope = scope_filter(actor=actor, menu=MenuCode.ORDER_LIST, account="requester")
    asked = subject_ids_of_approver(SUBJECT_TYPE, actor)
    queryset: QuerySet[Order] = Order.objects.filter(scope | Q(pk__in=asked))
    return queryset
