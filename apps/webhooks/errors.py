"""Refusals of webhooks."""

from apps.common.errors import NotFound


class WebhookNotFound(NotFound):
    message = "推送地址不存在或已删除"


class DeliveryNotFound(NotFound):
    message = "推送记录不存在或已超过保存期限"


class AddressRefused(ValueError):
    """The mall sends nothing there: not https, no name of the public net, or a private address behind it; never on the wire by itself."""
