"""The words of orders: one axis each, never mixed (domain.md, Cart → order)."""

from django.db import models


class OrderStatus(models.TextChoices):
    PENDING_APPROVAL = "pending_approval", "待审批"
    REJECTED = "rejected", "审批驳回"
    WITHDRAWN = "withdrawn", "已撤回"
    PENDING_CONFIRM = "pending_confirm", "待确认"
    PENDING_SHIPMENT = "pending_shipment", "待发货"
    PARTLY_SHIPPED = "partly_shipped", "部分发货"
    PENDING_RECEIPT = "pending_receipt", "待收货"
    COMPLETED = "completed", "已完成"
    CANCELLED = "cancelled", "已取消"


class OrderApprovalStatus(models.TextChoices):
    NOT_NEEDED = "not_needed", "无需审批"
    PENDING = "pending", "审批中"
    APPROVED = "approved", "已通过"
    REJECTED = "rejected", "已驳回"
    WITHDRAWN = "withdrawn", "已撤回"


class InvoicingStatus(models.TextChoices):
    NONE = "none", "未开票"
    PARTLY = "partly", "部分开票"
    DONE = "done", "已开票"


class SettlementStatus(models.TextChoices):
    NONE = "none", "未结算"
    PARTLY = "partly", "部分结算"
    DONE = "done", "已结算"


class AfterSalesStatus(models.TextChoices):
    NONE = "none", "无"
    OPEN = "open", "处理中"
    DONE = "done", "已完成"


class DeliveryWish(models.TextChoices):
    WORKDAY = "workday", "工作日"
    WEEKEND = "weekend", "双休日"
    ANY = "any", "均可"


class PaymentKind(models.TextChoices):
    CREDIT = "credit", "月结"
    CASH_ON_DELIVERY = "cod", "货到付款"
    TRANSFER = "transfer", "公司转账"
    ONLINE = "online", "在线支付"


class InvoiceKind(models.TextChoices):
    E_NORMAL = "e_normal", "数电普票"
    E_SPECIAL = "e_special", "数电专票"
    PAPER_NORMAL = "paper_normal", "纸质普票"
    PAPER_SPECIAL = "paper_special", "纸质专票"


class PaymentStatus(models.TextChoices):
    PENDING = "pending", "待支付"
    PAID = "paid", "已支付"
    FAILED = "failed", "支付失败"
    CLOSED = "closed", "已关闭"
    REFUNDED = "refunded", "已退款"


class OrderEventKind(models.TextChoices):
    """What the timeline tells of."""

    SUBMITTED = "submitted", "提交订单"
    APPROVED = "approved", "审批通过"
    REJECTED = "rejected", "审批驳回"
    WITHDRAWN = "withdrawn", "撤回订单"
    PAID = "paid", "完成支付"
    PAYMENT_FAILED = "payment_failed", "支付失败"
    PAYMENT_RECORDED = "payment_recorded", "登记收款"
    REFUNDED = "refunded", "退款"
    CONFIRMED = "confirmed", "确认订单"
    SHIPPED = "shipped", "发货"
    RECEIVED = "received", "收货"
    COMPLETED = "completed", "订单完成"
    CANCELLED = "cancelled", "取消订单"


class OrderAction(models.TextChoices):
    """What a person may do with an order now (api.md, AllowedActions)."""

    PAY = "pay", "去支付"
    WITHDRAW = "withdraw", "撤回"
    CANCEL = "cancel", "取消订单"
    RECEIVE = "receive", "确认收货"
    REORDER = "reorder", "再次购买"
