"""Enums of orders. Each axis of state has its own enum."""

from enum import StrEnum

from django.db import models

# Kinds of payment and invoice belong to org, because the administrator of a customer selects the
# allowed ones.
from apps.org.enums import InvoiceKind as InvoiceKind
from apps.org.enums import PaymentKind as PaymentKind


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


BEFORE_SHIPMENT = (
    OrderStatus.PENDING_APPROVAL,
    OrderStatus.PENDING_CONFIRM,
    OrderStatus.PENDING_SHIPMENT,
)
SHIPPABLE = (OrderStatus.PENDING_SHIPMENT, OrderStatus.PARTLY_SHIPPED)
ENDED_UNSHIPPED = (OrderStatus.REJECTED, OrderStatus.WITHDRAWN, OrderStatus.CANCELLED)
# Orders that count as purchases: not in approval, and not ended unshipped.
PURCHASED = (
    OrderStatus.PENDING_CONFIRM,
    OrderStatus.PENDING_SHIPMENT,
    OrderStatus.PARTLY_SHIPPED,
    OrderStatus.PENDING_RECEIPT,
    OrderStatus.COMPLETED,
)


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


class PaymentStatus(models.TextChoices):
    PENDING = "pending", "待支付"
    PAID = "paid", "已支付"
    FAILED = "failed", "支付失败"
    CLOSED = "closed", "已关闭"
    REFUNDED = "refunded", "已退款"


class OrderEventKind(models.TextChoices):
    """Kinds of events in the timeline."""

    SUBMITTED = "submitted", "提交订单"
    APPROVED = "approved", "审批通过"
    REJECTED = "rejected", "审批驳回"
    WITHDRAWN = "withdrawn", "撤回订单"
    PAID = "paid", "完成支付"
    PAYMENT_FAILED = "payment_failed", "支付失败"
    PAYMENT_RECORDED = "payment_recorded", "登记收款"
    PAYMENT_UNDONE = "payment_undone", "撤销收款"
    REFUNDED = "refunded", "退款"
    CONFIRMED = "confirmed", "确认订单"
    SHIPPED = "shipped", "发货"
    RECEIVED = "received", "收货"
    COMPLETED = "completed", "订单完成"
    CANCELLED = "cancelled", "取消订单"
    PARTLY_CANCELLED = "partly_cancelled", "取消部分商品"
    ADDRESS_CHANGED = "address_changed", "修改收货地址"


class ClaimKind(models.TextChoices):
    """Kinds of claims at receipt."""

    SHORT = "short", "少件"
    DAMAGED = "damaged", "破损"


class TrackingKind(models.TextChoices):
    """Stages of a parcel."""

    PICKED_UP = "picked_up", "已揽收"
    IN_TRANSIT = "in_transit", "运输中"
    DELIVERING = "delivering", "派送中"
    DELIVERED = "delivered", "已送达"
    TROUBLE = "trouble", "异常"


class TraceKind(models.TextChoices):
    """Kinds of documents in the trace of an order line."""

    CANCEL = "cancel", "取消"
    SHIPMENT = "shipment", "发货"
    RECEIPT = "receipt", "签收"
    RETURN = "return", "售后"
    INVOICE = "invoice", "开票"
    STATEMENT = "statement", "对账"


class PaperKind(models.TextChoices):
    """Kinds of printed documents."""

    DELIVERY = "delivery", "送货单"
    PURCHASE = "purchase", "采购单"


class OrderAction(models.TextChoices):
    """Actions of a person on an order."""

    PAY = "pay", "去支付"
    WITHDRAW = "withdraw", "撤回"
    CANCEL = "cancel", "取消订单"
    APPLY_CANCEL = "apply_cancel", "申请取消"
    APPLY_RETURN = "apply_return", "申请售后"
    RECEIVE = "receive", "确认收货"
    REVIEW = "review", "评价"
    REORDER = "reorder", "再次购买"


class RankScope(models.TextChoices):
    ENTERPRISE = "enterprise", "企业排行"
    INDUSTRY = "industry", "行业排行"


class RankPeriod(models.TextChoices):
    MONTH = "month", "月榜"
    QUARTER = "quarter", "季榜"
    YEAR = "year", "年榜"


class RankMeasure(models.TextChoices):
    TIMES = "times", "按下单次数"
    AMOUNT = "amount", "按采购金额"


class RankGap(models.TextChoices):
    """Reasons for an empty ranking, each with advice."""

    NO_ORDERS = (
        "no_orders",
        "所选期间没有有效订单。已取消、已驳回和待审批的订单不计入，可以换更长的期间看看",
    )
    CATEGORY_EMPTY = "category_empty", "该分类在所选期间没有上榜商品，可以看全部分类或换更长的期间"
    TOO_FEW_GROUPS = (
        "too_few_groups",
        (
            "行业数据不足 5 家：购买同一商品的集团满 5 家才会上榜，以免猜出某一家的采购。"
            "可以换更长的期间看看"
        ),
    )
    NOT_IN_CATALOGUE = (
        "not_in_catalogue",
        "行业榜上的商品目前都不在您的采购目录内，可以联系客服增补目录",
    )


class ReasonKind(StrEnum):
    """The kinds of reasons for an approval that no rule gives and that an amendment judges again:
    a purchase limit, another budget than the nearest one, the credit limit.
    """

    LIMIT = "limit"
    LEFT_BUDGET = "left_budget"
    CREDIT = "credit"


# Event kind → its name in the timeline, including events of approvals, cancellations and returns.
EVENT_NAMES = {
    **dict(OrderEventKind.choices),
    "approval.approved": "审批同意",
    "approval.skipped": "自动跳过",
    "approval.transferred": "转交审批",
    "approval.added": "加签",
    "approval.copied": "抄送",
    "approval.amended": "调整数量",
    "approval.asked": "退回询问",
    "approval.answered": "答复询问",
    "approval.reminded": "超时提醒",
    "approval.escalated": "超时升级",
    "approval.urged": "申请人催办",
    "return.applied": "申请售后",
    "return.refunded": "售后退款",
    "return.completed": "售后完成",
    "cancel.asked": "申请取消",
    "cancel.refused": "拒绝取消申请",
    "cancel.withdrawn": "撤销取消申请",
}
