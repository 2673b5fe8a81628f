"""The one place where applied and invoiced quantities move: under the orders' locks, each move conditional on what the row holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import F, Q, Sum

from apps.common.background.outbox import outbox_publish
from apps.common.errors import QuantityExceeded
from apps.common.money import ZERO
from apps.invoices.invoicing import invoicing_status_of
from apps.invoices.models import InvoicedFreight
from apps.orders.enums import InvoicingStatus
from apps.orders.models import Order, OrderLine

CHUNK = 500
EXCEEDED = "部分商品的可开票数量已变化（可能已被申请、开票或正在售后），请刷新后重新选择"


def orders_locked(order_ids: Iterable[int]) -> list[Order]:
    """Return the orders, locked by primary key: the first of order → …."""
    wanted = sorted(set(order_ids))
    found: list[Order] = []
    for start in range(0, len(wanted), CHUNK):
        rows = Order.objects.filter(pk__in=wanted[start : start + CHUNK]).order_by("pk").select_for_update(of=("self",))
        found += rows
    return found


def applied_add(lines: Mapping[int, int], freight_order_ids: Iterable[int]) -> None:
    """Hold quantities by order line for an application, and freight by order.

    Raises:
        QuantityExceeded: a line has not so much left, or a freight is held already; nothing is to be written then.
    """
    taken = F("applied_quantity") + F("invoiced_quantity") + F("returned_quantity") + F("returning_quantity")
    for quantity, keys in _by_quantity(lines):
        _moved(keys, Q(received_quantity__gte=taken + quantity), applied_quantity=F("applied_quantity") + quantity)
    wanted = sorted(set(freight_order_ids))
    groups = dict(Order.objects.filter(pk__in=wanted).values_list("pk", "group_id"))
    if InvoicedFreight.objects.filter(order_id__in=wanted).exists():
        raise QuantityExceeded(EXCEEDED)
    InvoicedFreight.objects.bulk_create([InvoicedFreight(group_id=groups[pk], order_id=pk) for pk in wanted], batch_size=CHUNK)


def applied_free(lines: Mapping[int, int], freight_order_ids: Iterable[int]) -> None:
    """Give back what an application held."""
    for quantity, keys in _by_quantity(lines):
        _moved(keys, Q(applied_quantity__gte=quantity), applied_quantity=F("applied_quantity") - quantity)
    InvoicedFreight.objects.filter(order_id__in=list(freight_order_ids), is_issued=False).delete()


def applied_invoice(lines: Mapping[int, int], freight_order_ids: Iterable[int]) -> None:
    """What was applied for is invoiced."""
    for quantity, keys in _by_quantity(lines):
        change = {"applied_quantity": F("applied_quantity") - quantity, "invoiced_quantity": F("invoiced_quantity") + quantity}
        _moved(keys, Q(applied_quantity__gte=quantity), **change)
    InvoicedFreight.objects.filter(order_id__in=list(freight_order_ids)).update(is_issued=True)


def invoiced_take_back(lines: Mapping[int, int], freight_order_ids: Iterable[int]) -> None:
    """A red invoice was issued: what it takes back may be invoiced again, or go back for good."""
    for quantity, keys in _by_quantity(lines):
        _moved(keys, Q(invoiced_quantity__gte=quantity), invoiced_quantity=F("invoiced_quantity") - quantity)
    InvoicedFreight.objects.filter(order_id__in=list(freight_order_ids)).delete()


def moved_publish(lines: Mapping[int, int], *, key: str) -> None:
    """Say, of lines by key that were applied for, that they were issued or freed: returns may wait for it (red_for_returns.py)."""
    waited = list(OrderLine.objects.filter(pk__in=list(lines), returning_quantity__gt=0).order_by("pk").values_list("pk", flat=True))
    if waited:
        outbox_publish(topic="invoice.lines_moved", key=key, payload={"order_line_ids": waited})


def invoicing_status_set(orders: Iterable[Order]) -> None:
    """Bring the invoicing axis of locked orders to what their lines say; three statements."""
    rows = {order.pk: order for order in orders}
    sums = OrderLine.objects.filter(order_id__in=rows, unit_price_incl_tax__gt=ZERO).order_by().values("order_id")
    lines = {row["order_id"]: row for row in sums.annotate(owed=Sum(F("quantity") - F("returned_quantity")), done=Sum("invoiced_quantity"))}
    freights = set(InvoicedFreight.objects.filter(order_id__in=rows, is_issued=True).values_list("order_id", flat=True))
    wanted: dict[InvoicingStatus, list[int]] = {}
    for pk, order in rows.items():
        row = lines.get(pk, {"owed": 0, "done": 0})
        status = invoicing_status_of(
            owed=row["owed"], done=row["done"], has_freight=order.freight_amount > ZERO, is_freight_done=pk in freights
        )
        if status != order.invoicing_status:
            order.invoicing_status = status
            wanted.setdefault(status, []).append(pk)
    for status, keys in wanted.items():
        Order.objects.filter(pk__in=keys).update(invoicing_status=status)


def _by_quantity(lines: Mapping[int, int]) -> Iterable[tuple[int, list[int]]]:
    """Many lines have few different quantities: a statement for each of these."""
    groups: dict[int, list[int]] = {}
    for pk, quantity in lines.items():
        groups.setdefault(quantity, []).append(pk)
    for quantity, keys in groups.items():
        for start in range(0, len(keys), CHUNK):
            yield quantity, keys[start : start + CHUNK]


def _moved(keys: list[int], condition: Q, **change: object) -> None:
    if OrderLine.objects.filter(condition, pk__in=keys).update(**change) != len(keys):
        raise QuantityExceeded(EXCEEDED)
