"""Enums of statements."""

from django.db import models


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
