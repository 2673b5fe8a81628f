"""Errors of returns and cancellations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apps.common.errors import (
    DomainError,
    FieldRefused,
    Forbidden,
    NotFound,
    QuantityExceeded,
    Stale,
    ValidationFailed,
    WrongState,
)


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


class CancelPending(WrongState):
    """Another cancellation of the order, `cancel_no`, is not decided yet."""

    def __init__(self, cancel_no: str) -> None:
        super().__init__(f"该订单已有待处理的取消申请 {cancel_no}，请等待客服处理，或先撤销该申请")


class CancelReasonMissing(FieldRefused):
    field = "Reason"
    message = "请填写取消原因"


class CancelRefusalReasonMissing(FieldRefused):
    field = "reason"
    message = "请填写拒绝原因，客户会看到"


class EditReasonMissing(FieldRefused):
    field = "reason"
    message = "请填写修改原因，客户会看到"


class NothingEdited(FieldRefused):
    field = "reason"
    message = "数量和收货地址都没有变化"


class EverythingRemoved(FieldRefused):
    field = "reason"
    message = "至少保留一种商品；如全部不需要，请用“取消订单”"


class EditedQuantityTooHigh(FieldRefused):
    """Staff may only lower the quantity of a line, at most to `quantity`."""

    field = "reason"

    def __init__(self, name: str, quantity: int, unit: str) -> None:
        super().__init__(f"“{name}”只能减少或移除，不能多于 {quantity} {unit}")


class EditAddressRefused(FieldRefused):
    field = "address"
    message = "下单人不能使用该收货地址，请刷新后重新选择"


class EditAddressNeedsApproval(FieldRefused):
    """`rules` are the names of the customer's approval rules that the new address matches."""

    field = "address"

    def __init__(self, rules: Sequence[str]) -> None:
        names = "、".join(f"“{name}”" for name in rules)
        super().__init__(
            f"按客户的审批规则{names}，订单送往该地址需要审批，修改地址不会重新审批；"
            "请客户取消订单后按新地址重新提交"
        )


class OrderEditStale(Stale):
    message = "您打开此页后该订单已有变化，请刷新页面核对后再修改"


class CancelRequestOpen(WrongState):
    message = "客户对该订单的取消申请正等待处理，请到“取消订单”中同意或拒绝后再修改"


class QualityReasonRequired(FieldRefused):
    """`kind` (换货, 维修) is only possible for the reason 质量问题."""

    field = "Reason"

    def __init__(self, kind: str) -> None:
        super().__init__(f"{kind}请选择“质量问题”")


class MissingPiecesNotSent(FieldRefused):
    """The customer cannot send pieces that did not arrive."""

    field = "Way"
    message = "少件无需寄回，请选择“无需寄回”"


class ReturnWayRequired(FieldRefused):
    field = "Way"
    message = "请选择上门取件或客户寄回"


class ReturnLinesInvalid(FieldRefused):
    field = "Lines"
    message = "所选商品不在该订单中或重复，请刷新后重新选择"


class ReturnPicturesFull(FieldRefused):
    """A return can have at most `limit` pictures."""

    field = "FileIds"

    def __init__(self, limit: int) -> None:
        super().__init__(f"一张售后单最多 {limit} 张图片")


class ReturnRejectionReasonMissing(FieldRefused):
    field = "reason"
    message = "请填写驳回原因"


class ReturnAddressMissing(FieldRefused):
    field = "send_to"
    message = "请填写客户寄回的收件地址"


class ParcelPickedUp(WrongState):
    message = "该售后单由我们上门取件，无需填写运单"


class NothingToSend(WrongState):
    message = "没有通过检测的商品，请登记退还给客户的包裹"


class NothingToSendBack(WrongState):
    message = "商品全部通过检测，没有需要退还的"


class ParcelIncomplete(ValidationFailed):
    """`fields` are the wire keys of the empty fields: Carrier, TrackingNo."""

    def __init__(self, fields: Iterable[str]) -> None:
        super().__init__({field: ["请填写承运商和运单号"] for field in fields})


class ParcelRecordedAlready(FieldRefused):
    field = "TrackingNo"
    message = "该包裹已登记，请刷新后查看"


class ReturnQuantityExceeded(QuantityExceeded):
    """At most `pieces` of the product can still be returned."""

    def __init__(self, name: str, pieces: int, unit: str) -> None:
        super().__init__(f"“{name}”最多还可申请 {pieces} {unit}，请修改数量后重试")


class NothingToRefund(WrongState):
    message = "没有通过检测的商品，不能退款，请登记退还给客户的包裹"


class RefundWaitsForRed(WrongState):
    message = "该售后单正在等待红冲，红冲完成后自动退款"


class InspectionMissing(FieldRefused):
    field = "lines"

    def __init__(self, name: str) -> None:
        super().__init__(f"请填写“{name}”的检测结果")


class AcceptedQuantityExceeded(QuantityExceeded):
    """More pieces were accepted than the `quantity` that the customer returns."""

    def __init__(self, name: str, quantity: int) -> None:
        super().__init__(f"“{name}”申请了 {quantity} 件，通过数量不能超过它")


class InspectionNoteMissing(FieldRefused):
    """Not all pieces were accepted, so the customer must see why."""

    field = "lines"

    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}”未全部通过，请说明原因，客户会看到")


class LineNotReturnable(ReturnRefused):
    """`kind` is the label of the kind of return."""

    def __init__(self, *, name: str, kind: str, reason: str) -> None:
        super().__init__(f"“{name}”不能申请{kind}：{reason}")
