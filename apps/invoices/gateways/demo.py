"""The demo gateway. It signs like a real gateway and answers late, twice and out of order. It
refuses invoices on demand, and its invoices are samples.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal, InvalidOperation

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.dateparse import parse_datetime

from apps.common.background.outbox import outbox_publish
from apps.invoices.enums import E_KINDS
from apps.invoices.errors import CallbackRefused
from apps.invoices.gateways.base import Callback, Outcome
from apps.invoices.models import Invoice

SIGNED = ("request_no", "outcome", "amount", "number", "code", "issued_at", "reason")
# Region code of Shanghai, and the channel (fifth digit of the number).
REGION, CHANNEL = "31", "2"
# An invoice with this remark is refused, so that the demo can show a refusal.
REFUSE_WORD = "演示拒开"
TOPIC = "invoice.demo_gateway"


class DemoInvoiceGateway:
    """Stores nothing. The invoice number is derived from the request number, so a repeated
    request cannot issue twice.
    """

    name = "demo"
    kinds: frozenset[str] = E_KINDS

    def request(self, invoice: Invoice) -> None:
        """Publish delayed callbacks through the outbox: the result twice, then the outdated
        message that the request was accepted.
        """
        words = [
            self._decided(invoice),
            self._decided(invoice),
            self.callback(invoice, Outcome.ACCEPTED),
        ]
        for nth, fields in enumerate(words, start=1):
            delay = timedelta(seconds=settings.INVOICE_DEMO_DELAY_SECONDS * nth)
            outbox_publish(topic=TOPIC, key=invoice.request_no, payload=fields, rest=delay)

    def find(self, invoice: Invoice) -> Callback | None:
        """Return the same result as the callback, None if the invoice was never requested."""
        return self.read(self._decided(invoice)) if invoice.attempts else None

    def read(self, fields: Mapping[str, str]) -> Callback:
        """Parse the fields of a callback.

        Raises:
            CallbackRefused: the signature is wrong, or a value cannot be parsed.
        """
        if not constant_time_compare(str(fields.get("sign", "")), _signature(fields)):
            raise CallbackRefused
        try:
            outcome, amount = Outcome(fields["outcome"]), Decimal(fields["amount"])
        except (InvalidOperation, ValueError) as error:
            raise CallbackRefused from error
        at = parse_datetime(fields["issued_at"]) if fields["issued_at"] else None
        return Callback(
            fields["request_no"],
            outcome,
            amount,
            fields["number"],
            fields["code"],
            at,
            fields["reason"],
        )

    def callback(
        self, invoice: Invoice, outcome: Outcome, *, number: str = "", reason: str = ""
    ) -> dict[str, str]:
        """Return the signed fields of a callback for the invoice."""
        at = invoice.requested_at or timezone.now()
        fields = {
            "request_no": invoice.request_no,
            "outcome": str(outcome),
            "amount": str(invoice.amount_incl_tax),
            "number": number,
            "code": "",
            "issued_at": at.isoformat() if outcome == Outcome.ISSUED else "",
            "reason": reason,
        }
        return {**fields, "sign": _signature(fields)}

    def _decided(self, invoice: Invoice) -> dict[str, str]:
        if REFUSE_WORD in invoice.remark:
            return self.callback(
                invoice,
                Outcome.REFUSED,
                reason="税局返回：购买方信息与登记不一致，请核对抬头后重新申请",
            )
        return self.callback(invoice, Outcome.ISSUED, number=demo_number(invoice.request_no))


def demo_number(request_no: str) -> str:
    """Return the 20-digit invoice number of a request: year, region, channel and the digits of
    the request number.
    """
    digits = request_no[2:]
    return f"{digits[:2]}{REGION}{CHANNEL}{digits:0>15}"


def _signature(fields: Mapping[str, str]) -> str:
    text = "&".join(f"{name}={fields.get(name, '')}" for name in SIGNED)
    return salted_hmac("apps.invoices.gateways.demo", text, algorithm="sha256").hexdigest()
