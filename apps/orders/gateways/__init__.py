"""Online payment gateways: one protocol with a demo implementation. Add a real gateway to the
table below.
"""

from __future__ import annotations

from django.conf import settings

from apps.orders.errors import PaymentNotFound
from apps.orders.gateways.base import Notification, PaymentGateway
from apps.orders.gateways.demo import DemoGateway

__all__ = ["DEFAULT_GATEWAY", "Notification", "PaymentGateway", "gateway_named"]

DEFAULT_GATEWAY = DemoGateway.name


def gateway_named(name: str) -> PaymentGateway:
    """Return the gateway. The demo gateway takes no real money and works only in demo mode.

    Raises:
        PaymentNotFound: there is no such gateway here.
    """
    if name == DemoGateway.name and settings.DEMO_MODE:
        return DemoGateway()
    raise PaymentNotFound("在线支付暂未开通，请选择其他付款方式或联系客服")
