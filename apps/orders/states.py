"""The transitions of an order, as a document of the kit (`apps.common.document_kit`)."""

from __future__ import annotations

from apps.common.document_kit.flow import DocumentFlow
from apps.orders.enums import OrderStatus

S = OrderStatus
ORDERS = DocumentFlow(
    name="order",
    number="order_no",
    # State → the text of the state in a refusal, and the alternative for the person.
    state_texts={
        S.PENDING_APPROVAL: ("订单正在审批中（待审批）", "请等待审批结果或先撤回"),
        S.REJECTED: ("订单已被审批驳回", "如仍需购买请再次下单"),
        S.WITHDRAWN: ("订单已撤回", "如仍需购买请再次下单"),
        S.PENDING_CONFIRM: ("订单待确认", "请等待客服确认"),
        S.PENDING_SHIPMENT: ("订单已确认（待发货）", "如需取消请提交取消申请"),
        S.PARTLY_SHIPPED: ("订单已发货（部分发货）", "如需退货请在收货后申请售后"),
        S.PENDING_RECEIPT: ("订单已发货（待收货）", "如需退货请在收货后申请售后"),
        S.COMPLETED: ("订单已完成", "如需退换请申请售后"),
        S.CANCELLED: ("订单已取消", "如仍需购买请再次下单"),
    },
    columns=["status", "approval_status", "confirmed_at", "shipped_at", "completed_at"],
)
