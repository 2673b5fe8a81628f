"""Enumerations of inquiries."""

from django.db import models


class InquiryStatus(models.TextChoices):
    PENDING = "pending", "待报价"
    QUOTED = "quoted", "已报价"
    ADOPTED = "adopted", "已采纳"
    CLOSED = "closed", "已关闭"


class InquiryEventKind(models.TextChoices):
    """Events in the timeline of an inquiry."""

    ASKED = "asked", "发起询价"
    QUOTED = "quoted", "客服报价"
    ADOPTED = "adopted", "采纳报价"
    ASKED_AGAIN = "asked_again", "重新询价"
    CLOSED = "closed", "关闭询价"
    DECLINED = "declined", "客服关闭询价"
    EXPIRED = "expired", "报价到期"


class InquiryAction(models.TextChoices):
    """Actions of the customer on an inquiry."""

    ADOPT = "adopt", "采纳报价"
    ASK_AGAIN = "ask_again", "重新询价"
    CLOSE = "close", "关闭询价"
    MESSAGE = "message", "留言"
