"""Enums of cancellations."""

from django.db import models


class CancelStatus(models.TextChoices):
    PENDING = "pending", "待处理"
    DONE = "done", "已取消"
    REFUSED = "refused", "已拒绝"
    WITHDRAWN = "withdrawn", "已撤销"


class CancelReason(models.TextChoices):
    UNWANTED = "unwanted", "不想要了"
    WRONG_CHOICE = "wrong_choice", "商品或规格选错"
    WRONG_FACTS = "wrong_facts", "地址或开票信息填错"
    DUPLICATE = "duplicate", "重复下单"
    PLAN_CHANGED = "plan_changed", "采购计划变更"
    TOO_SLOW = "too_slow", "发货太慢"
    CHEAPER = "cheaper", "价格原因"
    OTHER = "other", "其他原因"


class CancelAction(models.TextChoices):
    """Actions that a person may take on a cancellation."""

    WITHDRAW = "withdraw", "撤销申请"


class CancelEventKind(models.TextChoices):
    """Events in the timeline of a cancellation."""

    ASKED = "asked", "提交申请"
    DONE = "done", "取消成功"
    GRANTED = "granted", "同意取消"
    GRANTED_LATE = "granted_late", "客服逾期未处理，自动同意"
    REFUSED = "refused", "拒绝取消"
    WITHDRAWN = "withdrawn", "撤销申请"
    REMINDED = "reminded", "提醒客服处理"
