"""Invariants after every race: budgets, stock and orders are consistent."""

from __future__ import annotations

from django.db.models import F

from apps.budgets.models import Budget
from apps.common.books import list_differences
from apps.orders.models import Order


def assert_books_balance() -> None:
    """Fail unless check_books finds no difference, no blocking budget is overdrawn, and every
    order has a number.
    """
    assert [f"[{name}] {difference}" for name, difference in list_differences()] == []
    assert not Budget.objects.filter(
        policy="block", amount__lt=F("reserved") + F("consumed")
    ).exists()
    assert not Order.objects.exclude(order_no__startswith="SO").exists(), (
        "an order without its number"
    )
