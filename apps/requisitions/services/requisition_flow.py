"""Lock requisitions, change their state, and notify people. Every change of a requisition uses
these functions.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from django.db.models import Sum
from django_fsm import TransitionNotAllowed

from apps.common.background.outbox import outbox_publish
from apps.common.errors import WrongState
from apps.common.events import event_record
from apps.requisitions.models import Requisition, RequisitionLine

if TYPE_CHECKING:
    from apps.org.models import Account

WAITING_TOPIC, MOVED_TOPIC = "requisition.waiting", "requisition.moved"
PAGE = "/userCenter/order/requisition"


def requisitions_lock(*, ids: Collection[int]) -> dict[int, Requisition]:
    """Return requisitions by key, locked in the order of their keys. They are the last locks,
    after stock. The lock also protects their lines.
    """
    rows = (
        Requisition.objects.select_for_update(of=("self",), no_key=True)
        .filter(pk__in=ids)
        .select_related("requester")
    )
    return {row.pk: row for row in rows.order_by("pk")}


def requisition_move(row: Requisition, transition: str, verb: str, **arguments: Any) -> str:
    """Apply a transition to a locked requisition and save it. Return the previous state.

    Raises:
        WrongState: the current state does not allow it.
    """
    before: str = row.status
    try:
        getattr(row, transition)(**arguments)
    except TransitionNotAllowed as error:
        raise WrongState.in_state(
            f"采购申请{row.get_status_display()}", verb, "请刷新查看"
        ) from error
    row.save(update_fields=["status", "closed_reason", "updated_at"])
    return before


def requisition_stands(row: Requisition) -> None:
    """Set the state of a locked requisition from its ordered pieces. A returned or withdrawn
    requisition keeps its state.
    """
    sums = RequisitionLine.objects.filter(requisition=row).aggregate(
        asked=Sum("quantity"), ordered=Sum("ordered_quantity")
    )
    if row.status not in ("returned", "withdrawn"):
        part = "stand_partly" if sums["ordered"] else "stand_open"
        requisition_move(row, "stand_ordered" if sums["ordered"] == sums["asked"] else part, "采购")


def requisition_record(
    row: Requisition, *, actor: Account | None, kind: str, before: str, note: str = ""
) -> None:
    """Write an event into the timeline of the requisition."""
    event_record(
        row, actor=actor, kind=kind, from_state=before, to_state=row.status, reason=note[:500]
    )


def requisition_tell(
    row: Requisition, *, topic: str, to: Collection[int], title: str, text: str, once: str
) -> None:
    """Publish a notice with a link to the requisition."""
    if not to:
        return
    payload = {
        "To": sorted(to),
        "Title": title,
        "Text": text,
        "Link": f"{PAGE}?No={row.requisition_no}",
        "SubjectKey": f"requisition:{row.pk}",
        "Once": f"{row.pk}:{once}"[:80],
    }
    outbox_publish(topic=topic, key=row.requisition_no, payload=payload)
