"""What must hold after anything: budget, stock and orders tell one story."""

from __future__ import annotations

from django.db.models import F, Sum

from apps.approvals.enums import ApprovalStatus
from apps.approvals.models import Approval
from apps.budgets.models import Budget, BudgetReservation
from apps.budgets.selectors.books import budget_differences
from apps.catalog.models import Product
from apps.common.models import Event
from apps.common.money import ZERO
from apps.orders.enums import OrderEventKind, OrderStatus
from apps.orders.models import Order, OrderLine

HOLDS_NOTHING = (OrderStatus.REJECTED, OrderStatus.WITHDRAWN, OrderStatus.CANCELLED, OrderStatus.COMPLETED)


def assert_books_balance() -> None:
    """Fail unless ledger, reservations, stock, orders, approvals and events agree."""
    assert budget_differences() == []
    assert not Budget.objects.filter(policy="block", amount__lt=F("reserved") + F("consumed")).exists()
    _assert_reservations()
    _assert_stock()
    pending = set(Approval.objects.filter(status=ApprovalStatus.PENDING).values_list("subject_id", flat=True))
    assert pending == set(Order.objects.filter(status=OrderStatus.PENDING_APPROVAL).values_list("pk", flat=True))
    submitted = Event.objects.filter(kind=OrderEventKind.SUBMITTED).values_list("subject_id", flat=True)
    assert sorted(submitted) == sorted(Order.objects.values_list("pk", flat=True)), "one submission for every order"
    assert not Order.objects.exclude(order_no__startswith="SO").exists(), "an order without its number"


def _assert_reservations() -> None:
    for order in Order.objects.select_related("budget_reservation"):
        held = order.budget_reservation.amount if order.budget_reservation else ZERO
        if order.status in HOLDS_NOTHING:
            assert held == ZERO, f"{order.order_no} {order.status} still holds {held}"
    reserved = BudgetReservation.objects.aggregate(total=Sum("amount"))["total"] or ZERO
    assert (Budget.objects.aggregate(total=Sum("reserved"))["total"] or ZERO) == reserved


def _assert_stock() -> None:
    open_lines = OrderLine.objects.exclude(order__status__in=HOLDS_NOTHING).order_by().values("product")
    held = {row["product"]: row["left"] for row in open_lines.annotate(left=Sum(F("quantity") - F("shipped_quantity")))}
    for product in Product.objects.all():
        assert product.reserved == held.get(product.pk, 0), f"{product.code} reserves {product.reserved}"
        assert product.stock >= product.reserved
