"""Errors of inquiries."""

from apps.common.errors import DomainError, FieldRefused, Forbidden, NotFound, WrongState


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


class NeedByPast(FieldRefused):
    field = "NeedBy"
    message = "期望到货日不能早于今天"


class CategoryUnknown(FieldRefused):
    field = "CategoryId"
    message = "所选分类不存在，请重新选择"
