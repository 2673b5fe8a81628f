"""What orders refuse."""

from apps.common.errors import DomainError, Forbidden, NotFound


class OrderNotFound(NotFound):
    message = "订单不存在，或您无权查看"


class PriceMoved(DomainError):
    """The body lists each line's seen and present price."""

    code = "price_moved"
    message = "部分商品价格已变动，请核对新价格后重新提交"


class CreditExceeded(DomainError):
    code = "credit_exceeded"
    message = "月结额度不足，请更换付款方式或联系客户经理"


class NotYourOrder(Forbidden):
    message = "只有下单人或集团管理员可以操作该订单"


class PaymentNotFound(NotFound):
    message = "支付单不存在或已失效，请回到订单重新发起支付"


class PaymentRefused(DomainError):
    """A notification whose signature or amount is not what we asked for."""

    code = "bad_request"
    message = "支付通知校验未通过"


class ReviewNotFound(NotFound):
    message = "评价不存在或已不再展示"


class ReviewRefused(DomainError):
    """A line that is not received, is reviewed already, or whose time is over; the message names it and says what can be done."""

    code = "wrong_state"
    message = "该商品现在不能评价，请刷新后重试"
