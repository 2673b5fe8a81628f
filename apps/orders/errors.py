"""Errors of orders."""

from apps.common.errors import DomainError, Forbidden, NotFound


class OrderNotFound(NotFound):
    message = "订单不存在，或您无权查看"


class PriceMoved(DomainError):
    """The body lists the price seen by the buyer and the current price of each line."""

    code = "price_moved"
    message = "部分商品价格已变动，请核对新价格后重新提交"


class CreditExceeded(DomainError):
    code = "credit_exceeded"
    message = "月结额度不足，请更换付款方式或联系客户经理"


class PurchaseLimitExceeded(DomainError):
    code = "purchase_limit_exceeded"
    message = "超出您的采购限额，请减少采购金额，或联系集团管理员调整限额"


class NotYourOrder(Forbidden):
    message = "只有下单人或集团管理员可以操作该订单"


class PaymentNotFound(NotFound):
    message = "支付单不存在或已失效，请回到订单重新发起支付"


class PaymentRefused(DomainError):
    """A payment notification with a wrong signature or a wrong amount."""

    code = "bad_request"
    message = "支付通知校验未通过"
