"""Errors of invoices."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

from apps.common.errors import (
    DomainError,
    FieldRefused,
    Forbidden,
    NotFound,
    QuantityExceeded,
    Stale,
    ValidationFailed,
    WrongState,
    describe_row_errors,
)

# The most rows of a sheet, or invoices, whose errors an answer lists.
MAX_LISTED = 20


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


class GoodsSheetRefused(ValidationFailed):
    """Rows of a goods-received sheet have errors, by row number. Nothing is compared."""

    def __init__(self, rows: Mapping[int, Sequence[str]]) -> None:
        texts = describe_row_errors(rows)
        super().__init__(
            {"file": texts[:MAX_LISTED]}, f"表格有 {len(texts)} 行需要修改，未核对。{texts[0]}"
        )


class MarkSheetRefused(ValidationFailed):
    """Rows of a sheet of marks have errors, by row number. No invoice is changed."""

    def __init__(self, rows: Mapping[int, Sequence[str]]) -> None:
        super().__init__(
            {"file": describe_row_errors(rows)[:MAX_LISTED]},
            f"有 {len(rows)} 行需要修改，未登记任何发票",
        )


class MarkRefused(ValidationFailed):
    """`mark` (a label) does not fit some invoices. `problems` are pairs of number and text. No
    invoice is changed.
    """

    def __init__(self, *, mark: str, problems: Sequence[tuple[str, str]]) -> None:
        texts = [f"{invoice_no}：{problem}" for invoice_no, problem in problems]
        super().__init__(
            {"InvoiceIds": texts[:MAX_LISTED]},
            f"有 {len(texts)} 张发票不能登记“{mark}”，未登记任何发票。{texts[0]}",
        )


class ClosingMoved(Stale):
    """The closing amount, in 元, is now `closing`, because the statement has new lines."""

    def __init__(self, closing: Decimal) -> None:
        super().__init__(
            f"对账单有新的明细，期末应付已变为 ¥{closing:,.2f}，请核对后再确认",
            body={"Closing": str(closing)},
        )


class DisputeUnanswered(WrongState):
    """Staff have not answered the customer's dispute. The body has the statement's state."""

    message = (
        "对账单有异议尚未答复，请等客服答复后再确认；"
        "如异议不再需要处理，请勾选“放弃未答复的异议”后确认"
    )

    def __init__(self, status: str) -> None:
        super().__init__(body={"Status": status})


class ResultUnsure(WrongState):
    """Staff check with the gateway whether an invoice of the application was issued."""

    def __init__(self, application_no: str) -> None:
        super().__init__(
            f"开票申请 {application_no} 有发票的开票结果正在与税务渠道核实，"
            "暂不能撤回，请联系客服处理"
        )


class RejectionReasonMissing(FieldRefused):
    field = "Reason"
    message = "请填写驳回原因"


class InvoiceEmailMissing(FieldRefused):
    field = "Email"
    message = "请填写接收数电发票的邮箱"


class ApplicationBeingIssued(WrongState):
    def __init__(self, *, application_no: str, verb: str) -> None:
        super().__init__(
            f"开票申请 {application_no} 已有发票开具或正在开具，不能{verb}，如需更正请申请红冲"
        )


class InvoiceAddressMissing(FieldRefused):
    field = "AddressId"
    message = "纸质发票需要邮寄，请选择收票地址"


class MatchEmpty(FieldRefused):
    field = "parts"
    message = "请填写至少一张订单的匹配金额"


class MatchTooLong(FieldRefused):
    field = "parts"

    def __init__(self, limit: int) -> None:
        super().__init__(f"一次最多匹配 {limit} 张订单，请分次匹配")


class ReceiptMatched(WrongState):
    message = "该笔到账已有匹配，请先撤销匹配"


class ReceiptShort(ReceiptSpent):
    """`left` is the unmatched amount of the receipt and `total` the requested one, in 元."""

    def __init__(self, *, left: Decimal, total: Decimal) -> None:
        super().__init__(
            f"该笔到账只剩 ¥{left:,.2f} 可匹配，本次合计 ¥{total:,.2f}，请刷新后重新填写"
        )


class SerialTaken(FieldRefused):
    field = "serial"

    def __init__(self, serial: str) -> None:
        super().__init__(f"流水号 {serial} 已登记过，请勿重复登记")


class MatchUndoneAlready(WrongState):
    message = "该匹配已撤销，请刷新后查看"


class DisputedLinesInvalid(FieldRefused):
    """No line is chosen, or more than `limit` lines are."""

    field = "LineIds"

    def __init__(self, limit: int) -> None:
        super().__init__(f"请选择 1 至 {limit} 条差异")


class LineDisputedAlready(WrongState):
    def __init__(self, *, order_no: str, material_code: str) -> None:
        super().__init__(f"订单 {order_no} 物料 {material_code} 的差异已提出异议，请勿重复提交")


class LineEqual(WrongState):
    """Sheet and statement agree on the line, so there is nothing to dispute."""

    def __init__(self, *, order_no: str, material_code: str) -> None:
        super().__init__(f"订单 {order_no} 物料 {material_code} 两边一致，无需提出异议")


class MatchedLineChanged(Stale):
    def __init__(self, order_no: str) -> None:
        super().__init__(f"对账单中订单 {order_no} 的明细在核对后有变化，请重新上传收货单核对")


class ParcelNumberMissing(FieldRefused):
    field = "TrackingNo"
    message = "请填写承运商和运单号"


class ApplicationNotAccepted(WrongState):
    """`state` is the label of the application's state."""

    def __init__(self, *, application_no: str, state: str) -> None:
        super().__init__(f"开票申请 {application_no} {state}，请先审核通过再开票")


