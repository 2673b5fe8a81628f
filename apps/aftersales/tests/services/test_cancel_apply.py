"""Before confirmation, a cancellation takes effect at once. It releases stock, budget and
money. Tax and freight are computed again, and the order never becomes more expensive.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.aftersales.models import CancelOrder
from apps.aftersales.services.cancel_apply import CancelForm, cancel_apply
from apps.aftersales.tests.cancelling import (
    ask,
    get_amounts,
    get_line,
    get_reserved,
    list_lines,
    order_two_lines,
    set_freight_below,
)
from apps.catalog.errors import QuantityIllegal
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import QuantityExceeded, ValidationFailed, WrongState
from apps.common.models import Event
from apps.orders.gateways import DemoGateway
from apps.orders.models import Order, OrderLine, Payment
from apps.orders.services.cancellations import order_cancel
from apps.orders.services.payments import payment_notification_apply, payment_record
from apps.orders.tests.factories import make_budget, place_order
from apps.org.models import Account

D = Decimal


def test_pieces_of_an_unconfirmed_order_go_at_once(shopper: Account) -> None:
    order = order_two_lines(shopper)

    cancel = ask(shopper, order, 3)

    assert (cancel.status, cancel.decide_by, cancel.is_whole) == ("done", None, False)
    assert (get_amounts(order), list_lines(order)) == (
        ("pending_confirm", D("120.00"), D("0.00"), D("120.00")),
        [(7, 3, 0), (5, 0, 0)],
    )
    assert get_reserved() == (D("120.00"), D("0.00"), [7, 5])
    line = cancel.lines.get()
    assert (line.quantity, line.amount_incl_tax) == (3, D("30.00"))


def test_partial_cancellation_recalculates_the_tax(shopper: Account) -> None:
    order = order_two_lines(shopper)
    ask(shopper, order, 3)

    line = get_line(order, 0)
    # 70.00 at 13 %: 61.95 net.
    assert (line.amount_incl_tax, line.tax_amount) == (D("70.00"), D("8.05"))
    assert Order.objects.get().tax_amount == D("8.05") + get_line(order, 1).tax_amount


def test_partial_cancellation_recalculates_the_freight(shopper: Account) -> None:
    order = order_two_lines(shopper)

    cancel = ask(shopper, order, 8)

    assert get_amounts(order) == ("pending_confirm", D("70.00"), D("15.00"), D("85.00"))
    assert (
        cancel.freight_before,
        cancel.freight_after,
        cancel.total_before,
        cancel.total_after,
    ) == (
        D("0.00"),
        D("15.00"),
        D("150.00"),
        D("85.00"),
    )


def test_freight_never_makes_the_whole_dearer(shopper: Account) -> None:
    set_freight_below("150.00", "15.00")
    make_budget(shopper, "1000.00")
    order = place_order(shopper, (ProductFactory(stock=50), 15))

    ask(shopper, order, 1)

    assert get_amounts(order) == ("pending_confirm", D("140.00"), D("10.00"), D("150.00"))
    assert get_reserved() == (D("150.00"), D("0.00"), [14])


def test_a_line_may_go_whole_and_the_order_lives_on(shopper: Account) -> None:
    order = order_two_lines(shopper)
    ask(shopper, order, 0, 5)

    assert (get_amounts(order)[3], list_lines(order)) == (D("100.00"), [(10, 0, 0), (0, 5, 0)])


def test_whole_cancellation_ends_the_order_and_keeps_its_lines(
    shopper: Account,
) -> None:
    order = order_two_lines(shopper)

    cancel = ask(shopper, order)

    assert (cancel.is_whole, cancel.total_after) == (True, D("0.00"))
    assert (get_amounts(order), list_lines(order)) == (
        ("cancelled", D("150.00"), D("0.00"), D("150.00")),
        [(10, 0, 0), (5, 0, 0)],
    )
    assert get_reserved() == (D("0.00"), D("0.00"), [0, 0])


def test_the_rest_after_a_part_ends_the_order_too(shopper: Account) -> None:
    order = order_two_lines(shopper)
    ask(shopper, order, 0, 5)
    order_cancel(actor=shopper, order_no=order.order_no, reason="不要了")

    assert (get_amounts(order)[0], get_reserved()) == ("cancelled", (D("0.00"), D("0.00"), [0, 0]))


def pay_online(order: Order, amount: str, payment: Payment | None = None) -> None:
    paid = payment or Payment.objects.get(order=order, status="pending")
    fields = DemoGateway().build_notification(
        payment_no=paid.payment_no, amount=D(amount), is_success=True
    )
    payment_notification_apply(gateway="demo", fields=fields)


def test_partial_cancellation_refunds_the_online_payment_in_part(shopper: Account) -> None:
    order = order_two_lines(shopper, payment_kind="online")
    pay_online(order, "150.00")

    cancel = ask(shopper, order, 3)

    payment = Payment.objects.get()
    assert (cancel.refund_amount, payment.status, payment.refunded_amount) == (
        D("30.00"),
        "paid",
        D("30.00"),
    )
    assert Order.objects.get().settlement_status == "done"


def test_partial_cancellation_replaces_an_open_online_payment(shopper: Account) -> None:
    order = order_two_lines(shopper, payment_kind="online")
    first = Payment.objects.get()
    ask(shopper, order, 3)
    assert list(Payment.objects.order_by("pk").values_list("status", "amount")) == [
        ("closed", D("150.00")),
        ("pending", D("120.00")),
    ]

    pay_online(order, "150.00", first)

    # The customer was already on the payment page. The overpaid amount is refunded.
    assert Payment.objects.filter(pk=first.pk, status="paid", refunded_amount=D("30.00")).exists()


def test_partial_cancellation_settles_an_order_by_its_partial_transfer(
    shopper: Account, staff: Account
) -> None:
    order = order_two_lines(shopper, payment_kind="transfer")
    payment_record(actor=staff, order_id=order.pk, amount=D("100.00"))

    cancel = ask(shopper, order, 0, 5)

    assert (cancel.refund_amount, Order.objects.get().settlement_status) == (D("0.00"), "done")


def test_cancellation_above_the_remaining_quantity_is_refused(shopper: Account) -> None:
    order = order_two_lines(shopper)
    ask(shopper, order, 8)
    with pytest.raises(QuantityExceeded, match="最多可取消 2"):
        ask(shopper, order, 3)
    assert (list_lines(order), CancelOrder.objects.count()) == ([(2, 8, 0), (5, 0, 0)], 1)


def test_a_step_that_would_be_broken_is_refused_but_all_may_go(shopper: Account) -> None:
    order = place_order(
        shopper,
        (ProductFactory(), 1),
        (ProductFactory(stock=50, min_quantity=4, step_quantity=2), 8),
    )
    with pytest.raises(
        QuantityIllegal, match=r"取消 3 .+ 后剩余 5，不符合要求（起订量 4，增量 2）"
    ):
        ask(shopper, order, 3)
    assert ask(shopper, order, 8).status == "done"


def test_partial_cancellation_of_an_order_in_approval_is_refused(
    order_in_approval: Order, shopper: Account
) -> None:
    with pytest.raises(WrongState, match="请整单取消，或撤回后修改数量重新提交"):
        ask(shopper, order_in_approval, 1)
    assert ask(shopper, order_in_approval).is_whole
    assert get_amounts(order_in_approval)[0] == "cancelled"


def test_cancellation_reason_other_requires_a_text(placed_order: Order, shopper: Account) -> None:
    with pytest.raises(ValidationFailed):
        ask(shopper, placed_order, reason_kind="other")


def test_cancellation_of_a_line_of_another_order_is_refused(shopper: Account) -> None:
    order, other = place_order(shopper), place_order(shopper)
    pieces = {OrderLine.objects.get(order=other).pk: 1}
    with pytest.raises(ValidationFailed):
        cancel_apply(actor=shopper, form=CancelForm(order.order_no, "unwanted", "", pieces))


def test_partial_cancellation_is_recorded_in_the_order_timeline(shopper: Account) -> None:
    order = order_two_lines(shopper)
    ask(shopper, order, 3, reason="多订了")

    event = Event.objects.get(kind="partly_cancelled")
    assert event.note.startswith("应付减少 ¥30.00；原因：不想要了：多订了；")
    assert (event.from_state, event.to_state, event.data["total"]) == (
        "pending_confirm",
        "pending_confirm",
        "120.00",
    )
