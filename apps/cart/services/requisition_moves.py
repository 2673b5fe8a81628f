"""Lock requisitions, move them, and tell the people concerned: every change of one goes through here."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from django.db.models import Sum
from django_fsm import TransitionNotAllowed

from apps.cart.models import Requisition, RequisitionLine
from apps.common.background.outbox import outbox_publish
from apps.common.errors import WrongState
from apps.common.events import event_record

if TYPE_CHECKING:
    from apps.org.models import Account

WAITING_TOPIC, MOVED_TOPIC = "requisition.waiting", "requisition.moved"
PAGE = "/userCenter/order/requisition"


def requisitions_lock(*, ids: Collection[int]) -> dict[int, Requisition]:
    """Return requisitions by key, locked in this order: after stock, the last of all locks. Their lines change under these alone."""
    rows = Requisition.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=ids).select_related("requester")
    return {row.pk: row for row in rows.order_by("pk")}


def requisition_move(row: Requisition, transition: str, verb: str, **arguments: Any) -> str:
    """Make a transition of a locked requisition and save it; return the state it left.

    Raises:
        WrongState: it stands where this cannot be done.
    """
    before: str = row.status
    try:
        getattr(row, transition)(**arguments)
    except TransitionNotAllowed as error:
        raise WrongState.standing(f"采购申请{row.get_status_display()}", verb, "请刷新查看") from error
    row.save(update_fields=["status", "closed_reason", "updated_at"])
    return before


def requisition_stands(row: Requisition) -> None:
    """Set the state of a locked requisition by what of it is ordered; one that was returned or withdrawn stays so."""
    sums = RequisitionLine.objects.filter(requisition=row).aggregate(asked=Sum("quantity"), ordered=Sum("ordered_quantity"))
    if row.status not in ("returned", "withdrawn"):
        part = "stand_partly" if sums["ordered"] else "stand_open"
        requisition_move(row, "stand_ordered" if sums["ordered"] == sums["asked"] else part, "采购")


def requisition_record(row: Requisition, *, actor: Account | None, kind: str, before: str, note: str = "") -> None:
    """Write what was done into its timeline."""
    event_record(row, actor=actor, kind=kind, from_state=before, to_state=row.status, reason=note[:500])


def requisition_tell(row: Requisition, *, topic: str, to: Collection[int], title: str, text: str, once: str) -> None:
    """Tell people of it, with the way to it."""
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
