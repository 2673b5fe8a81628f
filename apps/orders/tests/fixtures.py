"""Fixtures for orders: a buyer who can order, and the buyer's order in the states that tests
start from.
"""

from __future__ import annotations

import pytest

from apps.orders.models import Order
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import make_rule, place_order, settle_in
from apps.org.models import Account


@pytest.fixture
def shopper(buyer: Account) -> Account:
    """The buyer, with credit, an address and an invoice title."""
    settle_in(buyer)
    return buyer


@pytest.fixture
def placed_order(shopper: Account) -> Order:
    """Two pieces at 10.00 元, 待确认: no rule requires approval."""
    return place_order(shopper)


@pytest.fixture
def order_in_approval(shopper: Account, approver: Account) -> Order:
    """Two pieces at 10.00 元, 待审批 by `approver`."""
    make_rule(shopper, approver)
    return place_order(shopper)


@pytest.fixture
def confirmed_order(placed_order: Order, staff: Account) -> Order:
    """The placed order in 待发货."""
    return order_confirm(actor=staff, order_id=placed_order.pk)


@pytest.fixture
def shipped_order(confirmed_order: Order, staff: Account) -> Order:
    """The order in 待收货, with one shipment."""
    order_ship(actor=staff, order_id=confirmed_order.pk, carrier="示例快递", tracking_no="SF0001")
    order: Order = Order.objects.get(pk=confirmed_order.pk)
    return order
