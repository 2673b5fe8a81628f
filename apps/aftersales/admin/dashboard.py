"""Returns and cancellations on the dashboard of the back office."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from apps.aftersales.enums import CancelStatus
from apps.aftersales.models import CancelOrder, ReturnOrder
from apps.aftersales.selectors.return_work import returns_waiting, staff_acts
from apps.common.waiting import list_waiting
from apps.office.cells import yuan_text
from apps.office.first_page import ROWS, Todo, WorkPart, owned_link, owned_rows, work_card

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


def returns_part(request: HttpRequest) -> WorkPart | None:
    """Return the card and the list of returns that wait for staff, None if the user may not see
    returns.
    """
    if not request.user.has_perm("aftersales.view_returnorder"):
        return None
    page = owned_link(request, reverse("admin:aftersales_returnorder_changelist") + "?work=ours")
    may_act, now = request.user.has_perm("aftersales.change_returnorder"), timezone.now()
    may_refund = request.user.has_perm("aftersales.refund_returnorder")
    found = list_waiting(owned_rows(request, returns_waiting()), since="waiting_since", limit=ROWS)
    rows = [_todo(row, may_act=may_act, may_refund=may_refund) for row in found.rows]
    is_late = any(
        row.due_at is not None and row.due_at < now for row in found.rows
    )  # the most urgent come first
    card = work_card(
        title="待处理售后",
        number=found.number,
        icon="assignment_return",
        link=page,
        oldest=found.oldest,
        is_late=is_late,
    )
    return WorkPart(card, {"title": "待处理的售后", "rows": rows, "all": page}, is_owned=True)


def cancels_part(request: HttpRequest) -> WorkPart | None:
    """Return the card and the list of cancellations that wait for staff, None if the user may
    not see cancellations.
    """
    if not request.user.has_perm("aftersales.view_cancelorder"):
        return None
    asked = (
        CancelOrder.objects.filter(status=CancelStatus.PENDING)
        .select_related("order__enterprise")
        .order_by("decide_by", "pk")
    )
    found = list_waiting(asked, since="submitted_at", limit=ROWS)
    link = (
        reverse("admin:aftersales_cancelorder_changelist")
        + f"?status__exact={CancelStatus.PENDING}"
    )
    rows = []
    for row in found.rows:
        page = reverse("admin:aftersales_cancelorder_change", args=[row.pk])
        is_late = row.decide_by is not None and row.decide_by < timezone.now()
        amount = yuan_text(row.goods_amount)
        rows.append(
            Todo(
                row.cancel_no,
                page,
                row.order.enterprise.name,
                amount,
                row.submitted_at,
                "处理",
                page,
                is_late,
            )
        )
    is_late = any(row.is_late for row in rows)
    card = work_card(
        title="待处理取消",
        number=found.number,
        icon="event_busy",
        link=link,
        oldest=found.oldest,
        is_late=is_late,
    )
    return WorkPart(card, {"title": "待处理的取消申请", "rows": rows, "all": link})


def _todo(row: ReturnOrder, *, may_act: bool, may_refund: bool) -> Todo:
    page = reverse("admin:aftersales_returnorder_change", args=[row.pk])
    act = staff_acts(row)[0]
    is_act = may_refund if act == "refund" else may_act and act != "reply"
    where = page.replace("/change/", f"/{act}/") if is_act else page
    is_late = row.due_at is not None and row.due_at < timezone.now()
    what = f"{row.get_kind_display()} · {row.get_status_display()}"
    owner = getattr(row, "owner_name", None) or ""
    return Todo(
        row.return_no,
        page,
        row.enterprise.name,
        what,
        row.waiting_since,
        VERBS[act] if is_act else "查看",
        where,
        is_late,
        owner,
    )
