"""Change the delivery address of an order before it ships."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.orders.enums import OrderEventKind
from apps.orders.models import Order
from apps.orders.selectors.freight import compute_freight
from apps.orders.services.transitions import order_record
from apps.orders.snapshots import build_address_key, build_address_snapshot, format_receiver

if TYPE_CHECKING:
    from apps.org.models import Account, Address


def order_address_change(order: Order, *, actor: Account, address: Address, reason: str) -> None:
    """Send a locked, unshipped order to another address. Its amounts do not change, so the
    freight stays, also for another province. The promised days follow the province.
    """
    old_snapshot, new_snapshot = order.address_snapshot, build_address_snapshot(address)
    days = (
        order.promised_days
        + _get_extra_days(order, new_snapshot)
        - _get_extra_days(order, old_snapshot)
    )
    order.promised_days = max(days, 0)
    order.address_snapshot, order.address_key = new_snapshot, build_address_key(new_snapshot)
    order.save(update_fields=["address_snapshot", "address_key", "promised_days", "updated_at"])
    order_record(
        order,
        actor=actor,
        kind=OrderEventKind.ADDRESS_CHANGED,
        before=order.status,
        reason=f"{format_receiver(old_snapshot)} → {format_receiver(new_snapshot)}；原因：{reason}",
        data={"before": old_snapshot, "after": new_snapshot},
    )


def _get_extra_days(order: Order, snapshot: dict[str, str]) -> int:
    province = snapshot.get("Province", "")
    return compute_freight(province=province, goods_amount=order.goods_amount).extra_days
