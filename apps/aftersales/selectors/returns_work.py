"""Returns that wait for staff, over all customers."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.aftersales.deadlines import STEPS
from apps.aftersales.enums import ReturnStatus, ReturnWay
from apps.aftersales.models import ReturnOrder

# States in which staff have to act. Goods in transit and returns that wait for a red invoice do not
# count.
AWAITED = [
    status
    for status, step in STEPS.items()
    if step.is_ours and status != ReturnStatus.PENDING_RECEIPT
]
OURS = Q(status__in=AWAITED, waits_red=False) | Q(
    status=ReturnStatus.PENDING_SEND, way=ReturnWay.PICKUP
)


def work_of_returns(kind: str) -> Q:
    """Return the filter of a dashboard counter (`ours`, `late`, `unread`, `red`). The list
    behind the counter uses the same filter.
    """
    kinds = {
        "ours": OURS,
        "late": OURS & Q(due_at__lt=timezone.now()),
        "unread": Q(staff_unread__gt=0),
        "red": Q(waits_red=True),
    }
    return kinds.get(kind, Q())


def returns_waiting() -> QuerySet[ReturnOrder]:
    """Return the returns that wait for staff, nearest deadline first, with their customers.
    Runs in the platform's scope.
    """
    rows: QuerySet[ReturnOrder] = ReturnOrder.objects.filter(OURS).select_related("enterprise")
    return rows.order_by("due_at", "pk")


def last_send_to() -> str:
    """Return the return address of the latest approval, as the default of the next one."""
    rows = ReturnOrder.objects.exclude(send_to="").order_by("-approved_at")
    return rows.values_list("send_to", flat=True).first() or ""
