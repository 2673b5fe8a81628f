"""Reviews that wait for staff."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from apps.orders.models import OrderReview

# A review of so few stars wants an answer.
POOR = 3


def reviews_waiting() -> QuerySet[OrderReview]:
    """Return what nobody has looked at since it was written, changed or followed up; in the platform's scope, of all groups."""
    waiting: QuerySet[OrderReview] = OrderReview.objects.filter(checked_at__isnull=True)
    return waiting


def unanswered() -> Q:
    """Return the condition of a poor review that nobody has answered."""
    return Q(stars__lte=POOR, replied_at__isnull=True)
