"""Reviews that wait for staff."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from apps.reviews.models import OrderReview

# A review with this many stars or fewer needs a reply.
POOR = 3


def reviews_waiting() -> QuerySet[OrderReview]:
    """Return the reviews that staff have not checked since they were written, changed or
    followed up. Runs in the platform scope, over all groups.
    """
    waiting: QuerySet[OrderReview] = OrderReview.objects.filter(checked_at__isnull=True)
    return waiting


def unanswered() -> Q:
    """Return the condition of a poor review without a reply."""
    return Q(stars__lte=POOR, replied_at__isnull=True)
