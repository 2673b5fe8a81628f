"""The first page of the admin: today's work. Each figure links to exactly the counted orders,
and lists show the longest waiting items.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from apps.approvals.selectors.approvals import list_approvals_for_staff
from apps.approvals.selectors.waiting import is_overdue_for_staff
from apps.calendar.selectors import WorkingCalendar, get_working_calendar
from apps.common.owners import OWNER_CHOICES, filter_by_owner
from apps.common.queries import list_waiting
from apps.inquiries.selectors import QUOTE_WITHIN, list_waiting_inquiries
from apps.office.first_page import (
    ROWS,
    Todo,
    WorkPart,
    build_work_card,
    filter_owned_rows,
    get_work_owner_filter,
    list_work_parts,
    owned_link,
)
from apps.office.work_owners import OWNER
from apps.orders.models import Order
from apps.orders.selectors.staff_work import SHIP_WITHIN, get_staff_work, list_oldest_work

# kind of get_staff_work → (title, icon)
WORK: dict[str, tuple[str, str]] = {
    "to_confirm": ("待确认", "fact_check"),
    "to_ship": ("待发货（含部分发货）", "local_shipping"),
    "overdue": ("超时未发货", "schedule"),
    "unpaid": ("待在线支付", "payments"),
    "unsettled": ("待到账（公司转账）", "account_balance"),
    "today": ("今日下单", "today"),
}


def _build_order_todo(order: Order, verb: str, path: str, *, may_act: bool) -> Todo:
    page = reverse("admin:orders_order_change", args=[order.pk])
    act = page.replace("/change/", f"/{path}/") if may_act else page
    is_late = order.confirmed_at is not None and order.confirmed_at < timezone.now() - SHIP_WITHIN
    amount, owner = f"¥{order.total_amount:,.2f}", order.owner_name or ""  # type: ignore[attr-defined]
    return Todo(
        number=order.order_no,
        page=page,
        customer=order.enterprise.name,
        amount=amount,
        since=order.submitted_at,
        verb=verb if may_act else "查看",
        act=act,
        is_late=is_late,
        owner=owner,
    )


def _build_owner_condition(request: HttpRequest) -> Q:
    return filter_by_owner(Order, get_work_owner_filter(request), staff=request.user)


def _keeps_orders(request: HttpRequest) -> bool:
    return bool(request.user.has_perm("orders.change_order"))


def _build_order_lists(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the lists 待确认 and 待发货 of the start page, as the dicts that its template
    reads.
    """
    may_act, orders = _keeps_orders(request), reverse("admin:orders_order_changelist")
    lists, oldest = (
        [],
        list_oldest_work(
            kinds=("to_confirm", "to_ship"),
            limit=ROWS,
            owner_condition=_build_owner_condition(request),
        ),
    )
    for kind, title, verb, path in (
        ("to_confirm", "待确认的订单", "确认", "confirm"),
        ("to_ship", "待发货的订单", "发货", "ship"),
    ):
        rows = [_build_order_todo(order, verb, path, may_act=may_act) for order in oldest[kind]]
        lists.append(
            {
                "title": title,
                "rows": rows,
                "all": owned_link(request, f"{orders}?work={kind}"),
                "is_owned": True,
            }
        )
    return lists


def _build_approvals_part(request: HttpRequest) -> WorkPart | None:
    """Return the approvals that wait for staff, the longest waiting first. One is late if the
    requester has urged or the group's limit has passed. None without the permission.
    """
    if not request.user.has_perm("approvals.change_approval"):
        return None
    oldest_waiting = list_waiting(
        list_approvals_for_staff().select_related("group").order_by("waits_since", "pk"),
        since="waits_since",
        limit=ROWS,
    )
    calendar = get_working_calendar() if oldest_waiting.rows else WorkingCalendar({})
    rows = [
        Todo(
            number=approval.subject_no,
            page=(page := reverse("admin:approvals_approval_change", args=[approval.pk])),
            customer=approval.group.name,
            amount=f"¥{approval.amount:,.2f}",
            since=approval.waits_since,
            verb="审批",
            act=page,
            is_late=is_overdue_for_staff(approval, since=approval.waits_since, calendar=calendar),
        )
        for approval in oldest_waiting.rows
    ]
    link = reverse("admin:approvals_approval_changelist") + "?waiting=staff"
    is_late = any(row.is_late for row in rows)
    card = build_work_card(
        title="待客服审批",
        number=oldest_waiting.number,
        icon="approval",
        link=link,
        oldest=oldest_waiting.oldest,
        is_late=is_late,
    )
    return WorkPart(card, {"title": "待客服审批", "rows": rows, "all": link})


