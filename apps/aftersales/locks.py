"""Locks of returns. Lock order: order, return, budget, stock."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.aftersales.errors import NotYourReturn, ReturnNotFound
from apps.aftersales.models import ReturnOrder
from apps.aftersales.selectors.returns import may_change_return, returns_visible
from apps.common.row_scope import row_scope
from apps.orders.locks import lock_order

if TYPE_CHECKING:
    from apps.org.models import Account


def lock_own_return(*, actor: Account, return_no: str) -> ReturnOrder:
    """Lock the order, then the return, and return the return. The actor must be allowed to act
    on it.

    Raises:
        ReturnNotFound: the actor cannot see a return with this number.
        NotYourReturn: the actor may only view it.
    """
    return_order = _locked(returns_visible(actor=actor).filter(return_no=return_no))
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
        yield _locked(ReturnOrder.objects.filter(pk=return_id))


def _locked(returns: QuerySet[ReturnOrder]) -> ReturnOrder:
    """Lock the order first and read the return afterwards, so that its values are current."""
    order_no = returns.values_list("order__order_no", flat=True).first()
    if order_no is None:
        raise ReturnNotFound
    order = lock_order(order_no=order_no)
    return_order = returns.select_for_update(of=("self",)).first()
    if return_order is None:
        raise ReturnNotFound
    return_order.order = order
    return return_order
