"""Error messages for an action that the state of an order does not allow. They name an
alternative.
"""

from __future__ import annotations

from apps.common.errors import WrongState
from apps.orders.enums import OrderStatus
from apps.orders.models import Order

S = OrderStatus
# State → the text of the state in a refusal, and the alternative for the person.
STANDS: dict[str, tuple[str, str]] = {
    S.PENDING_APPROVAL: ("订单正在审批中（待审批）", "请等待审批结果或先撤回"),
    S.REJECTED: ("订单已被审批驳回", "如仍需购买请再次下单"),
    S.WITHDRAWN: ("订单已撤回", "如仍需购买请再次下单"),
    S.PENDING_CONFIRM: ("订单待确认", "请等待客服确认"),
    S.PENDING_SHIPMENT: ("订单已确认（待发货）", "如需取消请提交取消申请"),
    S.PARTLY_SHIPPED: ("订单已发货（部分发货）", "如需退货请在收货后申请售后"),
    S.PENDING_RECEIPT: ("订单已发货（待收货）", "如需退货请在收货后申请售后"),
    S.COMPLETED: ("订单已完成", "如需退换请申请售后"),
    S.CANCELLED: ("订单已取消", "如仍需购买请再次下单"),
}


def wrong_state(order: Order, verb: str) -> WrongState:
    """Return the error for the action `verb` in the current state of the order."""
    stands, instead = STANDS[order.status]
    return WrongState.in_state(
        stands,
        verb,
        instead,
        body={"Status": order.status, "StatusText": order.get_status_display()},
    )
