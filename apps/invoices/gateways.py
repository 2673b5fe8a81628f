"""Gateways that issue electronic invoices: their interface, the demo gateway, and the lookup by
name or invoice kind. A new gateway implements `InvoiceGateway`; `get_gateway` has to return
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Protocol

from django.conf import settings
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.dateparse import parse_datetime

from apps.common.background.outbox import outbox_publish
from apps.documents.ofd import draw_ofd_paper
from apps.invoices.enums import E_KINDS
from apps.invoices.errors import CallbackRefused
from apps.invoices.models import Invoice

SIGNED_FIELDS = ("request_no", "outcome", "amount", "number", "code", "issued_at", "reason")
# Region code of Shanghai, and the channel (fifth digit of the number).
REGION, CHANNEL = "31", "2"
# An invoice with this remark is refused, so that the demo can show a refusal.
REFUSE_WORD = "演示拒开"
TOPIC = "invoice.demo_gateway"


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
    # Formats of its files, in addition to the PDF and the XML of the mall.
    formats: tuple[str, ...]

    def request(self, invoice: Invoice) -> None:
        """Request the invoice. Raises GatewayAway if the gateway is unavailable."""

    def find(self, invoice: Invoice) -> Callback | None:
        """Return the result of the request, None if the gateway does not know it. Raises
        GatewayAway if the gateway is unavailable.
        """

    def read(self, fields: Mapping[str, str]) -> Callback:
        """Parse the fields of a callback. Raises CallbackRefused if the signature is wrong."""

    def fetch_file(self, invoice: Invoice, file_format: str) -> bytes:
        """Return the file of an issued invoice in one of `formats`. Raises GatewayAway if the
        gateway is unavailable.
        """


def get_gateway(name: str) -> InvoiceGateway:
    """Return the gateway. The demo gateway is available only if the mall runs as a demo.

    Raises:
        CallbackRefused: no gateway has this name.
    """
    if name == DemoInvoiceGateway.name and settings.DEMO_MODE:
        return DemoInvoiceGateway()
    raise CallbackRefused("开票渠道不存在或未开通")


def find_gateway(kind: str) -> InvoiceGateway | None:
    """Return the gateway that issues this kind, None if staff issue it by hand or no gateway is
    configured.
    """
    if not settings.INVOICE_GATEWAY or not settings.DEMO_MODE:
        return None
    gateway = get_gateway(settings.INVOICE_GATEWAY)
    return gateway if kind in gateway.kinds else None


def list_gateway_formats(invoice: Invoice) -> tuple[str, ...]:
    """Return the formats that the gateway of an issued invoice has. An invoice issued by hand has
    none.
    """
    if not invoice.gateway or (
        invoice.gateway == DemoInvoiceGateway.name and not settings.DEMO_MODE
    ):
        return ()
    return get_gateway(invoice.gateway).formats


class DemoInvoiceGateway:
    """Stores nothing. The invoice number is derived from the request number, so a repeated
    request cannot issue twice.
    """

    name = "demo"
    kinds: frozenset[str] = E_KINDS
    formats: tuple[str, ...] = ("ofd",)

    def request(self, invoice: Invoice) -> None:
        """Publish delayed callbacks through the outbox: the result twice, then the outdated
        message that the request was accepted.
        """
        callbacks = [
            self._build_callback(invoice),
            self._build_callback(invoice),
            self.build_callback(invoice, Outcome.ACCEPTED),
        ]
        for nth, fields in enumerate(callbacks, start=1):
            delay = timedelta(seconds=settings.INVOICE_DEMO_DELAY_SECONDS * nth)
            outbox_publish(topic=TOPIC, key=invoice.request_no, payload=fields, rest=delay)

    def find(self, invoice: Invoice) -> Callback | None:
        """Return the same result as the callback, None if the invoice was never requested."""
        return self.read(self._build_callback(invoice)) if invoice.attempts else None

    def read(self, fields: Mapping[str, str]) -> Callback:
        """Parse the fields of a callback.

        Raises:
            CallbackRefused: the signature is wrong, or a value cannot be parsed.
        """
        if not constant_time_compare(str(fields.get("sign", "")), _compute_signature(fields)):
            raise CallbackRefused
        try:
            outcome, amount = Outcome(fields["outcome"]), Decimal(fields["amount"])
        except (InvalidOperation, ValueError) as error:
            raise CallbackRefused from error
        at = parse_datetime(fields["issued_at"]) if fields["issued_at"] else None
        return Callback(
            request_no=fields["request_no"],
            outcome=outcome,
            amount=amount,
            number=fields["number"],
            code=fields["code"],
            issued_at=at,
            reason=fields["reason"],
        )

    def fetch_file(self, invoice: Invoice, file_format: str) -> bytes:
        """Return a sample of the OFD with the main facts of the invoice."""
        at = timezone.localtime(invoice.issued_at) if invoice.issued_at else None
        return draw_ofd_paper(
            title=f"{invoice.get_kind_display()} {invoice.invoice_no}（样票）",
            lines=[
                f"发票号码：{invoice.invoice_no}",
                f"开票日期：{at:%Y年%m月%d日}" if at else "",
                f"购买方：{invoice.title_snapshot.get('Title', '')}",
                f"销售方：{invoice.seller_snapshot.get('Name', '')}",
                f"不含税金额：{invoice.net_amount:,.2f}",
                f"税额：{invoice.tax_amount:,.2f}",
                f"价税合计：{invoice.amount_incl_tax:,.2f}",
                "样票，仅供演示，不作报销凭证",
            ],
        )

    def build_callback(
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
        return {**fields, "sign": _compute_signature(fields)}

    def _build_callback(self, invoice: Invoice) -> dict[str, str]:
        """Return the body of the callback: the invoice is issued, or refused if its remark
        contains REFUSE_WORD.
        """
        if REFUSE_WORD in invoice.remark:
            return self.build_callback(
                invoice,
                Outcome.REFUSED,
                reason="税局返回：购买方信息与登记不一致，请核对抬头后重新申请",
            )
        return self.build_callback(
            invoice, Outcome.ISSUED, number=build_demo_number(invoice.request_no)
        )


def build_demo_number(request_no: str) -> str:
    """Return the 20-digit invoice number of a request: year, region, channel and the digits of
    the request number.
    """
    digits = request_no[2:]
    return f"{digits[:2]}{REGION}{CHANNEL}{digits:0>15}"


def _compute_signature(fields: Mapping[str, str]) -> str:
    text = "&".join(f"{name}={fields.get(name, '')}" for name in SIGNED_FIELDS)
    return salted_hmac("apps.invoices.gateways", text, algorithm="sha256").hexdigest()
