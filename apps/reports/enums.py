"""Choices of the reports: bases, kinds of facts, periods and states."""

from django.db import models


class Basis(models.TextChoices):
    """The dated facts that a report counts. Each basis also counts reversals, on the reversal's
    own date.
    """

    ORDERED = "ordered", "下单口径"
    RECEIVED = "received", "签收口径"
    INVOICED = "invoiced", "开票口径"


class FactKind(models.TextChoices):
    """The event of an order line. `kind` and `source_id` identify the one row of another table
    that a fact is derived from.
    """

    ORDERED = "ordered", "下单"
    CANCELLED = "cancelled", "取消部分"
    ENDED = "ended", "取消整单"
    RECEIVED = "received", "签收"
    RETURNED = "returned", "退货"
    INVOICED = "invoiced", "开票"
    RED = "red", "红冲"
    ORDERED_FREIGHT = "ordered_freight", "下单运费"
    CANCELLED_FREIGHT = "cancelled_freight", "取消后运费调整"
    ENDED_FREIGHT = "ended_freight", "取消运费"
    RECEIVED_FREIGHT = "received_freight", "运费结转"


BASIS_OF: dict[str, Basis] = {
    FactKind.ORDERED: Basis.ORDERED,
    FactKind.CANCELLED: Basis.ORDERED,
    FactKind.ENDED: Basis.ORDERED,
    FactKind.ORDERED_FREIGHT: Basis.ORDERED,
    FactKind.CANCELLED_FREIGHT: Basis.ORDERED,
    FactKind.ENDED_FREIGHT: Basis.ORDERED,
    FactKind.RECEIVED: Basis.RECEIVED,
    FactKind.RETURNED: Basis.RECEIVED,
    FactKind.RECEIVED_FREIGHT: Basis.RECEIVED,
    FactKind.INVOICED: Basis.INVOICED,
    FactKind.RED: Basis.INVOICED,
}


class ReportName(models.TextChoices):
    """The reports, by the last word of their URL."""

    ORDER = "Order", "订单报表"
    ORDER_DETAIL = "OrderDetail", "订单明细报表"
    PRODUCT = "Product", "商品报表"
    DEPARTMENT = "Department", "部门报表"
    PURCHASER = "Purchaser", "采购人报表"
    BRAND = "Brand", "品牌报表"
    SAVINGS = "Savings", "节约与合规报表"
    BUDGET = "Budget", "预算执行报表"


# The export that is no report: the files of invoices as a ZIP.
INVOICE_ARCHIVE = "Invoices"
EXPORT_KINDS = [*ReportName.choices, (INVOICE_ARCHIVE, "发票文件")]


class ExportState(models.TextChoices):
    """State of an export that a worker writes."""

    QUEUED = "queued", "排队中"
    RUNNING = "running", "生成中"
    DONE = "done", "已完成"
    FAILED = "failed", "失败"
    CANCELLED = "cancelled", "已取消"
    EXPIRED = "expired", "已过期"


OPEN_EXPORTS = (ExportState.QUEUED, ExportState.RUNNING)


class Preset(models.TextChoices):
    """Periods relative to today. A period that includes today ends today."""

    MONTH = "month", "本月"
    LAST_MONTH = "last_month", "上月"
    QUARTER = "quarter", "本季"
    YEAR = "year", "本年"
    TWELVE_MONTHS = "twelve_months", "近12个月"
    CUSTOM = "custom", "自定义"


class Frequency(models.TextChoices):
    DAILY = "daily", "每天"
    WEEKLY = "weekly", "每周"
    MONTHLY = "monthly", "每月"


class Shift(models.TextChoices):
    """Rule for a due day that is not a working day."""

    NONE = "none", "照常发送"
    NEXT = "next", "顺延至下一个工作日"
    SKIP = "skip", "当次不发送"


class SendState(models.TextChoices):
    """Result of one send, derived from its letters."""

    SENDING = "sending", "发送中"
    SENT = "sent", "已发送"
    PARTLY = "partly", "部分失败"
    FAILED = "failed", "发送失败"
    SKIPPED = "skipped", "未发送"


class LetterState(models.TextChoices):
    """State of one recipient's letter."""

    WAITING = "waiting", "待发送"
    SENDING = "sending", "发送中"
    SENT = "sent", "已发送"
    FAILED = "failed", "发送失败"
    SKIPPED = "skipped", "未发送"
