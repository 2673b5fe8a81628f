"""The refusals of webhooks."""

from apps.common.errors import FieldRefused, Forbidden, NotFound, WrongState


class WebhookNotFound(NotFound):
    message = "推送地址不存在或已删除"


class DeliveryNotFound(NotFound):
    message = "推送记录不存在或已超过保存期限"


class AddressRefused(ValueError):
    """The mall does not send to this address: it is not https, not a public host name, or it
    resolves to a private IP address. The services turn it into a response.
    """


class WebhooksOutOfScope(Forbidden):
    message = "您的数据范围不是全集团，不能查看事件推送，请联系集团管理员"


class WebhooksFull(WrongState):
    """A group can have at most `limit` webhooks."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"每个集团最多设置 {limit} 个推送地址，请先删除不再使用的")


class UrlRefused(FieldRefused):
    field = "Url"


class OtherTestUnderWay(WrongState):
    message = "正在进行另一次测试推送，请等待对方应答后再试"


class GroupDisabled(WrongState):
    """The group is disabled. Its deliveries continue by themselves when it is enabled again."""

    message = "该集团已停用，推送已暂停；启用集团后未送达的推送会自动继续，再重放其他推送"


class WebhookDisabled(WrongState):
    message = "该推送地址已停用，请先启用再重放"


class DeliveryNotEnded(WrongState):
    message = "该推送尚未结束，无需重放"
