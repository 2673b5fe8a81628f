"""The reviews on the first page of the admin: those that no staff member has checked."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from apps.common.waiting import list_waiting
from apps.office.first_page import ROWS, Todo, WorkPart, work_card
from apps.reviews.models import OrderReview
from apps.reviews.selectors.review_work import reviews_waiting

LATE = timedelta(days=2)


def reviews_part(request: HttpRequest) -> WorkPart | None:
    """Return the card and the list of reviews that wait for staff, fewest stars first. None
    without the permission.
    """
    if not request.user.has_perm("reviews.change_orderreview"):
        return None
    page = reverse("admin:reviews_orderreview_changelist") + "?waiting=1"
    found = list_waiting(
        reviews_waiting().select_related("group", "order_line").order_by("stars", "written_at"),
        since="written_at",
        limit=ROWS,
    )
    rows = [_todo(row) for row in found.rows]
    is_late = found.oldest is not None and found.oldest < timezone.now() - LATE
    card = work_card(
        title="待查看评价",
        number=found.number,
        icon="reviews",
        link=page,
        oldest=found.oldest,
        is_late=is_late,
    )
    return WorkPart(card, {"title": "待查看的评价", "rows": rows, "all": page})


def _todo(row: OrderReview) -> Todo:
    page = reverse("admin:reviews_orderreview_change", args=[row.pk])
    is_late = row.written_at < timezone.now() - LATE
    return Todo(
        row.order_line.name,
        page,
        row.group.name,
        row.get_stars(),
        row.written_at,
        "查看",
        page,
        is_late,
    )
