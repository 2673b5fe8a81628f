"""The work of the staff on returns: the returns that wait for staff, and the actions by state."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.aftersales.deadlines import STEPS
from apps.aftersales.enums import ParcelDirection, ReturnKind, ReturnStatus, ReturnWay
from apps.aftersales.models import ReturnOrder

S = ReturnStatus
# States in which staff have to act. Goods in transit and returns that wait for a red invoice do not
# count.
AWAITED = [status for status, step in STEPS.items() if step.is_ours and status != S.PENDING_RECEIPT]
OURS = Q(status__in=AWAITED, waits_red=False) | Q(status=S.PENDING_SEND, way=ReturnWay.PICKUP)
# State → URL names of the actions in the back office. The actions after the inspection depend on
# the accepted pieces.
ACTS: dict[str, tuple[str, ...]] = {
    S.PENDING_REVIEW: ("approve", "reject"),
    S.PENDING_SEND: ("fetched",),
    S.PENDING_RECEIPT: ("receive",),
    S.INSPECTING: ("inspect",),
}


def get_work_filter(kind: str) -> Q:
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


def list_waiting_returns() -> QuerySet[ReturnOrder]:
    """Return the returns that wait for staff, nearest deadline first, with their customers.
    Runs in the platform's scope.
    """
    rows: QuerySet[ReturnOrder] = ReturnOrder.objects.filter(OURS).select_related("enterprise")
    return rows.order_by("due_at", "pk")


def get_last_send_to() -> str:
    """Return the return address of the latest approval, as the default of the next one."""
    rows = ReturnOrder.objects.exclude(send_to="").order_by("-approved_at")
    return rows.values_list("send_to", flat=True).first() or ""


def get_staff_acts(return_order: ReturnOrder) -> tuple[str, ...]:
    """Return the actions that the state allows, the next step first. A reply to the customer is
    always allowed.
    """
    return (*ACTS.get(return_order.status, _list_acts_after_inspection(return_order)), "reply")


def _list_acts_after_inspection(return_order: ReturnOrder) -> tuple[str, ...]:
    if return_order.status not in (S.PROCESSING, S.PENDING_CONFIRM):
        return ()
    rows = list(return_order.lines.values_list("quantity", "accepted_quantity"))
    accepted = sum(pieces or 0 for _, pieces in rows)
    refused = sum(requested for requested, _ in rows) - accepted
    acts: list[str] = []
    if return_order.status == S.PROCESSING and accepted and not return_order.waits_red:
        acts.append("refund" if return_order.kind == ReturnKind.RETURN else "send-out")
    # The parcel of a 换货 or 维修 contains the refused pieces too.
    needs_parcel = refused and (return_order.kind == ReturnKind.RETURN or not accepted)
    refused_parcels = return_order.parcels.filter(direction=ParcelDirection.REFUSED)
    if needs_parcel and not refused_parcels.exists():
        acts.append("send-refused")
    return tuple(acts)
