"""The first screen of a cancellation: state, deadline, amounts, order, reason and decision."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.timesince import timeuntil

from apps.aftersales.cancel_enums import CancelStatus
from apps.aftersales.models import CancelOrder
from apps.common.days import moment_text
from apps.office.cells import yuan_text
from apps.office.dossier import Fact, waiting_text

S = CancelStatus
STATE_COLOURS = {S.PENDING: "warning", S.DONE: "success", S.REFUSED: "danger", S.WITHDRAWN: "info"}
OVER = "已到时限"


def cancel_facts(cancel: CancelOrder) -> list[Fact]:
    """Return the facts of the first screen."""
    order, left = cancel.order, time_left(cancel)
    page = reverse("admin:orders_order_change", args=[cancel.order_id])
    enterprise = reverse("admin:org_enterprise_change", args=[order.enterprise_id])
    waits = waiting_text("等待我方处理", cancel.submitted_at) if cancel.status == S.PENDING else ""
    facts = [
        # A reminder means that the deadline is near, as in the list's filter 临近时限.
        Fact(
            "状态",
            cancel.get_status_display(),
            waits,
            tag=STATE_COLOURS[S(cancel.status)],
            is_late=bool(waits and cancel.reminded_at),
        ),
        _deadline(cancel, left) if cancel.status == S.PENDING else _decision(cancel),
        Fact(
            "取消商品金额（含税）",
            yuan_text(cancel.goods_amount),
            f"退款 {yuan_text(cancel.refund_amount)}",
        ),
        Fact(
            "应付金额（含税）",
            f"{yuan_text(cancel.total_before)} → {yuan_text(cancel.total_after)}",
            _freight(cancel),
        ),
        Fact(
            "订单",
            format_html('<a href="{}">{}</a>', page, order.order_no),
            order.get_status_display(),
        ),
        Fact(
            "客户",
            format_html('<a href="{}">{}</a>', enterprise, order.enterprise),
            cancel.requester or "系统",
        ),
        Fact(
            "取消范围",
            "整单取消" if cancel.is_whole else "部分取消",
            order.get_payment_kind_display(),
        ),
        Fact("申请时间", moment_text(cancel.submitted_at)),
        Fact("原因", f"{cancel.get_reason_kind_display()} {cancel.reason}", is_wide=True),
    ]
    return (
        [*facts, Fact("处理说明", cancel.decision_note, is_wide=True)]
        if cancel.decision_note
        else facts
    )


def time_left(cancel: CancelOrder) -> str:
    """Return the time left for the decision as text, empty after the decision."""
    if cancel.status != S.PENDING or cancel.decide_by is None:
        return ""
    return (
        timeuntil(cancel.decide_by).replace("\xa0", " ")
        if cancel.decide_by > timezone.now()
        else OVER
    )


def _deadline(cancel: CancelOrder, left: str) -> Fact:
    by = moment_text(cancel.decide_by) if cancel.decide_by else "—"
    note = f"{OVER}，将自动同意" if left == OVER else f"还有 {left}，逾期自动同意"
    return Fact("处理时限", by, note, is_late=left == OVER or cancel.reminded_at is not None)


def _decision(cancel: CancelOrder) -> Fact:
    at = moment_text(cancel.decided_at) if cancel.decided_at else "—"
    return Fact(
        "处理时间", at, cancel.decided_by or ("客户" if cancel.status == S.WITHDRAWN else "系统")
    )


def _freight(cancel: CancelOrder) -> str:
    return f"其中运费 {yuan_text(cancel.freight_before)} → {yuan_text(cancel.freight_after)}"
