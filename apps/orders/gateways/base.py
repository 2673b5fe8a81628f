"""The protocol of a payment gateway."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol


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
