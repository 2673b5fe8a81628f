"""What the mall needs of a payment gateway."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Notification:
    """What a gateway tells: `amount` in 元, `reference` its own number of the payment."""

    payment_no: str
    amount: Decimal
    reference: str
    is_success: bool


class PaymentGateway(Protocol):
    """Takes money for a payment and notifies of it; the notification may come twice, late, or never."""

    name: str

    def pay_path(self, *, payment_no: str) -> str:
        """Return the address where the buyer pays."""

    def read(self, fields: Mapping[str, str]) -> Notification:
        """Return the notification in the fields; PaymentRefused where its signature does not fit."""

    def refund(self, *, payment_no: str, reference: str, amount: Decimal) -> None:
        """Send the money back the way it came."""
