"""Shipments: only orders that staff have confirmed are shipped, and only once."""

from __future__ import annotations

import pytest

from apps.common.errors import WrongState
from apps.orders.models import Order, Shipment
from apps.orders.services.shipments import order_ship
from apps.org.models import Account


def test_an_order_in_approval_is_not_shipped(order_in_approval: Order, staff: Account) -> None:
    with pytest.raises(WrongState, match="不能发货"):
        order_ship(
            actor=staff, order_id=order_in_approval.pk, carrier="示例快递", tracking_no="SF1"
        )
    assert not Shipment.objects.exists()
    assert order_in_approval.lines.get().shipped_quantity == 0


def test_a_shipped_order_is_refused_by_its_state_not_by_its_lines(
    shipped_order: Order, staff: Account
) -> None:
    with pytest.raises(WrongState, match="无需重复发货"):
        order_ship(actor=staff, order_id=shipped_order.pk, carrier="示例快递", tracking_no="SF2")
    assert Shipment.objects.get().tracking_no == "SF0001"
