"""The read-only facts of a return in the back office: the first screen, evidence, messages,
parcels, and the texts around a refund.
"""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.aftersales.enums import ReturnStatus
from apps.aftersales.models import ReturnOrder
from apps.aftersales.selectors.returns import get_refund_amounts
from apps.aftersales.services.return_flow import get_accepted_quantities
from apps.aftersales.services.return_quantities import find_short_quantities
from apps.common.days import format_moment
from apps.common.money import ZERO
from apps.office.cells import EMPTY_TEXT, format_yuan, picture_list, render_message_table
from apps.office.dossier import Fact, describe_waiting
from apps.orders.selectors.shipments import get_tracking_by_parcel

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
WAIT_TEXTS: dict[str, str] = {
    S.PENDING_REVIEW: "等待我方审核",
    S.PENDING_SEND: "等待退回商品",
    S.PENDING_RECEIPT: "等待我方收货",
    S.INSPECTING: "等待我方检测",
    S.PROCESSING: "等待我方处理",
    S.PENDING_CONFIRM: "等待客户确认",
}


def return_facts(return_order: ReturnOrder) -> list[Fact]:
    """Return the facts of the first screen."""
    due, is_late = _format_due(return_order)
    waits = WAIT_TEXTS.get(return_order.status, "")
    if return_order.waits_red and return_order.status == S.PROCESSING:
        waits = "等待红冲完成"
    order = reverse("admin:orders_order_change", args=[return_order.order_id])
    submitted = format_moment(return_order.submitted_at)
    facts = [
        Fact(
            "状态",
            return_order.get_status_display(),
            describe_waiting(waits, return_order.waiting_since),
            tag=STATE_COLOURS[S(return_order.status)],
            is_late=is_late,
        ),
        Fact("本步骤期限", due, "已超期" if is_late else "", is_late=is_late),
        Fact(
            "退款金额（含税）",
            format_yuan(return_order.refund_amount),
            f"其中退回已付款 {format_yuan(return_order.paid_back)}",
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
    pictures = render_pictures(return_order)
    if pictures != EMPTY_TEXT:
        facts.append(Fact("凭证", pictures, is_wide=True))
    last_message = return_order.messages.filter(is_ours=False).order_by("sent_at").last()
    if last_message and last_message.text:
        facts.append(Fact("客户留言", last_message.text, is_wide=True))
    if return_order.close_reason:
        facts.append(Fact("结束原因", return_order.close_reason, is_wide=True))
    return facts


def _format_due(return_order: ReturnOrder) -> tuple[str, bool]:
    """Return (deadline of the step, whether it is overdue)."""
    due = return_order.due_at
    return (format_moment(due), due < timezone.now()) if due else ("—", False)


def render_pictures(return_order: ReturnOrder) -> SafeString | str:
    """Return the customer's pictures, from the application and the messages. Each links to its
    full size.
    """
    return picture_list(
        (
            reverse("admin:aftersales_returnorder_picture", args=[return_order.pk, picture.pk]),
            picture.file.name,
        )
        for picture in return_order.pictures.select_related("file").order_by("no")
    )


def render_video(return_order: ReturnOrder) -> SafeString | str:
    """Return the link to the customer's video. Only https addresses are saved."""
    url = return_order.video_url
    if not url:
        return EMPTY_TEXT
    return format_html('<a href="{0}" target="_blank" rel="noreferrer nofollow">{0}</a>', url)


def render_messages(return_order: ReturnOrder) -> SafeString | str:
    """Return the messages of both sides, oldest first, with escaped text."""
    return render_message_table(return_order.messages)


def format_parcels(return_order: ReturnOrder) -> str:
    """Return the parcels of both directions, each with its latest tracking event."""
    parcels = list(return_order.parcels.order_by("sent_at"))
    tracking = get_tracking_by_parcel([(parcel.carrier, parcel.tracking_no) for parcel in parcels])
    texts = []
    for parcel in parcels:
        last = next(iter(tracking.get((parcel.carrier, parcel.tracking_no), ())), None)
        state = f"（{last.get_kind_display()}）" if last else ""
        texts.append(f"{parcel.get_direction_display()}：{parcel}{state}")
    return "；".join(texts) or EMPTY_TEXT


def refund_preview(return_order: ReturnOrder) -> str:
    """Return the effect of a refund as text: the refund amount, or the reason for waiting."""
    rows = list(return_order.lines.filter(accepted_quantity__gt=0).select_related("order_line"))
    amount = sum((incl_tax for incl_tax, _ in get_refund_amounts(rows).values()), ZERO)
    if find_short_quantities(quantities=get_accepted_quantities(return_order)):
        return f"应退 ¥{amount:,.2f}。商品已开票或正在开票：提交后先转红冲，红冲完成后自动退款。"
    return f"应退 ¥{amount:,.2f}：已付款的部分原路退回，未付的部分冲减应付款。提交后不能撤销。"


def format_refund_result(return_order: ReturnOrder) -> str:
    """Return the result of a refund as text."""
    if return_order.waits_red:
        return "已转红冲，红冲完成后自动退款，目前尚未退款"
    return f"退款成功，已退 ¥{return_order.refund_amount:,.2f}"


def format_contact(return_order: ReturnOrder) -> str:
    """Return the pickup address and the contact."""
    parts = [text for name, text in return_order.contact.items() if name != "Id" and text]
    return " ".join(parts) or EMPTY_TEXT


def format_goods(return_order: ReturnOrder) -> str:
    """Return the goods with their quantities, after the inspection with the accepted quantities."""
    return "；".join(
        f"{line.order_line.name} × {line.quantity}"
        + ("" if line.accepted_quantity is None else f"（通过 {line.accepted_quantity}）")
        for line in return_order.lines.select_related("order_line").order_by("no")
    )
