"""Locks of returns and cancellations, each after its order. The lock order is in
docs/architecture.md.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import QuerySet

from apps.aftersales.errors import NotYourReturn, ReturnNotFound
from apps.aftersales.models import CancelOrder, ReturnOrder
from apps.aftersales.selectors.returns import list_visible_returns, may_change_return
from apps.common.tenancy import row_scope, tenant_scope
from apps.orders.locks import lock_order
from apps.orders.models import Order

if TYPE_CHECKING:
    from apps.org.models import Account


def lock_own_return(*, actor: Account, return_no: str) -> ReturnOrder:
    """Lock the order, then the return, and return the return. The actor must be allowed to act
    on it.

    Raises:
        ReturnNotFound: the actor cannot see a return with this number.
        NotYourReturn: the actor may only view it.
    """
    return_order = _lock_return(list_visible_returns(actor=actor).filter(return_no=return_no))
    if not may_change_return(actor=actor, return_order=return_order):
        raise NotYourReturn
    return return_order


@contextmanager
def locked_return(*, return_id: int) -> Generator[ReturnOrder]:
    """Open the scope of the return's group and a transaction, lock the order and the return,
    and yield the return. For staff and jobs.

    Raises:
        ReturnNotFound: no return has this id.
    """
    with row_scope(ReturnOrder, return_id, missing=ReturnNotFound):
        yield _lock_return(ReturnOrder.objects.filter(pk=return_id))


def _lock_return(returns: QuerySet[ReturnOrder]) -> ReturnOrder:
    """Lock the order first and read the return afterwards, so that its values are current.

    Raises:
        ReturnNotFound: there is none with this number.
    """
    order_no = returns.values_list("order__order_no", flat=True).first()
    if order_no is None:
        raise ReturnNotFound
    order = lock_order(order_no=order_no)
    return_order = returns.select_for_update(of=("self",)).first()
    if return_order is None:
        raise ReturnNotFound
    return_order.order = order
    return return_order


@contextmanager
def locked_cancel(*, cancel_id: int) -> Generator[CancelOrder]:
    """Open the scope of the cancellation's group and a transaction, lock the order and the
    cancellation, and yield the cancellation. For staff.
    """
    cancel = (
        CancelOrder.objects.select_related("order")
        .only("group_id", "order__order_no", "order__group_id")
        .get(pk=cancel_id)
    )
    with tenant_scope(group_id=cancel.group_id), transaction.atomic():
        yield lock_cancel(cancel_id, order=lock_order(order_no=cancel.order.order_no))


def lock_cancel(cancel_id: int, *, order: Order) -> CancelOrder:
    """Lock the cancellation of an order that the caller has locked, and return it."""
    cancel: CancelOrder = CancelOrder.objects.select_for_update(of=("self",)).get(pk=cancel_id)
    cancel.order = order
    return cancel
