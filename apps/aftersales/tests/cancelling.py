"""Helpers for partial cancellations of an order on a budget, with freight for orders below 100
元.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from apps.aftersales.models import CancelOrder
from apps.aftersales.services.cancel_apply import CancelForm, cancel_apply
from apps.budgets.models import Budget
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.orders.models import Order, OrderLine
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import FreightRegionFactory, make_budget, place_order
from apps.org.models import Account


def set_freight_below(amount: str, fee: str) -> None:
    """Charge freight of `fee` for orders below `amount`; larger orders ship free. Both in 元."""
    FreightRegionFactory(fee=Decimal(fee))
    FreightRegionFactory(amount_from=Decimal(amount), fee=Decimal("0.00"))


def order_two_lines(buyer: Account, **form: Any) -> Order:
    """Return an order of ten and five pieces at 10.00 元 each (150.00 元), on a budget of
    1,000.00 元. Freight is 15.00 元 for orders below 100.00 元.
    """
    set_freight_below("100.00", "15.00")
    make_budget(buyer, "1000.00")
    first, second = ProductFactory(stock=50), ProductFactory(stock=50)
    # The cart shows the latest item first.
    return place_order(buyer, (second, 5), (first, 10), **form)


def confirm_order(order: Order, staff: Account) -> Order:
    return order_confirm(actor=staff, order_id=order.pk)


def get_line(order: Order, place: int) -> OrderLine:
    order_line: OrderLine = OrderLine.objects.filter(order=order).order_by("no")[place]
    return order_line


def ask(
    actor: Account, order: Order, *pieces: int, reason_kind: str = "unwanted", reason: str = ""
) -> CancelOrder:
    """Apply to cancel the given pieces of each line, in the lines' order. Without numbers: all
    pieces that can be cancelled.
    """
    pieces_by_line = {
        get_line(order, place).pk: number for place, number in enumerate(pieces) if number
    }
    return cancel_apply(
        actor=actor,
        form=CancelForm(order.order_no, reason_kind, reason, pieces_by_line if pieces else None),
    )


def ship(staff: Account, order: Order, *pieces: int) -> None:
    quantities = {get_line(order, place).pk: number for place, number in enumerate(pieces)}
    order_ship(
        actor=staff,
        order_id=order.pk,
        carrier="示例快递",
        tracking_no="SF1",
        quantities=quantities if pieces else None,
    )


def receive(buyer: Account, order: Order) -> None:
    order_receive(actor=buyer, order_no=order.order_no)


def get_amounts(order: Order) -> tuple[str, Decimal, Decimal, Decimal]:
    """Return the state, the goods amount, the freight and the total (元)."""
    now = Order.objects.get(pk=order.pk)
    return now.status, now.goods_amount, now.freight_amount, now.total_amount


def list_lines(order: Order) -> list[tuple[int, int, int]]:
    """Return the quantity, the cancelled pieces and the pieces in cancellation of each line."""
    rows = OrderLine.objects.filter(order=order).order_by("no")
    return list(rows.values_list("quantity", "cancelled_quantity", "cancelling_quantity"))


def get_reserved() -> tuple[Decimal, Decimal, list[int]]:
    """Return the budget's reserved and consumed amounts (元), and the reserved pieces of each
    product.
    """
    budget = Budget.objects.get()
    return (
        budget.reserved,
        budget.consumed,
        list(Product.objects.order_by("pk").values_list("reserved", flat=True)),
    )
