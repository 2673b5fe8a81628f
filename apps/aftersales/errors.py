"""Errors of returns and cancellations."""

from apps.common.errors import DomainError, Forbidden, NotFound


class ReturnNotFound(NotFound):
    message = "售后单不存在，或您无权查看"


class NotYourReturn(Forbidden):
    message = "只有下单人或集团管理员可以操作该售后单"


class ReturnRefused(DomainError):
    """The policy does not allow the request. The message has the reason and an alternative."""

    code = "validation"
    message = "该商品不符合退换条件，请查看售后政策"


class TalkFull(DomainError):
    code = "quantity_exceeded"
    message = "留言已达 200 条，请致电客服继续沟通"


class CancelOrderNotFound(NotFound):
    message = "取消申请不存在，或您无权查看"
