"""Errors of orders."""

from collections.abc import Sequence
from decimal import Decimal

from apps.catalog.errors import QuantityIllegal
from apps.common.errors import (
    DomainError,
    FieldRefused,
    Forbidden,
    NotFound,
    QuantityExceeded,
    Stale,
    WrongState,
)


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


# The name of a line that is not of the order.
UNKNOWN_GOODS = "该商品"


class PaymentAmountWrong(PaymentRefused):
    """The payment channel reports another amount than the payment has."""

    message = "支付金额与订单金额不一致，请联系客服核对"


class NothingSent(WrongState):
    """Orders without a shipment have no delivery note. The body has their OrderNos."""

    def __init__(self, order_nos: list[str]) -> None:
        super().__init__(
            f"订单 {'、'.join(order_nos)} 尚未发货，没有送货单可打印，请取消勾选后重试",
            body={"OrderNos": order_nos},
        )


class CancellationWaits(WrongState):
    """The customer's cancellation request is not decided yet."""

    message = "客户对该订单的取消申请正等待处理，请到“取消订单”中同意或拒绝"


class OnlinePaymentMissing(WrongState):
    message = "订单待确认但尚未完成在线支付，不能确认，请等待客户支付"


class CreditLimitNegative(FieldRefused):
    field = "limit"
    message = "信用额度不能小于 0；留空为不可月结"


class CreditTermsUnchanged(FieldRefused):
    field = "limit"
    message = "额度、超出处理和账期都没有变化"


class NoteLengthInvalid(FieldRefused):
    """The note is empty or longer than `limit` characters."""

    field = "text"

    def __init__(self, limit: int) -> None:
        super().__init__(f"请填写备注，最多 {limit} 字")


class NotPaidOnline(WrongState):
    """`payment_kind` is the label of the order's payment kind."""

    def __init__(self, payment_kind: str) -> None:
        super().__init__(f"订单付款方式为{payment_kind}，无需在线支付")


class OrderPaidAlready(WrongState):
    message = "订单已支付，请勿重复支付"


class OnlinePaymentNotRecorded(WrongState):
    """Only the payment channel records payments of an order that is paid online."""

    message = "在线支付的订单由支付渠道通知到账，不能手工登记"


class LeftToPayMoved(Stale):
    """The amount left to pay, in 元, was `seen` when the form was opened and is now `left`."""

    def __init__(self, *, seen: Decimal, left: Decimal) -> None:
        super().__init__(
            f"未结金额已由 ¥{seen:,.2f} 变为 ¥{left:,.2f}，可能已有人登记，请刷新页面核对后再登记"
        )


class PaymentAmountInvalid(FieldRefused):
    """`left` is the amount left to pay, in 元."""

    field = "amount"

    def __init__(self, left: Decimal) -> None:
        super().__init__(f"金额须大于 0 且不超过未结金额 ¥{left:,.2f}")


class PaymentRefundedAlready(WrongState):
    """`refunded` is the amount paid back, in 元."""

    def __init__(self, refunded: Decimal) -> None:
        super().__init__(f"该笔收款已退款 ¥{refunded:,.2f}，不能撤销匹配")


class ClaimsNotTaken(FieldRefused):
    """No app is installed that opens returns for missing and damaged pieces."""

    field = "Claims"
    message = "暂不能在收货时登记少件和破损，请联系客服"


class NothingToReceive(FieldRefused):
    field = "ShipmentNo"
    message = "没有待收货的商品，请刷新后重试"


class ReceiptEmpty(FieldRefused):
    field = "Lines"
    message = "请至少填写一行收货数量"


class ClaimedQuantityExceeded(QuantityExceeded):
    """More pieces are claimed as missing or damaged than were received. `name`: None if the line
    is not of this order.
    """

    def __init__(self, *, name: str | None, received: int) -> None:
        super().__init__(
            f"“{name or UNKNOWN_GOODS}”本次签收 {received}，少件和破损合计不能多于它，请修改后重试"
        )


class ReceivedQuantityExceeded(QuantityExceeded):
    """More pieces are received than the `shipped` pieces on their way. `name`: None if the line
    is not of this order.
    """

    def __init__(self, *, name: str | None, shipped: int) -> None:
        super().__init__(f"“{name or UNKNOWN_GOODS}”收货数量超出在途数量 {shipped}，请修改后重试")


class ParcelNumberMissing(FieldRefused):
    field = "tracking_no"
    message = "请填写承运商和运单号"


class ShippedMeanwhile(Stale):
    """`pieces` were shipped after the form was opened."""

    def __init__(self, pieces: int) -> None:
        super().__init__(f"您打开此页后该订单又发了 {pieces} 件，请刷新页面核对未发数量后再发货")