class InvoiceNumberTaken(FieldRefused):
    field = "InvoiceNo"

    def __init__(self, invoice_no: str) -> None:
        super().__init__(f"发票号码 {invoice_no} 已被其他发票使用，请核对")


class InvoiceAtGateway(WrongState):
    def __init__(self, invoice_no: str) -> None:
        super().__init__(f"发票 {invoice_no} 正在开票渠道开具，请等待结果后再操作，以免重复开具")


class NoPaperInvoice(WrongState):
    """Only an issued paper invoice is sent by post."""

    def __init__(self, invoice_no: str) -> None:
        super().__init__(f"发票 {invoice_no} 不是已开具的纸质发票，无需邮寄")


class OrderPriceMoved(WrongState):
    """The price of the order line was changed after the application."""

    def __init__(self, name: str) -> None:
        super().__init__(f"“{name}”的订单价格在申请后已变更，请驳回该申请，由客户重新申请")


class TooManyMarked(FieldRefused):
    field = "InvoiceIds"

    def __init__(self, limit: int) -> None:
        super().__init__(f"一次最多登记 {limit} 张发票，请分批登记")


class RequestUnknown(CallbackRefused):
    """The gateway reports an unknown request number."""

    message = "没有这个开票流水号"


class CallbackAmountWrong(CallbackRefused):
    message = "开票金额与申请不一致"


class IssuedAfterEnd(CallbackRefused):
    """The gateway issued an invoice whose application has ended."""

    def __init__(self, *, request_no: str, reported_no: str) -> None:
        super().__init__(
            f"流水号 {request_no} 的申请已结束，渠道又报已开具 {reported_no}，请人工核对"
        )


class NotRequestable(WrongState):
    """`state` is the label of the invoice's state."""

    def __init__(self, *, invoice_no: str, state: str) -> None:
        super().__init__(f"发票 {invoice_no} {state}，不能重新提交开票渠道")


class IssuedTwice(CallbackRefused):
    """The gateway reports a second number for one request."""

    def __init__(self, *, request_no: str, invoice_no: str, reported_no: str) -> None:
        super().__init__(
            f"流水号 {request_no} 已开具 {invoice_no}，渠道又报 {reported_no}，请人工核对"
        )


