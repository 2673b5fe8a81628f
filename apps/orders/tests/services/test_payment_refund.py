"""A refund never exceeds the paid amount, and each reference is refunded once."""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.common.models import Event
from apps.orders.models import Order, Payment, PaymentRefund
from apps.orders.selectors.payments import get_left_to_pay, sum_paid
from apps.orders.services.payments import payment_record, payment_refund
from apps.orders.tests.factories import place_order
from apps.org.models import Account


@pytest.fixture
def order(shopper: Account) -> Order:
    """An order of 20.00 元, to be paid by transfer."""
    return place_order(shopper, payment_kind="transfer")


def pay(order: Order, staff: Account, *amounts: str) -> None:
    for amount in amounts:
        payment_record(actor=staff, order_id=order.pk, amount=Decimal(amount))


def back(order: Order, staff: Account, amount: str, reference: str = "TH1") -> Decimal:
    return payment_refund(
        order, actor=staff, amount=Decimal(amount), note="退货", reference=reference
    )


def stands() -> list[tuple[str, Decimal, Decimal]]:
    return list(Payment.objects.order_by("pk").values_list("status", "amount", "refunded_amount"))


def test_partial_refund_leaves_the_payment_paid(order: Order, staff: Account) -> None:
    pay(order, staff, "20.00")

    assert back(order, staff, "7.50") == Decimal("7.50")
    assert (stands(), sum_paid(order)) == (
        [("paid", Decimal("20.00"), Decimal("7.50"))],
        Decimal("12.50"),
    )
    event = Event.objects.get(kind="refunded")
    assert (event.note, event.data["amount"], event.data["reference"]) == (
        "退货，退款 ¥7.50",
        "7.50",
        "TH1",
    )


def test_full_refund_marks_the_payment_refunded(order: Order, staff: Account) -> None:
    pay(order, staff, "20.00")
    back(order, staff, "7.50")
    back(order, staff, "12.50", reference="TH2")

    assert stands() == [("refunded", Decimal("20.00"), Decimal("20.00"))]


def test_refund_uses_the_newest_payment_first(order: Order, staff: Account) -> None:
    pay(order, staff, "12.00", "8.00")

    assert back(order, staff, "10.00") == Decimal("10.00")
    assert stands() == [
        ("paid", Decimal("12.00"), Decimal("2.00")),
        ("refunded", Decimal("8.00"), Decimal("8.00")),
    ]


def test_refund_is_limited_to_the_paid_amount(order: Order, staff: Account) -> None:
    pay(order, staff, "5.00")

    assert back(order, staff, "9.00") == Decimal("5.00")
    assert back(order, staff, "4.00", reference="TH2") == Decimal("0.00")


def test_refund_of_an_unpaid_order_is_zero(placed_order: Order, staff: Account) -> None:
    assert back(placed_order, staff, "9.00") == Decimal("0.00")
    assert not PaymentRefund.objects.exists()


def test_the_same_reference_sends_once(order: Order, staff: Account) -> None:
    pay(order, staff, "12.00", "8.00")

    assert [back(order, staff, "10.00"), back(order, staff, "10.00")] == [Decimal("10.00")] * 2
    assert (sum_paid(order), PaymentRefund.objects.count()) == (Decimal("10.00"), 2)


def test_refund_is_limited_to_the_rest_of_the_payment(order: Order, staff: Account) -> None:
    pay(order, staff, "20.00")
    back(order, staff, "7.50")

    assert back(order, staff, "20.00", reference="TH2") == Decimal("12.50")
    assert stands() == [("refunded", Decimal("20.00"), Decimal("20.00"))]


def test_overpaid_order_has_no_amount_left_to_pay(order: Order, staff: Account) -> None:
    pay(order, staff, "20.00")
    order.lines.update(shipped_quantity=2, received_quantity=2, returned_quantity=1)

    assert get_left_to_pay(order) == Decimal("0.00")
