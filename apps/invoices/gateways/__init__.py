"""Who issues electronic invoices: one protocol, the demo's gateway for now; a real one is added to the table below."""

from __future__ import annotations

from django.conf import settings

from apps.invoices.errors import CallbackRefused
from apps.invoices.gateways.base import Callback, GatewayAway, InvoiceGateway, Outcome
from apps.invoices.gateways.demo import DemoInvoiceGateway

__all__ = ["Callback", "GatewayAway", "InvoiceGateway", "Outcome", "gateway_for", "gateway_named"]


def gateway_named(name: str) -> InvoiceGateway:
    """Return the gateway; the demo's issues samples and answers only where the mall runs as a demo.

    Raises:
        CallbackRefused: there is no such gateway here.
    """
    if name == DemoInvoiceGateway.name and settings.DEMO_MODE:
        return DemoInvoiceGateway()
    raise CallbackRefused("开票渠道不存在或未开通")


def gateway_for(kind: str) -> InvoiceGateway | None:
    """Return the gateway that issues this kind, None where staff issue it by hand."""
    if not settings.INVOICE_GATEWAY or not settings.DEMO_MODE:
        return None
    gateway = gateway_named(settings.INVOICE_GATEWAY)
    return gateway if kind in gateway.kinds else None
