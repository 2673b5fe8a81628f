"""Returns and cancellations on the dashboard of the back office."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from apps.aftersales.enums import CancelStatus
from apps.aftersales.models import CancelOrder, ReturnOrder
from apps.aftersales.selectors.returns import get_staff_acts, list_waiting_returns
from apps.common.queries import list_waiting
from apps.office.cells import format_yuan
from apps.office.first_page import (
    ROWS,
    Todo,
    WorkPart,
    build_work_card,
    filter_owned_rows,
    owned_link,
)

VERBS = {
    "approve": "审核",
    "fetched": "登记",
    "receive": "收货",
    "inspect": "检测",
    "refund": "退款",
    "send-out": "寄出",
    "send-refused": "退还",
    "reply": "查看",
}


def build_returns_part(request: HttpRequest) -> WorkPart | None:
    """Return the card and the list of returns that wait for staff, None if the user may not see
    returns.
    """
    if not request.user.has_perm("aftersales.view_returnorder"):
        return None
    page = owned_link(request, reverse("admin:aftersales_returnorder_changelist") + "?work=ours")
    may_act = request.user.has_perm("aftersales.change_returnorder")
    may_refund = request.user.has_perm("aftersales.refund_returnorder")
    # The most urgent returns come first.
    todo_page = list_waiting(
        filter_owned_rows(request, list_waiting_returns()), since="waiting_since", limit=ROWS
    )
    rows = [
        _build_return_todo(row, may_act=may_act, may_refund=may_refund) for row in todo_page.rows
    ]
    card = build_work_card(
        title="待处理售后",
        number=todo_page.number,
        icon="assignment_return",
        link=page,
        oldest=todo_page.oldest,
        is_late=any(row.is_late for row in rows),
    )
    return WorkPart(card, {"title": "待处理的售后", "rows": rows, "all": page}, is_owned=True)


def build_cancels_part(request: HttpRequest) -> WorkPart | None:
    """Return the card and the list of cancellations that wait for staff, None if the user may
    not see cancellations.
    """
    if not request.user.has_perm("aftersales.view_cancelorder"):
        return None
    pending_cancels = CancelOrder.objects.filter(status=CancelStatus.PENDING)
    todo_page = list_waiting(
        pending_cancels.select_related("order__enterprise").order_by("decide_by", "pk"),
        since="submitted_at",
        limit=ROWS,
    )
    link = (
        reverse("admin:aftersales_cancelorder_changelist")
        + f"?status__exact={CancelStatus.PENDING}"
    )
    rows = [_build_cancel_todo(row) for row in todo_page.rows]
    card = build_work_card(
        title="待处理取消",
        number=todo_page.number,
        icon="event_busy",
        link=link,
        oldest=todo_page.oldest,
        is_late=any(row.is_late for row in rows),
    )
    return WorkPart(card, {"title": "待处理的取消申请", "rows": rows, "all": link})


def _build_return_todo(row: ReturnOrder, *, may_act: bool, may_refund: bool) -> Todo:
    page = reverse("admin:aftersales_returnorder_change", args=[row.pk])
    act = get_staff_acts(row)[0]
    is_allowed = may_refund if act == "refund" else may_act and act != "reply"
    return Todo(
        row.return_no,
        page,
        row.enterprise.name,
        f"{row.get_kind_display()} · {row.get_status_display()}",
        row.waiting_since,
        VERBS[act] if is_allowed else "查看",
        page.replace("/change/", f"/{act}/") if is_allowed else page,
        is_late=row.due_at is not None and row.due_at < timezone.now(),
        owner=getattr(row, "owner_name", None) or "",
    )


def _build_cancel_todo(row: CancelOrder) -> Todo:
    page = reverse("admin:aftersales_cancelorder_change", args=[row.pk])
    return Todo(
        row.cancel_no,
        page,
        row.order.enterprise.name,
        format_yuan(row.goods_amount),
        row.submitted_at,
        "处理",
        page,
        is_late=row.decide_by is not None and row.decide_by < timezone.now(),
    )