class NotReversible(WrongState):
    """Only a blue, issued invoice can be taken back. `state` is the label of its state."""

    def __init__(self, *, invoice_no: str, state: str, is_red: bool) -> None:
        super().__init__(f"发票 {invoice_no} 当前为{'红字发票' if is_red else state}，不能申请红冲")


class NoBuyerConfirmation(WrongState):
    """`state` is the label of the red request's state."""

    def __init__(self, *, red_no: str, state: str) -> None:
        super().__init__(f"红冲申请 {red_no} {state}，无需您确认")


class RedNotWithdrawable(WrongState):
    """`state` is the label of the red request's state."""

    def __init__(self, *, red_no: str, state: str) -> None:
        super().__init__(f"红冲申请 {red_no} {state}，不能撤销")


class RedLinesInvalid(FieldRefused):
    field = "Lines"
    message = "请选择该发票的明细行，至少一行"


class RedExpired(WrongState):
    def __init__(self, red_no: str) -> None:
        super().__init__(f"红冲申请 {red_no} 已超过 72 小时未确认，请重新发起")


class NoSellerConfirmation(WrongState):
    """`state` is the label of the red request's state."""

    def __init__(self, *, red_no: str, state: str) -> None:
        super().__init__(f"红冲申请 {red_no} {state}，无需销方确认")


class RefundNeedsRed(WrongState):
    """The refund of a return waits for the red request, so staff cannot deny it."""

    def __init__(self, red_no: str) -> None:
        super().__init__(
            f"红冲申请 {red_no} 由售后退货发起，客户的退款正等待它，不能否认，请确认并开具红字发票"
        )


class NothingLeftToRed(WrongState):
    def __init__(self, invoice_no: str) -> None:
        super().__init__(f"发票 {invoice_no} 已全部红冲或正在红冲，无需再次申请")


class RedQuantityExceeded(QuantityExceeded):
    def __init__(self, *, name: str, left: int) -> None:
        super().__init__(f"“{name}”可红冲数量为 {left}，请修改后重试")


class DenialReasonMissing(FieldRefused):
    field = "Reason"
    message = "请填写否认原因"


class EarlierStatementOpen(WrongState):
    """The opening amount comes from the statement of `month`, which is not confirmed."""

    def __init__(self, month: date) -> None:
        super().__init__(f"请先确认 {month:%Y 年 %m 月}的对账单，期初余额由上月结转")


class StatementLineUnknown(FieldRefused):
    field = "LineId"
    message = "该明细不在本对账单内，请刷新后重试"


class InactiveTitleAsDefault(FieldRefused):
    field = "IsDefault"
    message = "抬头已停用，请先启用再设为默认"


class TitleInactive(WrongState):
    message = "抬头已停用，请先启用再提交专票资质"


class QualifiedAlready(WrongState):
    message = "该抬头的专票资质已通过，无需再次提交"


class QualificationPending(WrongState):
    message = "该抬头的专票资质正在审核，请等待结果"


class TitleIncomplete(FieldRefused):
    """`fields` are the labels of the empty fields."""

    field = "Title"

    def __init__(self, fields: Sequence[str]) -> None:
        super().__init__(f"请先补全抬头的{'、'.join(fields)}再提交专票资质")


class QualificationRefusalReasonMissing(FieldRefused):
    field = "Reason"
    message = "请填写未通过原因"


class EnterpriseUnavailable(FieldRefused):
    field = "EnterpriseId"
    message = "企业不存在或不在您的数据范围内，请重新选择"


class TitleTaken(FieldRefused):
    field = "Title"
    message = "该企业已有同名抬头，请直接修改或启用原有抬头"


class DefaultTitleInactive(FieldRefused):
    field = "IsDefault"
    message = "停用的抬头不能设为默认"


class QualificationFilesInvalid(FieldRefused):
    field = "FileIds"

    def __init__(self, limit: int) -> None:
        super().__init__(f"请上传 1 至 {limit} 个证明文件（如营业执照、一般纳税人证明）")