def _build_inquiries_part(request: HttpRequest) -> WorkPart | None:
    if not request.user.has_perm("inquiries.view_productinquiry"):
        return None
    inquiries = filter_owned_rows(
        request,
        list_waiting_inquiries()
        .select_related("group", "enterprise")
        .order_by("waiting_since", "pk"),
    )
    oldest_waiting = list_waiting(inquiries, since="waiting_since", limit=ROWS)
    may_act = request.user.has_perm("inquiries.quote_productinquiry")
    rows = []
    for inquiry in oldest_waiting.rows:
        page = reverse("admin:inquiries_productinquiry_change", args=[inquiry.pk])
        act, verb = (page.replace("/change/", "/quote/"), "报价") if may_act else (page, "查看")
        is_late = inquiry.waiting_since < timezone.now() - QUOTE_WITHIN
        customer = (inquiry.enterprise or inquiry.group).name
        owner = inquiry.owner_name or ""
        rows.append(
            Todo(
                number=inquiry.inquiry_no,
                page=page,
                customer=customer,
                amount="",
                since=inquiry.waiting_since,
                verb=verb,
                act=act,
                is_late=is_late,
                owner=owner,
            )
        )
    link = owned_link(
        request, f"{reverse('admin:inquiries_productinquiry_changelist')}?status__exact=pending"
    )
    is_late = any(row.is_late for row in rows)
    card = build_work_card(
        title="待报价询价",
        number=oldest_waiting.number,
        icon="request_quote",
        link=link,
        oldest=oldest_waiting.oldest,
        is_late=is_late,
    )
    return WorkPart(card, {"title": "待报价的询价", "rows": rows, "all": link}, is_owned=True)


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the first page: the work that the staff member may see."""
    cards: list[dict[str, Any]] = []
    lists: list[dict[str, Any]] = []
    parts = list_work_parts(request, last=(_build_approvals_part, _build_inquiries_part))
    if request.user.has_perm("orders.view_order"):
        work, orders = (
            get_staff_work(owner_condition=_build_owner_condition(request)),
            reverse("admin:orders_order_changelist"),
        )
        for kind, (title, icon) in WORK.items():
            number, oldest = work[kind].number, work[kind].oldest if kind != "today" else None
            is_late = kind == "overdue" and number > 0
            link = owned_link(request, f"{orders}?work={kind}")
            cards.append(
                build_work_card(
                    title=title, number=number, icon=icon, link=link, oldest=oldest, is_late=is_late
                )
            )
        lists += _build_order_lists(request)
    part_cards = [part.card for part in parts]
    part_lists = [{**part.todo, "is_owned": part.is_owned} for part in parts]
    # A person who only reads orders sees the other parts first.
    cards, lists = (
        (cards + part_cards, lists + part_lists)
        if _keeps_orders(request)
        else (part_cards + cards, part_lists + lists)
    )
    work_filter = get_work_owner_filter(request)
    choices = [
        {"title": title, "link": f"?{OWNER}={key}" if key else ".", "is_on": key == work_filter}
        for key, title in (("", "全部"), *OWNER_CHOICES)
    ]
    return {
        **context,
        "title": "工作台",
        "work_cards": cards,
        "todo_lists": lists,
        "whose_choices": choices,
    }
