"""Gateways that issue electronic invoices. The demo gateway is the only one so far.
`gateway_named` has to return a new one.
"""

from __future__ import annotations

from django.conf import settings

from apps.invoices.errors import CallbackRefused
from apps.invoices.gateways.base import Callback, GatewayAway, InvoiceGateway, Outcome
from apps.invoices.gateways.demo import DemoInvoiceGateway

__all__ = ["Callback", "GatewayAway", "InvoiceGateway", "Outcome", "gateway_for", "gateway_named"]


def gateway_named(name: str) -> InvoiceGateway:
    """Return the gateway. The demo gateway is available only if the mall runs as a demo.

    Raises:
        CallbackRefused: no gateway has this name.
    """
    if name == DemoInvoiceGateway.name and settings.DEMO_MODE:
        return DemoInvoiceGateway()
    raise CallbackRefused("开票渠道不存在或未开通")


def gateway_for(kind: str) -> InvoiceGateway | None:
    """Return the gateway that issues this kind, None if staff issue it by hand or no gateway is
    configured.
    """
    if not settings.INVOICE_GATEWAY or not settings.DEMO_MODE:
        return None
    gateway = gateway_named(settings.INVOICE_GATEWAY)
    return gateway if kind in gateway.kinds else None
