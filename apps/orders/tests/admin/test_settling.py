"""Tests of payments that finance records by hand because the money came outside the gateway. An
order accepts a record only while it has an unpaid amount, and only up to that amount.
"""

from __future__ import annotations

from decimal import Decimal

from django.test import Client

from apps.common.tenancy import no_scope
from apps.orders.enums import PaymentKind
from apps.orders.models import Order
from apps.orders.services.payments import payment_record
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office

AT = "/admin/orders/order/"


def is_offered(office: Client, order: Order) -> bool:
    with no_scope():
        return (
            f"{AT}{order.pk}/record-payment/"
            in office.get(f"{AT}{order.pk}/change/").content.decode()
        )


def test_payment_form_defaults_to_the_outstanding_amount(shopper: Account, staff: Account) -> None:
    order, office = place_order(shopper), open_office(staff)
    payment_record(actor=staff, order_id=order.pk, amount=Decimal("5.00"))
    with no_scope():
        form = office.get(f"{AT}{order.pk}/record-payment/").context["form"]
    assert form["amount"].value() == order.total_amount - 5


def test_payment_form_is_offered_only_for_open_amounts_outside_the_gateway(
    shopper: Account, staff: Account
) -> None:
    owed, paid, online = (place_order(shopper) for _ in range(3))
    payment_record(actor=staff, order_id=paid.pk, amount=paid.total_amount)
    Order.objects.filter(pk=online.pk).update(payment_kind=PaymentKind.ONLINE)
    assert [is_offered(open_office(staff), order) for order in (owed, paid, online)] == [
        True,
        False,
        False,
    ]


def test_finance_records_payments_but_cannot_confirm_ship_or_cancel_orders(
    shopper: Account,
) -> None:
    order, finance = place_order(shopper), open_office(create_staff("财务"))
    values = {
        "act": "1",
        "amount": "5.00",
        "reason": "试",
        "carrier": "示例快递",
        "tracking_no": "SF1",
    }
    with no_scope():
        answers = {
            name: finance.post(f"{AT}{order.pk}/{name}/", values).status_code
            for name in ("confirm", "ship", "cancel", "record-payment")
        }
    assert answers == {"confirm": 403, "ship": 403, "cancel": 403, "record-payment": 302}
