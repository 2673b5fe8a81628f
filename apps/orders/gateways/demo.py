"""The demo gateway: a local page with buttons for each result, and a signed notification as a
real gateway sends it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation

import structlog
from django.utils.crypto import constant_time_compare, salted_hmac

from apps.orders.errors import PaymentRefused
from apps.orders.gateways.base import Notification

log = structlog.get_logger(__name__)
SIGNED = ("payment_no", "amount", "reference", "result")


class DemoGateway:
    """Signs with a key derived from SECRET_KEY, in place of the key agreed with a real gateway."""

    name = "demo"

    def pay_path(self, *, payment_no: str) -> str:
        """Return the URL path of the demo page."""
        return f"/pay/demo/{payment_no}"

    def notification(
        self, *, payment_no: str, amount: Decimal, is_success: bool, reference: str = ""
    ) -> dict[str, str]:
        """Return the signed fields of a notification. Creates a reference if none is given."""
        fields = {
            "payment_no": payment_no,
            "amount": str(amount),
            "reference": reference or f"DEMO{secrets.token_hex(8).upper()}",
            "result": "success" if is_success else "failure",
        }
        return {**fields, "sign": _signature(fields)}

    def read(self, fields: Mapping[str, str]) -> Notification:
        """Return the notification.

        Raises:
            PaymentRefused: the signature is wrong, or the amount is not a number.
        """
        if not constant_time_compare(fields.get("sign", ""), _signature(fields)):
            raise PaymentRefused
        try:
            amount = Decimal(fields["amount"])
        except InvalidOperation as error:
            raise PaymentRefused from error
        return Notification(
            fields["payment_no"], amount, fields["reference"], fields["result"] == "success"
        )

    def refund(self, *, payment_no: str, reference: str, amount: Decimal) -> None:
        """Only write a log entry, because the demo has taken no money."""
        log.info("demo_refund", payment_no=payment_no, reference=reference, amount=str(amount))


def _signature(fields: Mapping[str, str]) -> str:
    text = "&".join(f"{name}={fields.get(name, '')}" for name in SIGNED)
    return salted_hmac("apps.orders.gateways.demo", text, algorithm="sha256").hexdigest()
