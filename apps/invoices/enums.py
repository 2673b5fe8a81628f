"""Enums of invoices and statements. The invoice kinds come from `org`."""

from django.db import models

# The administrator of an enterprise chooses its allowed kinds.
from apps.org.enums import InvoiceKind as InvoiceKind

E_KINDS = frozenset({InvoiceKind.E_NORMAL, InvoiceKind.E_SPECIAL})
PAPER_KINDS = frozenset({InvoiceKind.PAPER_NORMAL, InvoiceKind.PAPER_SPECIAL})
# These kinds need an approved 专票资质.
SPECIAL_KINDS = frozenset({InvoiceKind.E_SPECIAL, InvoiceKind.PAPER_SPECIAL})


class ApplicationStatus(models.TextChoices):
    PENDING = "pending", "待审核"
    ACCEPTED = "accepted", "待开票"
    ISSUING = "issuing", "开票中"
    ISSUED = "issued", "已开票"
    REJECTED = "rejected", "已驳回"
    WITHDRAWN = "withdrawn", "已撤回"


class InvoiceStatus(models.TextChoices):
    PLANNED = "planned", "待开票"
    ISSUING = "issuing", "开票中"
    FAILED = "failed", "开票失败"
    ISSUED = "issued", "已开具"
    PARTLY_RED = "partly_red", "部分红冲"
    RED = "red", "已红冲"
    VOID = "void", "未开具"


# Invoices that are neither issued nor being issued. If all invoices are in these states, the
# application can be withdrawn.
UNISSUED = (InvoiceStatus.PLANNED, InvoiceStatus.FAILED)


class InvoiceGrouping(models.TextChoices):
    """The orders that share one invoice, before tax rate and limit split it further."""

    MERGED = "merged", "合并开票"
    BY_ORDER = "by_order", "按订单分别开票"


class DeliveryWay(models.TextChoices):
    MAIL = "mail", "电子邮件"
    PAPER = "paper", "纸质邮寄"


class QualificationStatus(models.TextChoices):
    PENDING = "pending", "待审核"
    APPROVED = "approved", "已通过"
    REFUSED = "refused", "未通过"
    LAPSED = "lapsed", "已失效"


class RedReason(models.TextChoices):
    """红冲原因, with the codes of the tax bureau."""

    WRONG = "01", "开票有误"
    RETURNED = "02", "销货退回"
    ENDED = "03", "服务中止"
    ALLOWANCE = "04", "销售折让"


class RedStatus(models.TextChoices):
    """State of a 红字发票信息确认单: the party that has to confirm it, or its result."""

    AWAITS_SELLER = "awaits_seller", "待销方确认"
    AWAITS_BUYER = "awaits_buyer", "待购方确认"
    CONFIRMED = "confirmed", "已确认待开具"
    ISSUED = "issued", "已开具红字发票"
    REFUSED = "refused", "已否认"
    WITHDRAWN = "withdrawn", "已撤销"
    EXPIRED = "expired", "超 72 小时未确认作废"


class InvoiceEventKind(models.TextChoices):
    """Events in the timelines of applications, invoices and red requests."""

    SUBMITTED = "submitted", "提交申请"
    ACCEPTED = "accepted", "审核通过"
    REJECTED = "rejected", "驳回申请"
    WITHDRAWN = "withdrawn", "撤回申请"
    REQUESTED = "requested", "提交开票"
    ISSUED = "issued", "开具发票"
    FAILED = "failed", "开票失败"
    VOIDED = "voided", "取消开具"
    FINISHED = "finished", "申请完成"
    MAILED = "mailed", "发送邮件"
    SENT = "sent", "寄出发票"
    RED_OPENED = "red_opened", "发起红冲"
    RED_CONFIRMED = "red_confirmed", "确认红冲"
    RED_REFUSED = "red_refused", "否认红冲"
    RED_WITHDRAWN = "red_withdrawn", "撤销红冲"
    RED_EXPIRED = "red_expired", "红冲超时作废"
    RED_ISSUED = "red_issued", "开具红字发票"
    QUALIFIED = "qualified", "专票资质通过"
    NOT_QUALIFIED = "not_qualified", "专票资质未通过"
    MARKED = "marked", "登记处理状态"
    UNMARKED = "unmarked", "撤销处理状态"


class InvoiceMarkKind(models.TextChoices):
    """What the customer has done with an issued invoice. Each is a mark of its own: an invoice can
    be deducted before it is booked.
    """

    VERIFIED = "verified", "已验真"
    BOOKED = "booked", "已入账"
    DEDUCTED = "deducted", "已抵扣"
    PROBLEM = "problem", "有问题"


class MatchResult(models.TextChoices):
    """Result of one line of a goods-received match."""

    EQUAL = "equal", "一致"
    QUANTITY = "quantity", "数量不符"
    AMOUNT = "amount", "金额不符"
    ONLY_OURS = "only_ours", "收货单没有"
    ONLY_THEIRS = "only_theirs", "对账单没有"


class StatementStatus(models.TextChoices):
    """A running month is 未出账. After its end the statement waits for the customer."""

    RUNNING = "running", "未出账"
    PENDING = "pending", "待确认"
    DISPUTED = "disputed", "有异议"
    CONFIRMED = "confirmed", "已确认"


class StatementKind(models.TextChoices):
    """Kinds of statement lines. Freight is a delivery line of its own; a refund is money paid
    back.
    """

    DELIVERY = "delivery", "签收"
    FREIGHT = "freight", "运费"
    RETURN = "return", "退货"
    INVOICE = "invoice", "开票"
    PAYMENT = "payment", "付款"
    REFUND = "refund", "退款"


class StatementFigure(models.TextChoices):
    """The figures of a statement that are sums of its lines."""

    DELIVERIES = "deliveries", "本期签收"
    RETURNS = "returns", "本期退货"
    INVOICED = "invoiced", "本期开票"
    PAID = "paid", "本期付款"


# Figure → the kinds of its lines.
FIGURE_KINDS: dict[str, tuple[StatementKind, ...]] = {
    StatementFigure.DELIVERIES: (StatementKind.DELIVERY, StatementKind.FREIGHT),
    StatementFigure.RETURNS: (StatementKind.RETURN,),
    StatementFigure.INVOICED: (StatementKind.INVOICE,),
    StatementFigure.PAID: (StatementKind.PAYMENT, StatementKind.REFUND),
}


class DebtAge(models.TextChoices):
    """Buckets of a debt by the days since its due date."""

    NOT_DUE = "not_due", "未到期"
    UP_TO_30 = "up_to_30", "逾期 1–30 天"
    UP_TO_60 = "up_to_60", "逾期 31–60 天"
    UP_TO_90 = "up_to_90", "逾期 61–90 天"
    OVER_90 = "over_90", "逾期 90 天以上"
