"""Reviews on the first page of the back office: what nobody has looked at yet."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from apps.common.admin.work import WorkPart
from apps.orders.admin.dashboard import ROWS, Todo
from apps.orders.models import OrderReview
from apps.orders.selectors.review_work import reviews_waiting

LATE = timedelta(days=2)


def reviews_part(request: HttpRequest) -> WorkPart | None:
    """Return the card and the list of reviews that wait for staff, the worst first; None for whoever may not see reviews."""
    if not request.user.has_perm("orders.view_orderreview"):
        return None
    page = reverse("admin:orders_orderreview_changelist") + "?waiting=1"
    waiting = reviews_waiting()
    late = timezone.now() - LATE
    rows = [_todo(row) for row in waiting.select_related("group", "order_line").order_by("stars", "written_at")[:ROWS]]
    card = {
        "title": "待查看评价",
        "number": waiting.count(),
        "icon": "reviews",
        "link": page,
        "is_late": waiting.filter(written_at__lt=late).exists(),
    }
    return WorkPart(card, {"title": "待查看的评价", "rows": rows, "all": page})


def _todo(row: OrderReview) -> Todo:
    page = reverse("admin:orders_orderreview_change", args=[row.pk])
    is_late = row.written_at < timezone.now() - LATE
    return Todo(row.order_line.name, page, row.group.name, row.get_stars(), row.written_at, "查看", page, is_late)
