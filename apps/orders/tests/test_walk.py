"""G5: a random walk over orders. After any sequence of steps, the state, stock, budget,
quantities and events of each order agree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Sum
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.approvals.models import Approval
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_decide import approval_approve, approval_reject
from apps.budgets.models import Budget
from apps.budgets.selectors.budgets import reconcile_budgets
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import DomainError
from apps.common.models import Event
from apps.common.money import ZERO
from apps.common.testing import examples
from apps.orders.enums import OrderStatus
from apps.orders.gateways import DemoGateway
from apps.orders.models import Order, OrderLine, Payment, ReceiptLine, ShipmentLine
from apps.orders.selectors.earmark_books import find_earmark_differences
from apps.orders.services.cancellations import order_cancel, order_cancel_by_staff, order_withdraw
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.payments import payment_notification_apply, payment_record
from apps.orders.services.receipts import order_receive
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import make_budget, make_earmarks, make_rule, place_order
from apps.org.models import Account

ENDED = (OrderStatus.REJECTED, OrderStatus.WITHDRAWN, OrderStatus.CANCELLED, OrderStatus.COMPLETED)
VERBS = (
    "submit",
    "online",
    "approve",
    "amend",
    "reject",
    "withdraw",
    "cancel",
    "cancel_staff",
    "confirm",
    "pay",
    "record",
    "ship",
    "receive",
)
# State → steps that fit it. Most steps of a walk come from this table, so that orders get far; the
# other steps are arbitrary.
ONWARD: dict[str, tuple[str, ...]] = {
    "pending_approval": ("approve", "amend", "amend", "reject", "withdraw", "cancel"),
    "pending_confirm": ("confirm", "pay", "cancel"),
    "pending_shipment": ("ship", "cancel_staff", "record"),
    "partly_shipped": ("ship", "receive"),
    "pending_receipt": ("receive", "record"),
}
BEGIN = ("submit", "online")
STEPS = st.lists(
    st.tuples(st.integers(0, 59), st.integers(0, 2), st.integers(1, 3)), min_size=4, max_size=25
)


class Walk:
    """The accounts, and one method per step. `which` selects the order, `many` the quantity."""

    def __init__(self, buyer: Account, approver: Account, staff: Account) -> None:
        self.buyer, self.approver, self.staff = buyer, approver, staff
        self.products = [ProductFactory(stock=12), ProductFactory(stock=5)]
        self.split = make_earmarks(buyer, self.products[0])

    def order(self, which: int) -> Order:
        orders = list(Order.objects.order_by("-pk")[:3])
        return orders[which % len(orders)]

    def verb(self, number: int, which: int) -> str:
        """Return the step for a number. Low numbers select any step, so it may be illegal; the
        other numbers select a step that fits the order's state.
        """
        if number < len(VERBS) or not Order.objects.exists():
            return VERBS[number] if number < len(VERBS) else BEGIN[number % 2]
        fitting = ONWARD.get(self.order(which).status, BEGIN)
        return fitting[number % len(fitting)]

    def submit(self, which: int, many: int) -> Any:
        wishes = [(product, many) for product in self.products[: which + 1]]
        return place_order(self.buyer, *wishes, allocations=self.split)

    def online(self, which: int, many: int) -> Any:
        return place_order(self.buyer, (self.products[0], many), payment_kind="online")

    def approve(self, which: int, many: int) -> Any:
        return approval_approve(
            actor=self.approver,
            approval_id=Approval.objects.filter(subject_id=self.order(which).pk).latest("pk").pk,
        )

    def reject(self, which: int, many: int) -> Any:
        approval = Approval.objects.filter(subject_id=self.order(which).pk).latest("pk")
        return approval_reject(actor=self.approver, approval_id=approval.pk, reason="不需要")

    def amend(self, which: int, many: int) -> Any:
        order = self.order(which)
        approval, lines = (
            Approval.objects.filter(subject_id=order.pk).latest("pk"),
            order.lines.order_by("-no"),
        )
        quantities = {lines[0].pk: max(lines[0].quantity - many, 0)}
        return approval_amend(
            actor=self.approver,
            approval_id=approval.pk,
            quantities=quantities,
            reason="用不了这么多",
        )

    def withdraw(self, which: int, many: int) -> Any:
        return order_withdraw(actor=self.buyer, order_no=self.order(which).order_no)

    def cancel(self, which: int, many: int) -> Any:
        return order_cancel(actor=self.buyer, order_no=self.order(which).order_no, reason="买错了")

    def cancel_staff(self, which: int, many: int) -> Any:
        return order_cancel_by_staff(actor=self.staff, order_id=self.order(which).pk, reason="缺货")

    def confirm(self, which: int, many: int) -> Any:
        return order_confirm(actor=self.staff, order_id=self.order(which).pk)

    def pay(self, which: int, many: int) -> Any:
        payment = Payment.objects.filter(order=self.order(which), kind="online").latest("pk")
        fields = DemoGateway().build_notification(
            payment_no=payment.payment_no,
            amount=payment.amount,
            is_success=many > 1,
            reference=f"R{payment.pk}",
        )
        return payment_notification_apply(gateway="demo", fields=fields)

    def record(self, which: int, many: int) -> Any:
        return payment_record(
            actor=self.staff, order_id=self.order(which).pk, amount=ZERO + many * 5
        )

    def ship(self, which: int, many: int) -> Any:
        order = self.order(which)
        quantities = {order.lines.order_by("-pk")[0].pk: many}
        return order_ship(
            actor=self.staff,
            order_id=order.pk,
            carrier="示例快递",
            tracking_no="SF1",
            quantities=quantities,
        )

    def receive(self, which: int, many: int) -> Any:
        order = self.order(which)
        return order_receive(
            actor=self.buyer,
            order_no=order.order_no,
            quantities={order.lines.order_by("-pk")[0].pk: many},
        )


def attempt(step: Callable[[int, int], Any], which: int, many: int) -> bool:
    """Run one step and return whether it succeeded. A refused step must not change any data."""
    before = get_snapshot()
    try:
        step(which, many)
    except (DomainError, Approval.DoesNotExist, Payment.DoesNotExist, ZeroDivisionError):
        # ZeroDivisionError: no order exists yet.
        assert get_snapshot() == before
        return False
    return True


def get_snapshot() -> tuple[Any, ...]:
    """Return the data that a refused step must not change. The cart is not included, because
    the submit step fills it first.
    """
    return (
        list(Order.objects.order_by("pk").values_list("pk", "status", "settlement_status")),
        list(Product.objects.order_by("pk").values_list("stock", "reserved")),
        list(Budget.objects.values_list("reserved", "consumed")),
        Event.objects.count(),
        Payment.objects.count(),
    )


def assert_invariants(initial_stock: int) -> None:
    assert reconcile_budgets() == []
    assert list(find_earmark_differences()) == []
    for order in Order.objects.select_related("budget_reservation"):
        held = order.budget_reservation
        assert held is not None
        assert held.amount + held.consumed <= order.total_amount
        assert order.goods_amount == sum((line.amount_incl_tax for line in order.lines.all()), ZERO)
        assert order.total_amount == order.goods_amount + order.freight_amount
        if order.status == OrderStatus.PENDING_APPROVAL:
            assert (
                held.amount
                == order.total_amount
                == Approval.objects.get(subject_id=order.pk).amount
            )
        if order.status in ENDED:
            assert held.amount == ZERO, order.status
        if order.status == OrderStatus.COMPLETED:
            assert held.consumed == order.total_amount
        last = (
            Event.objects.filter(subject_type="orders.order", subject_id=order.pk)
            .order_by("-pk")
            .values_list("to_state", flat=True)[0]
        )
        assert last == order.status, "the last event says where the order stands"
    for product in Product.objects.all():
        lines = OrderLine.objects.filter(product=product)
        left = sum(
            line.quantity - line.shipped_quantity for line in lines.exclude(order__status__in=ENDED)
        )
        assert product.reserved == left
    sold = OrderLine.objects.aggregate(total=Sum("shipped_quantity"))["total"] or 0
    assert initial_stock - sold == sum(Product.objects.values_list("stock", flat=True))
    for line in OrderLine.objects.all():
        parts = ShipmentLine.objects.filter(order_line=line).aggregate(
            sent=Sum("quantity"), got=Sum("received_quantity")
        )
        assert (parts["sent"] or 0, parts["got"] or 0) == (
            line.shipped_quantity,
            line.received_quantity,
        )
        receipts = ReceiptLine.objects.filter(order_line=line).aggregate(
            many=Sum("quantity"), much=Sum("amount_incl_tax"), tax=Sum("tax_amount")
        )
        assert (receipts["many"] or 0) == line.received_quantity
        if line.received_quantity == line.quantity:
            assert (receipts["much"], receipts["tax"]) == (line.amount_incl_tax, line.tax_amount)


@settings(max_examples=examples(25))
@given(steps=STEPS)
def test_a_random_walk_keeps_the_books(
    shopper: Account, approver: Account, staff: Account, steps: list[tuple[int, int, int]]
) -> None:
    with transaction.atomic():
        make_budget(shopper, "200.00")
        make_rule(shopper, approver, from_amount="25.00")
        walk = Walk(shopper, approver, staff)
        for number, which, many in steps:
            if attempt(getattr(walk, walk.verb(number, which)), which, many):
                assert_invariants(17)
        # Also after refused steps at the end.
        assert_invariants(17)
        transaction.set_rollback(True)


def test_the_walk_reaches_the_end_of_an_order(
    shopper: Account, approver: Account, staff: Account
) -> None:
    make_budget(shopper, "200.00")
    make_rule(shopper, approver, from_amount="25.00")
    walk = Walk(shopper, approver, staff)
    path = [
        ("submit", 0, 3),
        ("approve", 0, 1),
        ("confirm", 0, 1),
        ("ship", 0, 2),
        ("receive", 0, 1),
        ("ship", 0, 1),
        ("receive", 0, 2),
    ]
    assert [attempt(getattr(walk, name), which, many) for name, which, many in path] == [True] * 7
    assert Order.objects.get().status == "completed"
    assert_invariants(17)


def test_a_line_dropped_by_an_amendment_frees_its_earmarked_budgets(
    shopper: Account, approver: Account, staff: Account
) -> None:
    make_budget(shopper, "200.00")
    make_rule(shopper, approver, from_amount="25.00")
    walk = Walk(shopper, approver, staff)
    walk.submit(2, 2)
    for step, many in ((walk.amend, 2), (walk.cancel, 1)):
        step(0, many)
        assert_invariants(17)
