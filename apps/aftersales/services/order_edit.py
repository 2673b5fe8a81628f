"""Staff edit an order before it ships: lower quantities, remove lines, send it to another address
of the customer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.aftersales.selectors.order_edit import OrderEditForm, get_order_edit
from apps.aftersales.services.cancel_apply import cancel_by_staff
from apps.orders.locks import locked_order
from apps.orders.models import Order
from apps.orders.services.address_change import order_address_change

if TYPE_CHECKING:
    from apps.org.models import Account


def order_edit(*, actor: Account, order_id: int, form: OrderEditForm) -> Order:
    """Edit the order and return it. The removed pieces are a finished cancellation, with stock,
    budget, credit and money as for the customer's own. The requester is notified of both parts.

    Raises:
        DomainError: as `get_order_edit`.
    """
    reason = form.reason.strip()
    with locked_order(order_id=order_id) as order:
        edit = get_order_edit(order=order, form=form)
        if edit.reduced is not None:
            cancel_by_staff(order, actor=actor, reduced=edit.reduced, reason=reason)
        if edit.address is not None:
            order_address_change(order, actor=actor, address=edit.address, reason=reason)
    return order
