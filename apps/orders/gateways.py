"""Online payment gateways: one protocol with a demo implementation. Add a real gateway to
`get_gateway`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Protocol

import structlog
from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from apps.orders.errors import PaymentNotFound, PaymentRefused

log = structlog.get_logger(__name__)
SIGNED = ("payment_no", "amount", "reference", "result")


@dataclass(frozen=True, slots=True)
class Notification:
    """A payment notification. `amount` in 元; `reference` is the gateway's own number of the
    payment.
    """

    payment_no: str
    amount: Decimal
    reference: str
    is_success: bool


class PaymentGateway(Protocol):
    """Takes money for a payment and sends notifications. A notification may arrive twice, late,
    or never.
    """

    name: str

    def pay_path(self, *, payment_no: str) -> str:
        """Return the URL path where the buyer pays."""

    def read(self, fields: Mapping[str, str]) -> Notification:
        """Return the notification of the fields. Raises PaymentRefused if the signature is
        wrong.
        """

    def refund(self, *, payment_no: str, reference: str, amount: Decimal) -> None:
        """Refund the amount to the original payer."""


class DemoGateway:
    """Signs with a key derived from SECRET_KEY, in place of the key agreed with a real gateway."""

    name = "demo"

    def pay_path(self, *, payment_no: str) -> str:
        """Return the URL path of the demo page."""
        return f"/pay/demo/{payment_no}"

    def build_notification(
        self, *, payment_no: str, amount: Decimal, is_success: bool, reference: str = ""
    ) -> dict[str, str]:
        """Return the signed fields of a notification. Creates a reference if none is given."""
        fields = {
            "payment_no": payment_no,
            "amount": str(amount),
            "reference": reference or f"DEMO{secrets.token_hex(8).upper()}",
            "result": "success" if is_success else "failure",
        }
        return {**fields, "sign": _compute_signature(fields)}

    def read(self, fields: Mapping[str, str]) -> Notification:
        """Return the notification.

        Raises:
            PaymentRefused: the signature is wrong, or the amount is not a number.
        """
        if not constant_time_compare(fields.get("sign", ""), _compute_signature(fields)):
            raise PaymentRefused
        try:
            amount = Decimal(fields["amount"])
        except InvalidOperation as error:
            raise PaymentRefused from error
        return Notification(
            payment_no=fields["payment_no"],
            amount=amount,
            reference=fields["reference"],
            is_success=fields["result"] == "success",
        )

    def refund(self, *, payment_no: str, reference: str, amount: Decimal) -> None:
        """Only write a log entry, because the demo has taken no money."""
        log.info("demo_refund", payment_no=payment_no, reference=reference, amount=str(amount))


def _compute_signature(fields: Mapping[str, str]) -> str:
    text = "&".join(f"{name}={fields.get(name, '')}" for name in SIGNED)
    return salted_hmac("apps.orders.gateways", text, algorithm="sha256").hexdigest()


DEFAULT_GATEWAY = DemoGateway.name


def get_gateway(name: str) -> PaymentGateway:
    """Return the gateway. The demo gateway takes no real money and works only in demo mode.

    Raises:
        PaymentNotFound: there is no such gateway here.
    """
    if name == DemoGateway.name and settings.DEMO_MODE:
        return DemoGateway()
    raise PaymentNotFound("在线支付暂未开通，请选择其他付款方式或联系客服")
