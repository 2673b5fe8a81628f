"""Check that the earmarked budgets count what the lines of the orders say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

from apps.budgets.models import BudgetReservation
from apps.common.books import Difference, iterate_batches
from apps.common.money import ZERO
from apps.orders.models import EarmarkedAmount, Order, OrderAllocation

BATCH = 2000
IS_EARMARKED = Q(budget__category__isnull=False) | Q(budget__dimension__isnull=False)


def find_earmark_differences() -> Iterator[Difference]:
    """Yield every difference of the earmarked budgets in the open scope, in 元."""
    yield from _compare_reservations()
    yield from _compare_flags()
    rows = EarmarkedAmount.objects.select_related("order", "line", "reservation__budget")
    for batch in iterate_batches(rows, size=BATCH):
        yield from _compare_lines(batch)


def _compare_reservations() -> Iterator[Difference]:
    """Check that each reservation is the sum of its lines."""
    earmarked: QuerySet[BudgetReservation] = BudgetReservation.objects.filter(IS_EARMARKED)
    for reservations in iterate_batches(earmarked.select_related("budget"), size=BATCH):
        keys = [row.pk for row in reservations]
        sums = {
            pk: (amount - consumed, consumed - refunded)
            for pk, amount, consumed, refunded in EarmarkedAmount.objects.filter(
                reservation__in=keys
            )
            .order_by()
            .values_list("reservation_id")
            .annotate(Sum("amount"), Sum("consumed"), Sum("refunded"))
        }
        for row in reservations:
            amount, consumed = sums.get(row.pk, (ZERO, ZERO))
            subject = f"订单 {row.reference} 专项预算“{row.budget.name}”"
            if row.amount != amount:
                yield Difference(subject, "预占（按商品）", row.amount, amount)
            if row.consumed != consumed:
                yield Difference(subject, "已使用（按商品）", row.consumed, consumed)


def _compare_flags() -> Iterator[Difference]:
    """Check that the flag `is_earmarked` is set for exactly the orders that use an earmarked
    budget.
    """
    has_rows = Exists(EarmarkedAmount.objects.filter(order=OuterRef("pk")))
    for flag in (True, False):
        wrong_orders = Order.objects.filter(~has_rows if flag else has_rows, is_earmarked=flag)
        for order_no in wrong_orders.order_by("pk").values_list("order_no", flat=True):
            yield Difference(f"订单 {order_no}", "占用专项预算", flag, not flag)


def _compare_lines(rows: list[EarmarkedAmount]) -> Iterator[Difference]:
    """Check the counted part of each line, and that all of it is used when all is received."""
    parts: defaultdict[tuple[int | None, int], Decimal] = defaultdict(lambda: ZERO)
    shares = OrderAllocation.objects.filter(line__in={row.line_id for row in rows}).order_by()
    for line_id, dimension_id, amount in shares.values_list("line_id", "dimension_id").annotate(
        total=Sum("amount")
    ):
        parts[line_id, dimension_id] = amount
    for row in rows:
        line, budget = row.line, row.reservation.budget
        subject = f"订单 {row.order.order_no} 第 {line.no} 行"
        if line.order_id != row.order_id or row.reservation.reference != row.order.order_no:
            yield Difference(subject, "专项预算的订单", row.reservation.reference, line.order_id)
        categories = (line.category_id_l1, line.category_id_l2, line.category_id_l3)
        if budget.dimension_id is not None:
            line_share = parts[line.pk, budget.dimension_id]
        else:
            line_share = line.amount_incl_tax if budget.category_id in categories else ZERO
        expected = ZERO if line.is_ended else line_share
        if row.amount != expected:
            row_name = f"{subject} 专项预算“{budget.name}”"
            yield Difference(row_name, "计入专项预算", row.amount, expected)
        bounds = {0: ZERO, line.quantity: row.amount}
        for figure, stored, pieces in (
            ("专项预算已使用", row.consumed, line.received_quantity),
            ("专项预算已退回", row.refunded, line.returned_quantity),
        ):
            if stored != bounds.get(pieces, stored):
                yield Difference(subject, figure, stored, bounds[pieces])
