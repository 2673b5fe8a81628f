"""Reconciliation of after-sales: the cancelled, returning and returned quantities of each order
line equal those of the documents. Also 售后状态, replacements in stock, and refunds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Case, Count, F, IntegerField, Q, Sum, Value, When

from apps.aftersales.enums import CancelStatus, ReturnKind, ReturnStatus
from apps.aftersales.models import ENDED, CancelOrderLine, ReturnLine, ReturnOrder
from apps.catalog.models import StockMovement
from apps.common.books import Difference, compare_streams
from apps.common.money import ZERO
from apps.orders.enums import AfterSalesStatus, OrderStatus
from apps.orders.models import Order, OrderLine, PaymentRefund

CHUNK = 2000
# In these states a 换货 has sent its replacement.
REPLACEMENT_SENT = (ReturnStatus.PENDING_CONFIRM, ReturnStatus.COMPLETED)


def find_aftersales_differences() -> Iterator[Difference]:
    """Yield all differences of cancellations and returns in the open scope."""
    yield from _compare_line_quantities(
        "申请取消中数量",
        "已取消数量",
        _iterate_stored_quantities("cancelling_quantity", "cancelled_quantity"),
        _iterate_cancelled_quantities(),
    )
    yield from _compare_line_quantities(
        "售后中数量",
        "已退数量",
        _iterate_stored_quantities("returning_quantity", "returned_quantity"),
        _iterate_returned_quantities(),
    )
    yield from _compare_after_sales_statuses()
    yield from _compare_replacements()
    yield from _compare_refunds()


def _iterate_stored_quantities(first: str, second: str) -> Iterator[tuple[Any, ...]]:
    """Yield (order line pk, value of the column `first`, value of the column `second`) if one is
    above 0.
    """
    rows = OrderLine.objects.filter(Q(**{f"{first}__gt": 0}) | Q(**{f"{second}__gt": 0})).order_by(
        "pk"
    )
    yield from rows.values_list("pk", first, second).iterator(chunk_size=CHUNK)


def _compare_line_quantities(
    first: str, second: str, stored: Iterator[tuple[Any, ...]], computed: Iterator[tuple[Any, ...]]
) -> Iterator[Difference]:
    """Yield each of the two quantities (named `first` and `second`) that differs. Both iterators
    yield (order line pk, quantity, quantity).
    """
    for pk, have, expected in compare_streams(stored, computed, missing_figures=(0, 0)):
        line = OrderLine.objects.select_related("order").get(pk=pk)
        for figure, stored_quantity, expected_quantity in zip(
            (first, second), have, expected, strict=True
        ):
            if stored_quantity != expected_quantity:
                yield Difference(
                    f"订单 {line.order.order_no} 第 {line.no} 行",
                    figure,
                    stored_quantity,
                    expected_quantity,
                )


def _sum_where(condition: Q, quantity: str) -> Sum:
    return Sum(
        Case(When(condition, then=F(quantity)), default=Value(0), output_field=IntegerField())
    )


def _iterate_cancelled_quantities() -> Iterator[tuple[Any, ...]]:
    """Yield (order line pk, held pieces, cancelled pieces). A wholly cancelled order keeps its
    line quantities, so its lines are excluded.
    """
    is_whole_order = Q(
        cancel_order__is_whole=True, cancel_order__order__status=OrderStatus.CANCELLED
    )
    is_waiting, is_done = (
        Q(cancel_order__status=CancelStatus.PENDING),
        Q(cancel_order__status=CancelStatus.DONE),
    )
    rows = (
        CancelOrderLine.objects.exclude(is_whole_order)
        .filter(is_waiting | is_done)
        .order_by("order_line_id")
        .values_list("order_line_id")
    )
    yield from rows.annotate(
        held=_sum_where(is_waiting, "quantity"), cancelled=_sum_where(is_done, "quantity")
    ).iterator(chunk_size=CHUNK)


def _iterate_returned_quantities() -> Iterator[tuple[Any, ...]]:
    """Yield (order line pk, pieces in after-sales, returned pieces). After the inspection only
    accepted pieces count.
    """
    is_refunded = Q(return_order__refunded_at__isnull=False)
    is_open = ~is_refunded & ~Q(return_order__status__in=ENDED)
    is_accepted, is_not_accepted = (
        Q(accepted_quantity__isnull=False),
        Q(accepted_quantity__isnull=True),
    )
    rows = (
        ReturnLine.objects.filter(is_open | is_refunded)
        .order_by("order_line_id")
        .values_list("order_line_id")
    )
    sums = rows.annotate(
        requested=_sum_where(is_open & is_not_accepted, "quantity"),
        accepted=_sum_where(is_open & is_accepted, "accepted_quantity"),
        returned=_sum_where(is_refunded, "accepted_quantity"),
    )
    for pk, requested, accepted, returned in sums.iterator(chunk_size=CHUNK):
        # Refused pieces belong to the customer and do not count.
        if requested or accepted or returned:
            yield pk, requested + accepted, returned or 0


def _compare_after_sales_statuses() -> Iterator[Difference]:
    """Yield the orders whose 售后状态 does not fit their returns."""
    rows = Order.objects.exclude(after_sales_status=AfterSalesStatus.NONE).order_by("pk")
    stored_statuses = rows.values_list("pk", "after_sales_status").iterator(chunk_size=CHUNK)
    for pk, (have,), (expected,) in compare_streams(
        stored_statuses, _iterate_expected_statuses(), missing_figures=(AfterSalesStatus.NONE,)
    ):
        yield Difference(f"订单 {Order.objects.get(pk=pk).order_no}", "售后状态", have, expected)


def _iterate_expected_statuses() -> Iterator[tuple[Any, ...]]:
    """Yield (order pk, AfterSalesStatus) of each order with an open or a completed return."""
    rows = ReturnOrder.objects.order_by("order_id").values_list("order_id")
    counts = rows.annotate(
        open_count=Count("pk", filter=~Q(status__in=ENDED)),
        completed_count=Count("pk", filter=Q(status=ReturnStatus.COMPLETED)),
    )
    for pk, open_count, completed_count in counts.iterator(chunk_size=CHUNK):
        if open_count or completed_count:
            yield pk, AfterSalesStatus.OPEN if open_count else AfterSalesStatus.DONE


def _compare_replacements() -> Iterator[Difference]:
    """Compare the accepted pieces of each 换货 with its stock movements. No other return takes
    stock.
    """
    rows = ReturnOrder.objects.filter(
        kind=ReturnKind.EXCHANGE, status__in=REPLACEMENT_SENT
    ).order_by("return_no")
    accepted = dict(rows.values_list("return_no").annotate(pieces=Sum("lines__accepted_quantity")))
    shipments = StockMovement.objects.filter(
        kind=StockMovement.Kind.SHIP, reference__startswith="TH"
    ).order_by("reference")
    shipped = dict(shipments.values_list("reference").annotate(pieces=Sum("quantity")))
    for number in sorted(accepted.keys() | shipped.keys()):
        have, expected = shipped.get(number, 0), accepted.get(number) or 0
        if have != expected:
            yield Difference(f"售后单 {number}", "换新发货数量", have, expected)


def _compare_refunds() -> Iterator[Difference]:
    """Compare the refund of each return with the sum of its lines, and the money paid back with
    the payment refunds.
    """
    rows = ReturnOrder.objects.filter(refunded_at__isnull=False).order_by("pk")
    sums = rows.annotate(total=Sum("lines__amount_incl_tax")).values_list(
        "return_no", "refund_amount", "paid_back", "total"
    )
    refunds = (
        PaymentRefund.objects.filter(reference__startswith="TH").order_by().values_list("reference")
    )
    paid_back_by_return = dict(refunds.annotate(total=Sum("amount")))
    for number, refund, paid_back, total in sums.iterator(chunk_size=CHUNK):
        if refund != (total or ZERO):
            yield Difference(f"售后单 {number}", "退款金额", refund, total)
        if paid_back != paid_back_by_return.get(number, ZERO):
            yield Difference(
                f"售后单 {number}", "退回已付款", paid_back, paid_back_by_return.get(number, ZERO)
            )
