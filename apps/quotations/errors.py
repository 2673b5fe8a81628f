"""Errors of quotations from the cart."""

from collections.abc import Sequence
from datetime import date

from apps.common.errors import DomainError, FieldRefused, Forbidden, NotFound


class QuotationNotFound(NotFound):
    message = "报价单不存在，或您无权查看"


class NothingToQuote(FieldRefused):
    field = "Items"
    message = "请先在购物车勾选可购买的商品，再生成报价单"


class QuotesForColleagues(FieldRefused):
    """The pieces of a requisition are ordered from the cart. A quotation would order them again."""

    field = "Items"

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"“{'”、“'.join(names)}”来自同事的采购申请，请直接下单，或取消勾选后再生成报价单"
        )


class QuotationTooLarge(FieldRefused):
    field = "Items"
    message = "报价单金额超出单笔上限，请减少数量或分批生成"


class NoEnterpriseToQuote(DomainError):
    code = "wrong_state"
    message = "您的账号未归属企业，不能生成报价单，请联系管理员"


class QuotationsFull(DomainError):
    code = "too_large"

    def __init__(self, limit: int) -> None:
        super().__init__(f"有效的报价单最多 {limit} 张，请先作废不再需要的")


class QuotationsDisabled(DomainError):
    code = "wrong_state"
    message = "商城暂未开放自助报价单，请改用意向商品询价"


class QuotationRefused(DomainError):
    """The state of the quotation does not allow the act."""

    code = "wrong_state"
    message = "报价单的状态已变化，请刷新后重试"


class QuotationOrdered(QuotationRefused):
    def __init__(self, order_no: str) -> None:
        super().__init__(f"该报价单已下单（订单 {order_no}），如需再次采购请重新生成")


class QuotationVoided(QuotationRefused):
    message = "该报价单已作废，请重新生成"


class QuotationExpired(QuotationRefused):
    def __init__(self, valid_to: date) -> None:
        super().__init__(f"该报价单已于 {valid_to:%Y-%m-%d} 到期，请按现价重新生成")


class NotYourQuotation(Forbidden):
    message = "只有生成人或集团管理员可以作废报价单"
