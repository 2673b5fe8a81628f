"""The refusals of webhooks."""

from apps.common.errors import NotFound


class WebhookNotFound(NotFound):
    message = "推送地址不存在或已删除"


class DeliveryNotFound(NotFound):
    message = "推送记录不存在或已超过保存期限"


class AddressRefused(ValueError):
    """The mall does not send to this address: it is not https, not a public host name, or it
    resolves to a private IP address. The services turn it into a response.
    """
