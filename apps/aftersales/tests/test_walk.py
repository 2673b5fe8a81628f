"""G5: a random walk over returns. After any sequence, the pieces in return never exceed the
received pieces, and the stored totals match the return lines.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.aftersales.models import ENDED, ReturnLine, ReturnOrder
from apps.aftersales.services.return_close import return_confirm, return_withdraw
from apps.aftersales.services.return_parcels import return_send_refused, return_ship
from apps.aftersales.services.return_review import return_approve, return_receive, return_reject
from apps.aftersales.tests.stories import SEND_TO, Story, apply_for_return, get_line, received_order
from apps.catalog.tests.factories import ProductFactory
from apps.common.books import list_differences
from apps.common.errors import DomainError
from apps.common.money import ZERO
from apps.common.testing import examples
from apps.orders.models import Order
from apps.orders.tests.factories import make_budget, make_earmarks
from apps.org.models import Account

KINDS = ("return", "exchange", "repair")
VERBS = (
    "apply",
    "apply",
    "approve",
    "approve",
    "reject",
    "withdraw",
    "ship",
    "receive",
    "inspect",
    "settle",
    "settle",
    "refused",
    "confirm",
)
STEPS = st.lists(
    st.tuples(st.sampled_from(VERBS), st.integers(0, 2), st.integers(0, 4)), min_size=4, max_size=30
)


def step(verb: str, which: int, many: int, buyer: Account, staff: Account, order: Order) -> Any:
    if verb == "apply":
        return apply_for_return(buyer, order, max(many, 1), kind=KINDS[which])
    rows = list(ReturnOrder.objects.order_by("-pk")[:3])
    if not rows:
        return None
    one = rows[which % len(rows)]
    story = Story(buyer, staff, one)
    steps: dict[str, Any] = {
        "approve": lambda: return_approve(
            actor=staff, return_id=one.pk, send_to=SEND_TO, needs_goods=many > 0
        ),
        "reject": lambda: return_reject(actor=staff, return_id=one.pk, reason="超出范围"),
        "withdraw": lambda: return_withdraw(actor=buyer, return_no=one.return_no, reason="不退了"),
        "ship": lambda: return_ship(
            actor=buyer, return_no=one.return_no, carrier="示例快递", tracking_no="SF1"
        ),
        "receive": lambda: return_receive(actor=staff, return_id=one.pk),
        "inspect": lambda: story.inspect(min(many, one.lines.get().quantity)),
        "settle": story.settle,
        "refused": lambda: return_send_refused(
            actor=staff, return_id=one.pk, carrier="示例快递", tracking_no="SF2"
        ),
        "confirm": lambda: return_confirm(actor=buyer, return_no=one.return_no),
    }
    return steps[verb]()


def get_pieces(status: str) -> int:
    """Return the pieces in after-sales over all returns in a state, computed from their lines."""
    rows = ReturnLine.objects.filter(return_order__status=status).select_related("return_order")
    return sum(_in_return(row) for row in rows)


def _in_return(row: ReturnLine) -> int:
    if row.accepted_quantity is None:
        return row.quantity
    return 0 if row.return_order.refunded_at else row.accepted_quantity


def assert_invariants(order: Order) -> None:
    line = get_line(order)
    assert line.returning_quantity + line.returned_quantity <= line.received_quantity
    open_states = (
        "pending_review",
        "pending_send",
        "pending_receipt",
        "inspecting",
        "processing",
        "pending_confirm",
    )
    assert line.returning_quantity == sum(get_pieces(status) for status in open_states)
    refunded = ReturnOrder.objects.filter(refunded_at__isnull=False)
    returned_pieces = sum(
        row.accepted_quantity or 0 for row in ReturnLine.objects.filter(return_order__in=refunded)
    )
    assert line.returned_quantity == returned_pieces
    assert (
        sum((row.refund_amount for row in refunded), ZERO)
        == line.unit_price_incl_tax * returned_pieces
    )
    assert list(list_differences()) == []
    axis = Order.objects.get(pk=order.pk).after_sales_status
    is_open = ReturnOrder.objects.exclude(status__in=ENDED).exists()
    is_completed = ReturnOrder.objects.filter(status="completed").exists()
    assert axis == ("open" if is_open else "done" if is_completed else "none")


@settings(max_examples=examples(20))
@given(steps=STEPS)
def test_a_random_walk_never_returns_more_than_was_received(
    shopper: Account, staff: Account, steps: list[tuple[str, int, int]]
) -> None:
    with transaction.atomic():
        make_budget(shopper, "1000.00")
        product = ProductFactory(stock=100)
        order = received_order(
            shopper, staff, (product, 10), allocations=make_earmarks(shopper, product)
        )
        for verb, which, many in steps:
            before = get_line(order).returning_quantity, ReturnOrder.objects.count()
            try:
                with transaction.atomic():
                    step(verb, which, many, shopper, staff, order)
            except DomainError:
                # Rolled back, so the invariants of the step before still hold.
                assert (get_line(order).returning_quantity, ReturnOrder.objects.count()) == before
            else:
                assert_invariants(order)
        transaction.set_rollback(True)
