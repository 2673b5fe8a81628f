"""What the mall needs of an e-invoice gateway."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Protocol

from apps.invoices.models import Invoice


class Outcome(StrEnum):
    """What a gateway says of a request."""

    ACCEPTED = "accepted"
    ISSUED = "issued"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Callback:
    """A gateway's word on one request; `number`, `code` and `issued_at` where it was issued, `reason` where it was refused."""

    request_no: str
    outcome: Outcome
    amount: Decimal
    number: str = ""
    code: str = ""
    issued_at: datetime | None = None
    reason: str = ""


class GatewayAway(Exception):
    """The gateway cannot be reached now; the request is made again later under the same number."""


class InvoiceGateway(Protocol):
    """Issues invoices, blue and red; its word comes later, perhaps twice, in any order, or never.

    A request number stands for one invoice: asked again under it, the gateway issues nothing more.
    """

    name: str
    kinds: frozenset[str]

    def request(self, invoice: Invoice) -> None:
        """Ask for the invoice; GatewayAway where it cannot be asked now."""

    def find(self, invoice: Invoice) -> Callback | None:
        """Return what has become of the request, None where the gateway knows nothing of it; GatewayAway as above."""

    def read(self, fields: Mapping[str, str]) -> Callback:
        """Return the word in the fields; CallbackRefused where its signature does not fit."""
