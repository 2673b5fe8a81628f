"""Enums of quotations from the cart."""

from django.db import models


class QuotationStatus(models.TextChoices):
    """The stored states. Expiry is not stored: `Quotation.state` derives it from the last day."""

    VALID = "valid", "有效"
    ORDERED = "ordered", "已下单"
    VOIDED = "voided", "已作废"


class QuotationState(models.TextChoices):
    """The states that people see."""

    VALID = "valid", "有效"
    ORDERED = "ordered", "已下单"
    EXPIRED = "expired", "已过期"
    VOIDED = "voided", "已作废"


class QuotationEventKind(models.TextChoices):
    """Kinds of events in the history of a quotation."""

    CREATED = "created", "生成报价单"
    ORDERED = "ordered", "按报价单下单"
    VOIDED = "voided", "作废"
    SHORTENED = "shortened", "有效期提前"


class QuotationAction(models.TextChoices):
    """Actions of a person on a quotation."""

    ORDER = "order", "按报价单下单"
    VOID = "void", "作废"
