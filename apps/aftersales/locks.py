"""Locking a return: always its order first (order → return → budget → stock)."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.aftersales.errors import NotYourReturn, ReturnNotFound
from apps.aftersales.models import ReturnOrder
from apps.aftersales.selectors.scope import may_change_return, returns_visible
from apps.common.row_scope import row_scope
from apps.orders.locks import lock_order

if TYPE_CHECKING:
    from apps.org.models import Account


def lock_own_return(*, actor: Account, return_no: str) -> ReturnOrder:
    """Lock and return a return that the actor may act on, after its order.

    Raises:
        ReturnNotFound: there is none that he may see.
        NotYourReturn: he may see it, no more.
    """
    return_order = _locked(returns_visible(actor=actor).filter(return_no=return_no))
    if not may_change_return(actor=actor, return_order=return_order):
        raise NotYourReturn
    return return_order


@contextmanager
def locked_return(*, return_id: int) -> Generator[ReturnOrder]:
    """Open the scope of a return's group and a transaction, and give the return locked after its order: for staff and the system.

    Raises:
        ReturnNotFound: there is none.
    """
    with row_scope(ReturnOrder, return_id, missing=ReturnNotFound):
        yield _locked(ReturnOrder.objects.filter(pk=return_id))


def _locked(returns: QuerySet[ReturnOrder]) -> ReturnOrder:
    """The order is locked before the return is read: what is read first may be old by then."""
    order_no = returns.values_list("order__order_no", flat=True).first()
    if order_no is None:
        raise ReturnNotFound
    order = lock_order(order_no=order_no)
    return_order = returns.select_for_update(of=("self",)).first()
    if return_order is None:
        raise ReturnNotFound
    return_order.order = order
    return return_order