class QualificationFileUnavailable(FieldRefused):
    field = "FileIds"
    message = "文件不存在或已失效，请重新上传"


class QualificationDecided(WrongState):
    """`state` is the label of the request's state."""

    def __init__(self, state: str) -> None:
        super().__init__(f"该专票资质{state}，请刷新后查看")


class ArchiveHasUnissued(WrongState):
    """`example` is the request number of one of the `count` unissued invoices."""

    def __init__(self, *, count: int, example: str) -> None:
        super().__init__(f"有 {count} 张发票尚未开具（如 {example}），请取消选择后再下载")


class NothingToArchive(FieldRefused):
    field = "Filters"
    message = "没有已开具的发票符合条件，请调整筛选条件后重试"


class ArchiveTooLarge(FieldRefused):
    field = "Filters"

    def __init__(self, limit: int) -> None:
        super().__init__(f"一次最多打包 {limit:,} 张发票，请缩短开票日期后分批下载")


class InvoiceNotIssued(WrongState):
    message = "发票尚未开具，开具后可下载文件"


class NoXmlFile(WrongState):
    message = "只有数电发票提供 XML 文件，请下载 PDF"


class NoSuchFile(WrongState):
    def __init__(self, file_format: str) -> None:
        super().__init__(f"该发票没有 {file_format} 文件，请下载 PDF")


class GatewayFileUnavailable(WrongState):
    message = "开票平台暂时无法提供文件，请稍后重试或先下载 PDF"


class ApplicationTooLong(FieldRefused):
    field = "All"

    def __init__(self, limit: int) -> None:
        super().__init__(f"一次最多申请 {limit} 行，请按月份、部门或订单缩小范围后分次申请")


class NothingToInvoice(FieldRefused):
    field = "Lines"
    message = "没有可开票的商品，请先选择已收货且未开票的商品"


class LinesNotOpen(QuantityExceeded):
    message = "部分商品已无可开票数量（可能已被申请、开票或正在售后），请刷新后重新选择"


class OpenQuantityExceeded(QuantityExceeded):
    """At most `left` pieces of the line can be invoiced."""

    def __init__(self, *, name: str, left: int) -> None:
        super().__init__(f"“{name}”可开票数量为 {left}，请修改后重试")


class FreightNotOpen(QuantityExceeded):
    message = "部分订单的运费已开票、已申请或订单尚未完成，请刷新后重新选择"


class InvoiceKindClosed(FieldRefused):
    field = "Kind"
    message = "贵司未开通该发票种类，请选择其他种类"


class TitleUnavailable(FieldRefused):
    field = "TitleId"
    message = "开票抬头不存在或已停用，请重新选择"


class OrderTitlesUnavailable(FieldRefused):
    """The titles of these orders are inactive or of another enterprise."""

    field = "TitleId"

    def __init__(self, order_nos: Sequence[str]) -> None:
        super().__init__(
            f"订单 {'、'.join(order_nos)} 下单时的抬头已停用或不属于该企业，请选择一个统一的抬头"
        )


class TitleNotQualified(FieldRefused):
    """`kind` is the label of the invoice kind."""

    field = "TitleId"

    def __init__(self, *, title: str, kind: str) -> None:
        super().__init__(
            f"“{title}”的专票资质尚未通过审核，不能开具{kind}，请先提交专票资质或改开普票"
        )


class TitleFieldsMissing(FieldRefused):
    """`fields` are the labels of the empty fields, and `kind` is that of the invoice kind."""

    field = "TitleId"

    def __init__(self, *, title: str, fields: Sequence[str], kind: str) -> None:
        super().__init__(f"“{title}”缺少{'、'.join(fields)}，不能开具{kind}，请先补全抬头")


class TitlesReadOnly(Forbidden):
    """The data scope of the actor is narrower than an enterprise."""

    message = "开票抬头由企业统一维护，您的数据范围只能使用，请联系贵司财务或管理员"
