"""Enums of returns and cancellations."""

from django.db import models


class ReturnKind(models.TextChoices):
    RETURN = "return", "退货"
    EXCHANGE = "exchange", "换货"
    REPAIR = "repair", "维修"


class ReturnStatus(models.TextChoices):
    PENDING_REVIEW = "pending_review", "待审核"
    REJECTED = "rejected", "审核驳回"
    PENDING_SEND = "pending_send", "待寄回"
    PENDING_RECEIPT = "pending_receipt", "待收货"
    INSPECTING = "inspecting", "检测中"
    PROCESSING = "processing", "处理中"
    PENDING_CONFIRM = "pending_confirm", "待确认"
    COMPLETED = "completed", "已完成"
    WITHDRAWN = "withdrawn", "已撤销"


class ReturnReason(models.TextChoices):
    QUALITY = "quality", "质量问题"
    DAMAGED = "damaged", "收到时破损"
    SHORT = "short", "少件"
    WRONG = "wrong", "发错货"
    UNSUITABLE = "unsuitable", "不合用或多买了"


class ReturnWay(models.TextChoices):
    PICKUP = "pickup", "上门取件"
    SEND = "send", "客户寄回"
    NONE = "none", "无需寄回"


class ReturnFinding(models.TextChoices):
    """Inspection result of a line."""

    AS_DESCRIBED = "as_told", "与申请相符"
    NO_FAULT = "no_fault", "检测无故障"
    USED = "used", "已使用或人为损坏"
    INCOMPLETE = "incomplete", "配件或包装不全"
    OTHER_GOODS = "other_goods", "不是本单商品"


class ParcelDirection(models.TextChoices):
    """Direction of a parcel of a return."""

    BACK = "back", "客户寄回"
    OUT = "out", "寄出换新或修好的商品"
    REFUSED = "refused", "退还未通过检测的商品"


class ReturnEventKind(models.TextChoices):
    """Events in the timeline of a return."""

    APPLIED = "applied", "提交申请"
    APPROVED = "approved", "审核通过"
    REJECTED = "rejected", "审核驳回"
    WITHDRAWN = "withdrawn", "撤销申请"
    EXPIRED = "expired", "超时未寄回"
    SENT = "sent", "寄回商品"
    RECEIVED = "received", "收到退回商品"
    INSPECTED = "inspected", "完成检测"
    WAITS_RED = "waits_red", "等待红冲"
    REFUNDED = "refunded", "退款"
    REPLACED = "replaced", "寄出换新商品"
    REPAIRED = "repaired", "寄回修好的商品"
    SENT_OUT = "sent_out", "退还未通过检测的商品"
    REMINDED = "reminded", "到期提醒"
    COMPLETED = "completed", "售后完成"


class ReturnAction(models.TextChoices):
    """Actions that a person may take on a return."""

    WITHDRAW = "withdraw", "撤销申请"
    SHIP = "ship", "填写寄回运单"
    CONFIRM = "confirm", "确认完成"
    MESSAGE = "message", "留言"


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
