"""Errors of invoices."""

from apps.common.errors import DomainError, NotFound, ValidationFailed


class TitleNotFound(NotFound):
    message = "开票抬头不存在，或您无权查看"


class ApplicationNotFound(NotFound):
    message = "开票申请不存在，或您无权查看"


class InvoiceNotFound(NotFound):
    message = "发票不存在，或您无权查看"


class RedLetterNotFound(NotFound):
    message = "红冲申请不存在，或您无权查看"


class QualificationNotFound(NotFound):
    message = "专票资质申请不存在"


class StatementNotFound(NotFound):
    message = "对账单不存在，或您无权查看"


class MatchLineNotFound(ValidationFailed):
    """A line of the body is not in the latest match of the statement."""

    def __init__(self) -> None:
        super().__init__({"LineIds": ["核对明细不存在，可能已被新的收货单替换，请刷新后重试"]})


class ReceiptNotFound(NotFound):
    message = "到账记录不存在"


class ReceiptSpent(DomainError):
    """The unmatched amount of the receipt is smaller than the requested match."""

    code = "stale"
    message = "该笔到账的剩余金额已变化，请刷新后重新匹配"


class TotalMoved(DomainError):
    """The available quantities have changed since the preview. The body has the current total."""

    code = "price_moved"
    message = "可开票内容已变化，合计金额与预览不一致，请重新预览后提交"


class CallbackRefused(DomainError):
    """A gateway's callback has a wrong signature or wrong content."""

    code = "bad_request"
    message = "开票通知校验未通过"