class ShipmentEmpty(FieldRefused):
    field = "quantities"
    message = "请至少填写一行发货数量"


class NothingToShip(WrongState):
    """Every unshipped piece is part of an open cancellation request."""

    message = "未发货的商品都在申请取消，请先处理取消申请"


class ShippedQuantityExceeded(QuantityExceeded):
    """At most `left` pieces of the product can be shipped; `held` other pieces are in an open
    cancellation request. `name`: None if the line is not of this order.
    """

    def __init__(self, *, name: str | None, left: int, held: int) -> None:
        held_note = f"（另有 {held} 件客户申请取消，待处理）" if held else ""
        super().__init__(f"“{name or UNKNOWN_GOODS}”最多还可发 {left}{held_note}，请修改发货数量")


class NothingSelected(FieldRefused):
    field = "Lines"
    message = "请先在购物车中选择要购买的商品"


class AddressUnavailable(FieldRefused):
    field = "AddressId"
    message = "收货地址不存在或已停用，请重新选择"


class InvoiceTitleUnavailable(FieldRefused):
    field = "InvoiceTitleId"
    message = "开票抬头不存在或已停用，请重新选择"


class DepartmentUnavailable(FieldRefused):
    field = "Deliveries"
    message = "部门不存在、已停用或不在您的采购范围内，请重新选择"


class ReductionCostsMore(FieldRefused):
    """Without the removed goods, the order pays freight and becomes more expensive."""

    field = "Lines"

    def __init__(self, freight: Decimal) -> None:
        super().__init__(
            f"调整后需付运费 ¥{freight:,.2f}，总额反而高于调整前，请再减少一些或保持原数量"
        )


class ReductionLosesTier(FieldRefused):
    """The lower quantity misses a tier, so its unit price would rise."""

    field = "Lines"

    def __init__(self, *, names: Sequence[str]) -> None:
        super().__init__(
            f"调整后“{'”、“'.join(names)}”的数量不足阶梯价，单价会上涨，"
            "请保持达到阶梯的数量，或驳回后由申请人重新下单"
        )


class LinesLeftOrder(FieldRefused):
    field = "Lines"
    message = "部分商品已不在订单中，请刷新后重试"


class QuantitiesUnchanged(FieldRefused):
    field = "Lines"
    message = "数量没有变化，请先减少数量或移除商品"


class ReductionOfEverything(FieldRefused):
    field = "Lines"
    message = "至少保留一种商品；如全部不需要，请驳回"


class NothingToCancel(FieldRefused):
    field = "Lines"
    message = "订单中没有可取消的商品：已发货的商品请在收货后申请售后，申请取消中的商品请等待处理"


class CancellationEmpty(FieldRefused):
    field = "Lines"
    message = "请选择要取消的商品和数量"


class CancelledRestIllegal(QuantityIllegal):
    """The `rest` of the line breaks the quantity rule of the product."""

    def __init__(
        self, *, name: str, cancelled: int, unit: str, rest: int, minimum: int, step: int
    ) -> None:
        super().__init__(
            f"“{name}”取消 {cancelled} {unit} 后剩余 {rest}，"
            f"不符合要求（起订量 {minimum}，增量 {step}），请调整数量或全部取消"
        )


class AmendedQuantityIllegal(QuantityIllegal):
    """The new quantity breaks the quantity rule of the product."""

    def __init__(self, *, name: str, quantity: int, minimum: int, step: int) -> None:
        super().__init__(
            f"“{name}”数量 {quantity} 不符合要求（起订量 {minimum}，增量 {step}），"
            "请调整数量或移除该商品"
        )


class AmendedQuantityTooLarge(FieldRefused):
    """Approvers can only lower the ordered `quantity`."""

    field = "Lines"

    def __init__(self, *, name: str, quantity: int, unit: str) -> None:
        super().__init__(f"“{name}”只能减少或移除，不能多于 {quantity} {unit}")


class CancelledQuantityExceeded(QuantityExceeded):
    """At most `left` pieces can be cancelled."""

    def __init__(self, *, name: str, left: int, unit: str) -> None:
        super().__init__(
            f"“{name}”最多可取消 {left} {unit}（已发货或申请取消中的不能再取消），请修改数量后重试"
        )


class PartialCancelDuringApproval(WrongState):
    message = (
        "订单正在审批中，不能只取消部分商品，请整单取消，或撤回后修改数量重新提交，"
        "也可请审批人调低数量"
    )


class ExportTooLong(FieldRefused):
    field = "Keyword"

    def __init__(self, limit: int) -> None:
        super().__init__(f"超过 {limit} 行，请缩小下单日期或其他条件后再导出")
