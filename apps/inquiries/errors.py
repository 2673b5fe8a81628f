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


class QuotePeriodInvalid(QuoteRefused):
    message = "报价有效期须从今天起、不超过一年"


class NothingQuoted(QuoteRefused):
    message = "请至少为一行填写报价商品和价格；都无法供应时请用“关闭询价”"


class QuoteLineRefused(QuoteRefused):
    """A line cannot be quoted in this way. `no` and `name` are those of the inquiry's line."""

    def __init__(self, no: int, name: str, reason: str) -> None:
        super().__init__(f"第 {no} 行“{name}”：{reason}")
