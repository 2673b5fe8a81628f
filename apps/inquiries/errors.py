"""Errors of inquiries."""

from apps.common.errors import DomainError, Forbidden, NotFound, WrongState


class InquiryNotFound(NotFound):
    message = "询价单不存在，或您无权查看"


class NotYourInquiry(Forbidden):
    message = "只有询价人或集团管理员可以操作该询价单"


class QuoteRefused(DomainError):
    """The quote is invalid. The message names the line and the reason."""

    code = "validation"
    message = "报价有误，请检查后重新提交"


class QuoteExpired(WrongState):
    message = "报价已过有效期，请重新询价"


class InquiryFull(WrongState):
    message = "该询价单的留言已达上限，请致电客服或发起新的询价"
