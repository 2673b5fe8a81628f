"""G5: a random walk of cancellations, shipments and receipts. After any sequence, the state,
stock, budget and quantities of the order agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Sum
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.aftersales.models import CancelOrder
from apps.aftersales.services.cancel_decide import cancel_grant, cancel_refuse, cancel_withdraw
from apps.aftersales.tests.cancelling import ask, receive, set_freight_below, ship
from apps.budgets.models import Budget
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.books import list_differences
from apps.common.errors import DomainError
from apps.common.money import ZERO, compute_tax
from apps.common.testing import examples
from apps.orders.enums import OrderStatus
from apps.orders.models import Order, OrderLine
from apps.orders.services.cancellations import order_cancel, order_cancel_by_staff
from apps.orders.services.confirmations import order_confirm
from apps.orders.tests.factories import make_budget, make_earmarks, place_order
from apps.org.models import Account

ENDED = (OrderStatus.CANCELLED, OrderStatus.COMPLETED)
VERBS = (
    "confirm",
    "ask",
    "ask",
    "ask_all",
    "grant",
    "grant",
    "refuse",
    "withdraw",
    "ship",
    "ship",
    "receive",
    "cancel",
    "cancel_staff",
)
STEPS = st.lists(
    st.tuples(st.sampled_from(VERBS), st.integers(0, 6), st.integers(0, 4)), min_size=3, max_size=18
)


class Walk:
    """One order of two lines, and one method per step."""

    def __init__(self, buyer: Account, staff: Account) -> None:
        self.buyer, self.staff = buyer, staff
        first, second = ProductFactory(stock=20), ProductFactory(stock=20)
        self.order = place_order(
            buyer, (second, 4), (first, 6), allocations=make_earmarks(buyer, first)
        )

    def pending(self) -> int:
        return (
            CancelOrder.objects.filter(order=self.order, status="pending")
            .values_list("pk", flat=True)
            .first()
            or 0
        )

    def confirm(self, _one: int, _two: int) -> Any:
        return order_confirm(actor=self.staff, order_id=self.order.pk)

    def ask(self, one: int, two: int) -> Any:
        return ask(self.buyer, self.order, one, two)

    def ask_all(self, _one: int, _two: int) -> Any:
        return ask(self.buyer, self.order)

    def grant(self, _one: int, _two: int) -> Any:
        return cancel_grant(actor=self.staff, cancel_id=self.pending())

    def refuse(self, _one: int, _two: int) -> Any:
        return cancel_refuse(actor=self.staff, cancel_id=self.pending(), reason="已打包")

    def withdraw(self, _one: int, _two: int) -> Any:
        return cancel_withdraw(actor=self.buyer, cancel_id=self.pending())

    def ship(self, one: int, two: int) -> Any:
        return ship(self.staff, self.order, one, two)

    def receive(self, _one: int, _two: int) -> Any:
        return receive(self.buyer, self.order)

    def cancel(self, _one: int, _two: int) -> Any:
        return order_cancel(actor=self.buyer, order_no=self.order.order_no, reason="买错了")

    def cancel_staff(self, _one: int, _two: int) -> Any:
        return order_cancel_by_staff(actor=self.staff, order_id=self.order.pk, reason="缺货")


def attempt(step: Callable[[int, int], Any], one: int, two: int) -> bool:
    """Run one step and return whether it was done. A refused step must not change any data."""
    before = get_snapshot()
    try:
        step(one, two)
    except (DomainError, CancelOrder.DoesNotExist):
        assert get_snapshot() == before
        return False
    return True


def get_snapshot() -> tuple[Any, ...]:
    return (
        list(Order.objects.values_list("status", "total_amount")),
        list(
            OrderLine.objects.order_by("pk").values_list(
                "quantity", "cancelled_quantity", "cancelling_quantity", "shipped_quantity"
            )
        ),
        list(Product.objects.order_by("pk").values_list("stock", "reserved")),
        list(Budget.objects.values_list("reserved", "consumed")),
        list(CancelOrder.objects.order_by("pk").values_list("status", "total_after")),
    )


def assert_one_story(ordered: tuple[int, int]) -> None:
    assert list(list_differences()) == []
    order = Order.objects.select_related("budget_reservation").get()
    lines = list(order.lines.order_by("no"))
    assert tuple(line.quantity + line.cancelled_quantity for line in lines) == ordered
    assert order.goods_amount == sum((line.amount_incl_tax for line in lines), ZERO)
    assert order.tax_amount == sum((line.tax_amount for line in lines), ZERO)
    assert all(
        line.tax_amount == compute_tax(line.amount_incl_tax, line.tax_rate) for line in lines
    )
    reservation = order.budget_reservation
    assert reservation is not None
    if order.status == OrderStatus.COMPLETED:
        assert (reservation.amount, reservation.consumed) == (ZERO, order.total_amount)
    elif order.status == OrderStatus.CANCELLED:
        assert (reservation.amount, reservation.consumed) == (ZERO, ZERO)
    else:
        assert reservation.amount + reservation.consumed == order.total_amount
    for line in lines:
        left = 0 if order.status in ENDED else line.quantity - line.shipped_quantity
        assert Product.objects.get(pk=line.product_id).reserved == left
    pending = CancelOrder.objects.filter(status="pending")
    pieces = pending.aggregate(total=Sum("lines__quantity"))["total"] or 0
    assert sum(line.cancelling_quantity for line in lines) == pieces
    if order.status == OrderStatus.CANCELLED:
        assert not pieces
    totals = list(
        CancelOrder.objects.filter(status="done")
        .order_by("pk")
        .values_list("total_before", "total_after")
    )
    assert all(after <= before for before, after in totals)


@settings(max_examples=examples(40))
@given(steps=STEPS)
def test_a_random_walk_keeps_the_books(
    shopper: Account, staff: Account, steps: list[tuple[str, int, int]]
) -> None:
    with transaction.atomic():
        set_freight_below("80.00", "12.00")
        make_budget(shopper, "500.00")
        walk = Walk(shopper, staff)
        for verb, one, two in steps:
            if attempt(getattr(walk, verb), one, two):
                assert_one_story((6, 4))
        # Also after refused steps at the end.
        assert_one_story((6, 4))
        transaction.set_rollback(True)
