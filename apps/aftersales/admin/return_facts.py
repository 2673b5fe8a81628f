"""The first screen of a return: state, next step, amounts, reason and the customer's last
message.
"""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from apps.aftersales.admin.return_shown import NOTHING, pictures_shown
from apps.aftersales.enums import ReturnStatus
from apps.aftersales.models import ReturnOrder
from apps.common.days import moment_text
from apps.office.cells import yuan_text
from apps.office.dossier import Fact, waiting_text

S = ReturnStatus
STATE_COLOURS = {
    S.PENDING_REVIEW: "warning",
    S.REJECTED: "danger",
    S.PENDING_SEND: "info",
    S.PENDING_RECEIPT: "warning",
    S.INSPECTING: "warning",
    S.PROCESSING: "warning",
    S.PENDING_CONFIRM: "info",
    S.COMPLETED: "success",
    S.WITHDRAWN: "danger",
}
WAITS: dict[str, str] = {
    S.PENDING_REVIEW: "等待我方审核",
    S.PENDING_SEND: "等待退回商品",
    S.PENDING_RECEIPT: "等待我方收货",
    S.INSPECTING: "等待我方检测",
    S.PROCESSING: "等待我方处理",
    S.PENDING_CONFIRM: "等待客户确认",
}


def return_facts(return_order: ReturnOrder) -> list[Fact]:
    """Return the facts of the first screen."""
    due, is_late = _due(return_order)
    waits = (
        "等待红冲完成"
        if return_order.waits_red and return_order.status == S.PROCESSING
        else WAITS.get(return_order.status, "")
    )
    order = reverse("admin:orders_order_change", args=[return_order.order_id])
    submitted = moment_text(return_order.submitted_at)
    facts = [
        Fact(
            "状态",
            return_order.get_status_display(),
            waiting_text(waits, return_order.waiting_since),
            tag=STATE_COLOURS[S(return_order.status)],
            is_late=is_late,
        ),
        Fact("本步骤期限", due, "已超期" if is_late else "", is_late=is_late),
        Fact(
            "退款金额（含税）",
            yuan_text(return_order.refund_amount),
            f"其中退回已付款 {yuan_text(return_order.paid_back)}",
        ),
        Fact(
            "负责人", getattr(return_order, "owner_name", "") or "无人认领", f"申请于 {submitted}"
        ),
        Fact("方式", f"{return_order.get_kind_display()} · {return_order.get_way_display()}"),
        Fact(
            "订单",
            format_html('<a href="{}">{}</a>', order, return_order.order),
            return_order.order.get_payment_kind_display(),
        ),
        Fact("客户", return_order.enterprise, return_order.requester),
        Fact("客户新消息", f"{return_order.staff_unread} 条" if return_order.staff_unread else "—"),
        Fact("原因", f"{return_order.get_reason_display()} {return_order.detail}", is_wide=True),
    ]
    pictures = pictures_shown(return_order)
    facts += [Fact("凭证", pictures, is_wide=True)] if pictures != NOTHING else []
    return facts + [Fact(name, text, is_wide=True) for name, text in _said(return_order) if text]


def _due(return_order: ReturnOrder) -> tuple[str, bool]:
    """Return the deadline of the step, and whether it is overdue."""
    due = return_order.due_at
    return (moment_text(due), due < timezone.now()) if due else ("—", False)


def _said(return_order: ReturnOrder) -> list[tuple[str, str]]:
    said = return_order.messages.filter(is_ours=False).order_by("sent_at").last()
    return [("客户留言", said.text if said else ""), ("结束原因", return_order.close_reason)]
