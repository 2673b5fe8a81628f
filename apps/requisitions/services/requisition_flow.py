"""All changes of a requisition: lock, transition, event, and the notice to people."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.db.models import Sum

from apps.common.document_kit.flow import MAX_NOTE, DocumentFlow
from apps.common.events import event_record
from apps.requisitions.enums import RequisitionEventKind, RequisitionStatus
from apps.requisitions.models import ENDED, Requisition, RequisitionLine

if TYPE_CHECKING:
    from apps.org.models import Account

S = RequisitionStatus
REFRESH = "请刷新查看"
REQUISITIONS = DocumentFlow(
    name="requisition",
    number="requisition_no",
    state_texts={
        S.OPEN: ("采购申请待采购", REFRESH),
        S.PARTLY: ("采购申请部分采购", REFRESH),
        S.ORDERED: ("采购申请已采购", REFRESH),
        S.RETURNED: ("采购申请已退回", REFRESH),
        S.WITHDRAWN: ("采购申请已撤回", REFRESH),
    },
    columns=["status", "closed_reason"],
)
# The second parts of the outbox topics: `requisition.waiting` tells the buyers of a new
# requisition, `requisition.moved` the requester or the buyers of a change.
WAITING, MOVED = "waiting", "moved"
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


def requisition_note(
    row: Requisition,
    *,
    actor: Account | None,
    kind: RequisitionEventKind,
    note: str,
    before: str | None = None,
) -> None:
    """Write an event that changes no column of the requisition. `before` is the previous state,
    None for the current one.
    """
    event_record(
        row,
        actor=actor,
        kind=kind,
        from_state=row.status if before is None else before,
        to_state=row.status,
        reason=note[:MAX_NOTE],
    )


def requisition_set_ordered(
    row: Requisition, *, actor: Account | None, kind: RequisitionEventKind, note: str
) -> None:
    """Set the state of a locked requisition from its ordered pieces, and write the event. A
    returned or withdrawn requisition keeps its state.
    """
    if row.status in ENDED:
        requisition_note(row, actor=actor, kind=kind, note=note)
        return
    sums = RequisitionLine.objects.filter(requisition=row).aggregate(
        requested=Sum("quantity"), ordered=Sum("ordered_quantity")
    )
    if sums["ordered"] == sums["requested"]:
        transition = "set_ordered"
    elif sums["ordered"]:
        transition = "set_partly"
    else:
        transition = "set_open"
    before = REQUISITIONS.transition(row, transition, "采购")
    REQUISITIONS.record(row, actor=actor, kind=kind, before=before, reason=note)


def requisition_notify(
    row: Requisition,
    *,
    actor: Account | None,
    topic: str,
    to: Collection[int],
    title: str,
    text: str,
    once: str,
) -> None:
    """Publish a notice with a link to the requisition as `requisition.<topic>`, if it has
    recipients. A notice with the same `once` is sent once.
    """
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
    REQUISITIONS.publish(row, actor=actor, kind=topic, payload=payload)
