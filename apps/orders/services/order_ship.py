"""Ship goods of an order, by line and quantity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.catalog.services.stock import stock_ship
from apps.common.errors import QuantityExceeded, Stale, ValidationFailed, WrongState
from apps.common.tenancy import tenant_scope
from apps.orders.enums import OrderEventKind, OrderStatus
from apps.orders.locks import lock_order
from apps.orders.models import Order, OrderLine, Shipment, ShipmentLine
from apps.orders.numbers import shipment_number
from apps.orders.services.moves import order_move, order_record, wrong_state

if TYPE_CHECKING:
    from apps.org.models import Account

SHIPPABLE = (OrderStatus.PENDING_SHIPMENT, OrderStatus.PARTLY_SHIPPED)


def order_ship(
    *,
    actor: Account,
    order_id: int,
    carrier: str,
    tracking_no: str,
    quantities: Mapping[int, int] | None = None,
    shipped_seen: int | None = None,
) -> Shipment:
    """Return the new shipment and take the goods out of stock. `quantities` is by order line
    pk; None ships everything that is left.

    Raises:
        WrongState: the order is not 待发货 or 部分发货, or a cancellation request holds everything
            that is left.
        Stale: the shipped pieces of all lines differ from `shipped_seen`. None skips this check.
        QuantityExceeded: more than is left of a line, or a line of another order.
        ValidationFailed: no carrier or number, or nothing to ship.
    """
    if not carrier.strip() or not tracking_no.strip():
        raise ValidationFailed({"tracking_no": ["请填写承运商和运单号"]})
    found = Order.objects.only("order_no", "group_id").get(pk=order_id)
    with tenant_scope(group_id=found.group_id), transaction.atomic():
        order = lock_order(order_no=found.order_no)
        if order.status not in SHIPPABLE:
            raise wrong_state(order, "发货")
        lines = list(order.lines.order_by("pk"))
        _refuse_stale(lines, shipped_seen)
        shipped = _checked(lines, quantities)
        shipment = _shipment(order, actor, carrier.strip(), tracking_no.strip(), shipped)
        for line in lines:
            line.shipped_quantity += shipped.get(line.pk, 0)
        OrderLine.objects.bulk_update(lines, ["shipped_quantity"])
        is_all = all(line.shipped_quantity == line.quantity for line in lines)
        before = order_move(
            order, "ship_all" if is_all else "ship_part", "发货", at=shipment.shipped_at
        )
        stock_ship(lines=_products(lines, shipped), reference=order.order_no)
        data = {
            "shipment_no": shipment.shipment_no,
            "lines": {str(pk): quantity for pk, quantity in shipped.items()},
        }
        note = f"{shipment.carrier} {shipment.tracking_no}，共 {sum(shipped.values())} 件"
        order_record(
            order, actor=actor, kind=OrderEventKind.SHIPPED, before=before, reason=note, data=data
        )
    return shipment


def _refuse_stale(lines: list[OrderLine], shipped_seen: int | None) -> None:
    shipped = sum(line.shipped_quantity for line in lines)
    if shipped_seen is not None and shipped_seen != shipped:
        raise Stale(
            f"您打开此页后该订单又发了 {shipped - shipped_seen} 件，请刷新页面核对未发数量后再发货"
        )


def _checked(lines: list[OrderLine], quantities: Mapping[int, int] | None) -> dict[int, int]:
    left = {line.pk: line.unshipped for line in lines}
    if quantities is None:
        rest = {pk: quantity for pk, quantity in left.items() if quantity}
        if not rest:
            raise WrongState("未发货的商品都在申请取消，请先处理取消申请")
        return rest
    wanted = {pk: quantity for pk, quantity in quantities.items() if quantity}
    if not wanted:
        raise ValidationFailed({"quantities": ["请至少填写一行发货数量"]})
    names = {line.pk: line.name for line in lines}
    for pk, quantity in wanted.items():
        if not 0 < quantity <= left.get(pk, 0):
            held = sum(line.cancelling_quantity for line in lines if line.pk == pk)
            why = f"（另有 {held} 件客户申请取消，待处理）" if held else ""
            raise QuantityExceeded(
                f"“{names.get(pk, '该商品')}”最多还可发 {left.get(pk, 0)}{why}，请修改发货数量"
            )
    return wanted


def _products(lines: list[OrderLine], shipped: Mapping[int, int]) -> Counter[int]:
    taken: Counter[int] = Counter()
    for line in lines:
        if line.pk in shipped:
            taken[line.product_id] += shipped[line.pk]
    return taken


def _shipment(
    order: Order, actor: Account, carrier: str, tracking_no: str, shipped: Mapping[int, int]
) -> Shipment:
    shipment: Shipment = Shipment.objects.create(
        group_id=order.group_id,
        order=order,
        shipment_no=shipment_number(order_no=order.order_no, nth=order.shipments.count() + 1),
        carrier=carrier,
        tracking_no=tracking_no,
        shipped_by=actor,
        shipped_at=timezone.now(),
    )
    rows = [
        ShipmentLine(
            group_id=order.group_id, shipment=shipment, order_line_id=pk, quantity=quantity
        )
        for pk, quantity in shipped.items()
    ]
    ShipmentLine.objects.bulk_create(rows)
    return shipment
