"""The only module that changes applied and invoiced quantities. Callers hold the orders' locks;
each change is a conditional UPDATE.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import F, Q, Sum

from apps.common.background.outbox import outbox_publish
from apps.common.errors import QuantityExceeded
from apps.common.money import ZERO
from apps.invoices.models import InvoicedFreight
from apps.invoices.selectors.available import get_invoicing_status
from apps.orders.enums import InvoicingStatus
from apps.orders.models import Order, OrderLine

CHUNK = 500
EXCEEDED = "部分商品的可开票数量已变化（可能已被申请、开票或正在售后），请刷新后重新选择"


def lock_orders(order_ids: Iterable[int]) -> list[Order]:
    """Lock the orders by primary key and return them. Orders come first in the lock order."""
    sorted_ids = sorted(set(order_ids))
    orders: list[Order] = []
    for start in range(0, len(sorted_ids), CHUNK):
        rows = (
            Order.objects.filter(pk__in=sorted_ids[start : start + CHUNK])
            .order_by("pk")
            .select_for_update(of=("self",))
        )
        orders += rows
    return orders


def applied_add(lines: Mapping[int, int], freight_order_ids: Iterable[int]) -> None:
    """Reserve quantities ({order line pk: pieces}) and freights for an application.

    Raises:
        QuantityExceeded: a line has too few pieces left, or a freight is reserved already. The
            caller rolls back.
    """
    claimed_quantity = (
        F("applied_quantity")
        + F("invoiced_quantity")
        + F("returned_quantity")
        + F("returning_quantity")
    )
    for quantity, keys in _group_by_quantity(lines):
        _update_lines(
            keys,
            Q(received_quantity__gte=claimed_quantity + quantity),
            applied_quantity=F("applied_quantity") + quantity,
        )
    sorted_ids = sorted(set(freight_order_ids))
    groups = dict(Order.objects.filter(pk__in=sorted_ids).values_list("pk", "group_id"))
    if InvoicedFreight.objects.filter(order_id__in=sorted_ids).exists():
        raise QuantityExceeded(EXCEEDED)
    InvoicedFreight.objects.bulk_create(
        [InvoicedFreight(group_id=groups[pk], order_id=pk) for pk in sorted_ids], batch_size=CHUNK
    )


def applied_free(lines: Mapping[int, int], freight_order_ids: Iterable[int]) -> None:
    """Release the reserved quantities and freights of an application."""
    for quantity, keys in _group_by_quantity(lines):
        _update_lines(
            keys,
            Q(applied_quantity__gte=quantity),
            applied_quantity=F("applied_quantity") - quantity,
        )
    InvoicedFreight.objects.filter(order_id__in=list(freight_order_ids), is_issued=False).delete()


def applied_invoice(lines: Mapping[int, int], freight_order_ids: Iterable[int]) -> None:
    """Turn reserved quantities and freights into invoiced ones."""
    for quantity, keys in _group_by_quantity(lines):
        change = {
            "applied_quantity": F("applied_quantity") - quantity,
            "invoiced_quantity": F("invoiced_quantity") + quantity,
        }
        _update_lines(keys, Q(applied_quantity__gte=quantity), **change)
    InvoicedFreight.objects.filter(order_id__in=list(freight_order_ids)).update(is_issued=True)


def invoiced_take_back(lines: Mapping[int, int], freight_order_ids: Iterable[int]) -> None:
    """Subtract the pieces and freights of an issued red invoice. They can be invoiced again, or
    returned.
    """
    for quantity, keys in _group_by_quantity(lines):
        _update_lines(
            keys,
            Q(invoiced_quantity__gte=quantity),
            invoiced_quantity=F("invoiced_quantity") - quantity,
        )
    InvoicedFreight.objects.filter(order_id__in=list(freight_order_ids)).delete()


def lines_moved_publish(lines: Mapping[int, int], *, key: str) -> None:
    """Publish `invoice.lines_moved` for lines in after-sales whose pieces were issued or
    released. A refund may wait for them (red_for_returns.py).
    """
    waited = list(
        OrderLine.objects.filter(pk__in=list(lines), returning_quantity__gt=0)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    if waited:
        outbox_publish(topic="invoice.lines_moved", key=key, payload={"order_line_ids": waited})


def invoicing_status_set(orders: Iterable[Order]) -> None:
    """Compute and save 开票状态 of the locked orders from their lines."""
    rows = {order.pk: order for order in orders}
    sums = (
        OrderLine.objects.filter(order_id__in=rows, unit_price_incl_tax__gt=ZERO)
        .order_by()
        .values("order_id")
    )
    lines = {
        row["order_id"]: row
        for row in sums.annotate(
            owed_pieces=Sum(F("quantity") - F("returned_quantity")),
            done_pieces=Sum("invoiced_quantity"),
        )
    }
    freights = set(
        InvoicedFreight.objects.filter(order_id__in=rows, is_issued=True).values_list(
            "order_id", flat=True
        )
    )
    orders_by_status: dict[InvoicingStatus, list[int]] = {}
    for pk, order in rows.items():
        row = lines.get(pk, {"owed_pieces": 0, "done_pieces": 0})
        status = get_invoicing_status(
            owed_pieces=row["owed_pieces"],
            done_pieces=row["done_pieces"],
            has_freight=order.freight_amount > ZERO,
            is_freight_done=pk in freights,
        )
        if status != order.invoicing_status:
            order.invoicing_status = status
            orders_by_status.setdefault(status, []).append(pk)
    for status, keys in orders_by_status.items():
        Order.objects.filter(pk__in=keys).update(invoicing_status=status)


def _group_by_quantity(lines: Mapping[int, int]) -> Iterable[tuple[int, list[int]]]:
    """Yield (pieces, pks of the lines with so many). Few different quantities need few UPDATE
    statements.
    """
    groups: dict[int, list[int]] = {}
    for pk, quantity in lines.items():
        groups.setdefault(quantity, []).append(pk)
    for quantity, keys in groups.items():
        for start in range(0, len(keys), CHUNK):
            yield quantity, keys[start : start + CHUNK]


def _update_lines(keys: list[int], condition: Q, **change: object) -> None:
    if OrderLine.objects.filter(condition, pk__in=keys).update(**change) != len(keys):
        raise QuantityExceeded(EXCEEDED)
