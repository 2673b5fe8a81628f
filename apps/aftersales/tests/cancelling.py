"""Orders that are cancelled in parts, on a budget and with freight below 100 元."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from apps.aftersales.models import CancelOrder
from apps.aftersales.services.cancel_apply import CancelForm, cancel_apply
from apps.budgets.models import Budget
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.orders.models import Order, OrderLine
from apps.orders.services.order_confirm import order_confirm
from apps.orders.services.order_receive import order_receive
from apps.orders.services.order_ship import order_ship
from apps.orders.tests.factories import FreightRegionFactory, make_budget, place_order
from apps.org.models import Account


def freight_below(amount: str, fee: str) -> None:
    """Freight of `fee` for orders below `amount`, none from there on."""
    FreightRegionFactory(fee=Decimal(fee))
    FreightRegionFactory(amount_from=Decimal(amount), fee=Decimal("0.00"))


def two_lines(buyer: Account, **form: Any) -> Order:
    """Ten and five pieces at 10.00 each (150.00), on a budget of 1,000.00; freight 15.00 below 100.00."""
    freight_below("100.00", "15.00")
    make_budget(buyer, "1000.00")
    first, second = ProductFactory(stock=50), ProductFactory(stock=50)
    # The cart shows what was put in last above.
    return place_order(buyer, (second, 5), (first, 10), **form)


def confirmed(order: Order, staff: Account) -> Order:
    return order_confirm(actor=staff, order_id=order.pk)


def line_of(order: Order, place: int) -> OrderLine:
    found: OrderLine = OrderLine.objects.filter(order=order).order_by("no")[place]
    return found


def ask(actor: Account, order: Order, *pieces: int, reason_kind: str = "unwanted", reason: str = "") -> CancelOrder:
    """Ask to cancel so many pieces of the lines in their order; all that can be where none are given."""
    named = {line_of(order, place).pk: number for place, number in enumerate(pieces) if number}
    return cancel_apply(actor=actor, form=CancelForm(order.order_no, reason_kind, reason, named if pieces else None))


def ship(staff: Account, order: Order, *pieces: int) -> None:
    quantities = {line_of(order, place).pk: number for place, number in enumerate(pieces)}
    order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF1", quantities=quantities if pieces else None)


def receive(buyer: Account, order: Order) -> None:
    order_receive(actor=buyer, order_no=order.order_no)


def amounts(order: Order) -> tuple[str, Decimal, Decimal, Decimal]:
    """Return state, goods, freight and total."""
    now = Order.objects.get(pk=order.pk)
    return now.status, now.goods_amount, now.freight_amount, now.total_amount


def lines(order: Order) -> list[tuple[int, int, int]]:
    """Return quantity, cancelled and cancelling of each line."""
    rows = OrderLine.objects.filter(order=order).order_by("no")
    return list(rows.values_list("quantity", "cancelled_quantity", "cancelling_quantity"))


def held() -> tuple[Decimal, Decimal, list[int]]:
    """Return what the budget reserves and has consumed, and the pieces set aside of each product."""
    budget = Budget.objects.get()
    return budget.reserved, budget.consumed, list(Product.objects.order_by("pk").values_list("reserved", flat=True))
