"""Shipments: only orders that staff have confirmed are shipped."""

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
