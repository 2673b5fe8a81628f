"""A payment as the gateway's page shows it."""

from __future__ import annotations

from apps.common.tenancy import platform_scope
from apps.orders.errors import PaymentNotFound
from apps.orders.models import Payment


def payment_to_make(*, payment_no: str) -> Payment:
    """Return the payment of an unguessable number with its order, whoever asks: the number is the permission.

    Raises:
        PaymentNotFound: there is none.
    """
    with platform_scope(reason="the gateway's page"):
        payment: Payment | None = Payment.objects.select_related("order").filter(payment_no=payment_no).first()
    if payment is None:
        raise PaymentNotFound
    return payment
