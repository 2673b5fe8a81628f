"""The measurements of bench_books. Runs in its own process on its own database; prints JSON.
BENCH_BOOKS=10000 for fewer orders.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.copies import copy_row, write_rows
from bench.in_process import print_measure
from bench.scale import size

if TYPE_CHECKING:
    from apps.orders.models import Order

ORDERS = size(100_000, 20, "BENCH_BOOKS")
LINES = 4


def create_order() -> Order:
    """Return an order of four lines, received and paid through the services. The other orders
    are copies of it.
    """
    from apps.catalog.tests.factories import ProductFactory
    from apps.orders.services.confirmations import order_confirm
    from apps.orders.services.payments import payment_record
    from apps.orders.services.receipts import order_receive
    from apps.orders.services.shipments import order_ship
    from apps.orders.tests.factories import place_order, settle_in
    from apps.org.tests.factories import AccountFactory, DepartmentFactory, RoleFactory

    account = AccountFactory(department=DepartmentFactory(code="TOP"))
    account.roles.add(RoleFactory(group=account.group))
    staff = AccountFactory(department=None, group=None, enterprise=None, is_staff=True)
    settle_in(account)
    order = place_order(account, *[(ProductFactory(stock=10**8), 3) for _ in range(LINES)])
    order_confirm(actor=staff, order_id=order.pk)
    order_ship(actor=staff, order_id=order.pk, carrier="示例快递", tracking_no="SF1")
    order_receive(actor=account, order_no=order.order_no)
    payment_record(actor=staff, order_id=order.pk, amount=order.total_amount)
    answer: Order = type(order).objects.get(pk=order.pk)
    return answer


def multiply_orders(order: Order, *, with_facts: bool = True) -> None:
    """Copy the order's rows, with all dependent rows, until there are that many.

    Creating the report facts takes most of the time, so they are optional.
    """
    from django.db.models import F

    from apps.catalog.models import Product, StockMovement
    from apps.common.models import Event
    from apps.orders.models import OrderLine, Payment, Receipt, ReceiptLine, Shipment, ShipmentLine
    from apps.reports.services.facts import facts_rebuild

    lines, shipment = list(order.lines.order_by("pk")), order.shipments.get()
    sent = list(ShipmentLine.objects.filter(shipment=shipment).order_by("pk"))
    events = list(
        Event.objects.filter(subject_type="orders.order", subject_id=order.pk).order_by("pk")
    )
    payment, more = order.payments.get(), ORDERS - 1
    receipt = Receipt.objects.get(order=order)
    taken = list(ReceiptLine.objects.filter(receipt=receipt).order_by("pk"))
    orders = write_rows(type(order), (copy_row(order, order_no=f"SO{n:012d}") for n in range(more)))
    write_rows(Payment, (copy_row(payment, order_id=pk, payment_no=f"PAY{pk}") for pk in orders))
    write_rows(Event, (copy_row(event, subject_id=pk) for pk in orders for event in events))
    new_lines = write_rows(
        OrderLine, (copy_row(line, order_id=pk) for pk in orders for line in lines)
    )
    shipments = write_rows(
        Shipment, (copy_row(shipment, order_id=pk, shipment_no=f"SO{pk:012d}-1") for pk in orders)
    )
    write_rows(
        ShipmentLine,
        (
            copy_row(sent[n % LINES], order_line_id=pk, shipment_id=shipments[n // LINES])
            for n, pk in enumerate(new_lines)
        ),
    )
    receipts = write_rows(Receipt, (copy_row(receipt, order_id=pk) for pk in orders))
    write_rows(
        ReceiptLine,
        (
            copy_row(taken[n % LINES], order_line_id=pk, receipt_id=receipts[n // LINES])
            for n, pk in enumerate(new_lines)
        ),
    )
    for line in lines:
        moves = [(kind, line.quantity) for kind in ("reserve", "ship") for _ in range(more)]
        write_rows(
            StockMovement,
            (
                StockMovement(product_id=line.product_id, kind=kind, quantity=pieces)
                for kind, pieces in moves
            ),
        )
        Product.objects.filter(pk=line.product_id).update(stock=F("stock") - line.quantity * more)
    if with_facts:
        facts_rebuild()


def measure_peak(*, forget: bool = True) -> int:
    """Return the process's peak memory in kB. Reset the peak if requested."""
    if forget:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    line = next(
        line
        for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        if line.startswith("VmHWM")
    )
    return int(line.split()[1])


def measure() -> dict[str, float]:
    """Return seconds, megabytes above idle, and the number of differences, which must be 0."""
    from django.db import connection

    from apps.common.books import list_differences
    from apps.common.tenancy import platform_scope

    with platform_scope(reason="bench"):
        multiply_orders(create_order())
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        idle = measure_peak()
        began = time.perf_counter()
        result = sum(1 for _ in list_differences())
        seconds = time.perf_counter() - began
        grown = measure_peak(forget=False) - idle
    return {"orders": ORDERS, "seconds": seconds, "megabytes": grown / 1024, "differences": result}


if __name__ == "__main__":
    print_measure(measure)
