"""The interface of an e-invoice gateway."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from apps.invoices.models import Invoice


class Outcome(StrEnum):
    """Result of a request at the gateway."""

    ACCEPTED = "accepted"
    ISSUED = "issued"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Callback:
    """A gateway's message about one request. `number`, `code` and `issued_at` are set if it was
    issued, `reason` if it was refused.
    """

    request_no: str
    outcome: Outcome
    amount: Decimal
    number: str = ""
    code: str = ""
    issued_at: datetime | None = None
    reason: str = ""


class GatewayAway(Exception):
    """The gateway is unavailable. The request is repeated later under the same number."""


class InvoiceGateway(Protocol):
    """Issues blue and red invoices. Its callback comes later, possibly twice, out of order or
    never.

    The request number is an idempotency key: a repeated request issues no second invoice.
    """

    name: str
    kinds: frozenset[str]

    def request(self, invoice: Invoice) -> None:
        """Request the invoice. Raises GatewayAway if the gateway is unavailable."""

    def find(self, invoice: Invoice) -> Callback | None:
        """Return the result of the request, None if the gateway does not know it. Raises
        GatewayAway if the gateway is unavailable.
        """

    def read(self, fields: Mapping[str, str]) -> Callback:
        """Parse the fields of a callback. Raises CallbackRefused if the signature is wrong."""
