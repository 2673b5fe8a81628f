"""Tools that read orders and approvals in the person's data scope."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.approvals.selectors.approvals import approvals_in_box, with_chain
from apps.orders.errors import OrderNotFound
from apps.orders.models import Order
from apps.orders.selectors.orders import (
    OrderDetail,
    OrderFilter,
    find_orders,
    list_orders,
    order_detail,
    order_tabs,
)
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.approvals.models import Approval
    from apps.org.models import Account

MAX_ORDERS = 5


class NotAllowed(Exception):
    """The person's roles do not include the screen with this data; the message says so."""


@dataclass(frozen=True, slots=True)
class OrderPage:
    """The newest orders, and the total number."""

    orders: list[Order]
    total: int


def require_menu_code(actor: Account, code: str, subject: str) -> None:
    """Raise NotAllowed unless the actor has the menu code."""
    if not actor.has_menu_code(code):
        raise NotAllowed(f"您的账号没有查看{subject}的权限，如需开通请联系贵司的集团管理员。")


def order_lookup(*, actor: Account, order_no: str) -> OrderDetail | None:
    """Return an order that the actor can see, or None.

    Raises:
        NotAllowed: the actor has no right to open orders.
    """
    require_menu_code(actor, MenuCode.ORDER_LIST, "订单")
    try:
        return order_detail(actor=actor, order_no=order_no.upper())
    except OrderNotFound:
        return None


def orders_lookup(
    *, actor: Account, status: str = "", is_own: bool = True, keyword: str = ""
) -> OrderPage:
    """Return the newest orders in a state (`unpaid` included, "" for any): the actor's own, or
    those of his data scope.

    Raises:
        NotAllowed: the actor has no right to open orders.
    """
    require_menu_code(actor, MenuCode.ORDER_LIST, "订单")
    filters = OrderFilter(status=status, requester_id=actor.pk if is_own else None, keyword=keyword)
    orders = list_orders(actor=actor, filters=filters)
    return OrderPage(
        list(orders[:MAX_ORDERS]), order_tabs(find_orders(actor=actor, filters=filters))[status]
    )


def approvals_lookup(*, actor: Account) -> tuple[list[Approval], int]:
    """Return the newest approvals that wait for the actor, and their total number.

    Raises:
        NotAllowed: the actor has no right to open approvals.
    """
    require_menu_code(actor, MenuCode.ORDER_APPROVAL, "审批")
    approvals = approvals_in_box(actor=actor, box="todo")
    return list(with_chain(approvals)[:MAX_ORDERS]), approvals.count()
