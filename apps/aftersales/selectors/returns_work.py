"""What of after-sales waits for staff, over all customers."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.aftersales.deadlines import STEPS
from apps.aftersales.enums import ReturnStatus, ReturnWay
from apps.aftersales.models import ReturnOrder

# Ours to do; what is on its way, or waits for a red invoice, is not.
AWAITED = [status for status, step in STEPS.items() if step.is_ours and status != ReturnStatus.PENDING_RECEIPT]
OURS = Q(status__in=AWAITED, waits_red=False) | Q(status=ReturnStatus.PENDING_SEND, way=ReturnWay.PICKUP)


def work_of_returns(kind: str) -> Q:
    """Return what the returns behind a figure have in common: the figure and the list it leads to are the same."""
    kinds = {
        "ours": OURS,
        "late": OURS & Q(due_at__lt=timezone.now()),
        "unread": Q(staff_unread__gt=0),
        "red": Q(waits_red=True),
    }
    return kinds.get(kind, Q())


def returns_waiting() -> QuerySet[ReturnOrder]:
    """Return the returns that wait for staff, the most urgent first, with their customers; in the platform's scope."""
    rows: QuerySet[ReturnOrder] = ReturnOrder.objects.filter(OURS).select_related("enterprise")
    return rows.order_by("due_at", "pk")


def last_send_to() -> str:
    """Return the address to which goods were last asked for: the next ones go there too."""
    rows = ReturnOrder.objects.exclude(send_to="").order_by("-approved_at")
    return rows.values_list("send_to", flat=True).first() or ""
