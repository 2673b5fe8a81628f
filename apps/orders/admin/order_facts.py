"""The facts at the top of the order page: state, next step, amounts, customer and address. Also the
texts of its timeline.
"""

from __future__ import annotations

from django.db.models import F, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from apps.common.days import format_moment
from apps.office.cells import format_yuan
from apps.office.dossier import Fact, describe_waiting, register_timeline_words
from apps.orders.enums import EVENT_NAMES, SHIPPABLE, OrderStatus, PaymentKind, SettlementStatus
from apps.orders.models import Order
from apps.orders.selectors.payments import get_left_to_pay
from apps.orders.selectors.staff_work import SHIP_WITHIN
from apps.orders.services.notes import NOTE_ADDED

S = OrderStatus
STATE_COLOURS = {
    S.PENDING_APPROVAL: "info",
    S.PENDING_CONFIRM: "warning",
    S.PENDING_SHIPMENT: "warning",
    S.PARTLY_SHIPPED: "info",
    S.PENDING_RECEIPT: "info",
    S.COMPLETED: "success",
    S.REJECTED: "danger",
    S.WITHDRAWN: "info",
    S.CANCELLED: "danger",
}


def build_order_facts(order: Order) -> list[Fact]:
    """Return the facts at the top of the order page."""
    person = f"{order.requester}" + (f" · {order.department}" if order.department else "")
    enterprise = reverse("admin:org_enterprise_change", args=[order.enterprise_id])
    owner = getattr(order, "owner_name", "") or "无人认领"
    facts = [
        Fact(
            "订单状态",
            order.get_status_display(),
            describe_order_wait(order),
            tag=STATE_COLOURS[S(order.status)],
            is_late=_is_late(order),
        ),
        Fact("应付金额（含税）", format_yuan(order.total_amount), _render_parts(order)),
        Fact(
            "付款",
            f"{order.get_payment_kind_display()} · {order.get_settlement_status_display()}",
            _render_unpaid_amount(order),
        ),
        Fact(
            "发票", f"{order.get_invoice_kind_display()} · {order.get_invoicing_status_display()}"
        ),
        Fact("客户", format_html('<a href="{}">{}</a>', enterprise, order.enterprise), person),
        Fact(
            "提交时间",
            format_moment(order.submitted_at),
            f"审批：{order.get_approval_status_display()}",
        ),
        Fact("负责人", owner, f"售后：{order.get_after_sales_status_display()}"),
        Fact("采购单号", order.purchase_order_no or "—", f"成本中心：{order.cost_center or '—'}"),
        Fact("收货", format_snapshot(order.address_snapshot) or "—", is_wide=True),
    ]
    return [*facts, Fact("备注", order.remark, is_wide=True)] if order.remark else facts


def describe_order_wait(order: Order) -> str:
    """Return what the order waits for and since when. Empty if it has ended."""
    match order.status:
        case S.PENDING_APPROVAL:
            return describe_waiting("等待客户审批", order.submitted_at)
        case S.PENDING_CONFIRM:
            return describe_waiting(
                "等待客户在线支付" if _is_owed(order) else "等待客服确认", order.submitted_at
            )
        case S.PENDING_SHIPMENT | S.PARTLY_SHIPPED:
            return describe_waiting(f"等待发货，{_to_ship(order)}", order.confirmed_at)
        case S.PENDING_RECEIPT:
            return describe_waiting("等待客户收货", order.shipped_at)
    return ""


def _to_ship(order: Order) -> str:
    """Return the number of pieces to ship, and the number that a cancellation request holds
    back.
    """
    pieces_in_cancellation = Sum("cancelling_quantity")
    unshipped = order.lines.aggregate(
        left=Sum(F("quantity") - F("shipped_quantity") - F("cancelling_quantity")),
        in_cancellation=pieces_in_cancellation,
    )
    return f"还有 {unshipped['left'] or 0} 件" + (
        f"，客户申请取消 {unshipped['in_cancellation']} 件" if unshipped["in_cancellation"] else ""
    )


def _is_owed(order: Order) -> bool:
    return (
        order.payment_kind == PaymentKind.ONLINE
        and order.settlement_status != SettlementStatus.DONE
    )


def _is_late(order: Order) -> bool:
    return (
        order.status in SHIPPABLE
        and order.confirmed_at is not None
        and order.confirmed_at < timezone.now() - SHIP_WITHIN
    )


def _render_parts(order: Order) -> str:
    return (
        f"商品 {format_yuan(order.goods_amount)} · 运费 {format_yuan(order.freight_amount)} · "
        f"商品税额 {format_yuan(order.tax_amount)}"
    )


def _render_unpaid_amount(order: Order) -> str:
    """Return the amount left to pay. Empty if the order is settled or ended unshipped."""
    if order.settlement_status == SettlementStatus.DONE or order.status in (
        S.REJECTED,
        S.WITHDRAWN,
        S.CANCELLED,
    ):
        return ""
    return f"待收 {format_yuan(get_left_to_pay(order))}"


register_timeline_words(
    Order, kinds={**EVENT_NAMES, NOTE_ADDED: "添加备注"}, states=dict(OrderStatus.choices)
)


def format_snapshot(snapshot: dict[str, str]) -> str:
    """Return the values of a snapshot in one line."""
    return " ".join(value for name, value in snapshot.items() if name != "Id" and value)
