"""What must hold after anything: budget, stock and orders tell one story."""

from __future__ import annotations

from django.db.models import F

from apps.budgets.models import Budget
from apps.common.books import differences
from apps.orders.models import Order


def assert_books_balance() -> None:
    """Fail unless every check of the books agrees, no blocking budget is overdrawn, and every order has its number."""
    assert [f"[{name}] {difference}" for name, difference in differences()] == []
    assert not Budget.objects.filter(policy="block", amount__lt=F("reserved") + F("consumed")).exists()
    assert not Order.objects.exclude(order_no__startswith="SO").exists(), "an order without its number"
