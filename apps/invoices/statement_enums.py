"""The words of statements."""

from django.db import models


class StatementStatus(models.TextChoices):
    """A month that runs is 未出账; its statement then waits for the customer."""

    RUNNING = "running", "未出账"
    PENDING = "pending", "待确认"
    DISPUTED = "disputed", "有异议"
    CONFIRMED = "confirmed", "已确认"


class StatementKind(models.TextChoices):
    """What a line is; freight is a delivery of its own, a refund is money back."""

    DELIVERY = "delivery", "签收"
    FREIGHT = "freight", "运费"
    RETURN = "return", "退货"
    INVOICE = "invoice", "开票"
    PAYMENT = "payment", "付款"
    REFUND = "refund", "退款"


class StatementFigure(models.TextChoices):
    """The figures of a statement that its lines explain."""

    DELIVERIES = "deliveries", "本期签收"
    RETURNS = "returns", "本期退货"
    INVOICED = "invoiced", "本期开票"
    PAID = "paid", "本期付款"


# Which lines make up a figure.
FIGURE_KINDS: dict[str, tuple[StatementKind, ...]] = {
    StatementFigure.DELIVERIES: (StatementKind.DELIVERY, StatementKind.FREIGHT),
    StatementFigure.RETURNS: (StatementKind.RETURN,),
    StatementFigure.INVOICED: (StatementKind.INVOICE,),
    StatementFigure.PAID: (StatementKind.PAYMENT, StatementKind.REFUND),
}


class DebtAge(models.TextChoices):
    """How long what is owed has been due."""

    NOT_DUE = "not_due", "未到期"
    UP_TO_30 = "up_to_30", "逾期 1–30 天"
    UP_TO_60 = "up_to_60", "逾期 31–60 天"
    UP_TO_90 = "up_to_90", "逾期 61–90 天"
    OVER_90 = "over_90", "逾期 90 天以上"
