"""Actions that staff may take on a return, by state."""

from __future__ import annotations

from apps.aftersales.enums import ParcelDirection, ReturnKind, ReturnStatus
from apps.aftersales.models import ReturnOrder

S = ReturnStatus
# State → URL names of the actions in the back office. The actions after the inspection depend on
# the accepted pieces.
ACTS: dict[str, tuple[str, ...]] = {
    S.PENDING_REVIEW: ("approve", "reject"),
    S.PENDING_SEND: ("fetched",),
    S.PENDING_RECEIPT: ("receive",),
    S.INSPECTING: ("inspect",),
}


def staff_acts(return_order: ReturnOrder) -> tuple[str, ...]:
    """Return the actions that the state allows, the next step first. A reply to the customer is
    always allowed.
    """
    return (*ACTS.get(return_order.status, _after_inspection(return_order)), "reply")


def _after_inspection(return_order: ReturnOrder) -> tuple[str, ...]:
    if return_order.status not in (S.PROCESSING, S.PENDING_CONFIRM):
        return ()
    rows = list(return_order.lines.values_list("quantity", "accepted_quantity"))
    accepted, refused = (
        sum(part)
        for part in zip(*((had or 0, asked - (had or 0)) for asked, had in rows), strict=True)
    )
    acts: list[str] = []
    if return_order.status == S.PROCESSING and accepted and not return_order.waits_red:
        acts.append("refund" if return_order.kind == ReturnKind.RETURN else "send-out")
    # The parcel of a 换货 or 维修 contains the refused pieces too.
    travels = return_order.kind != ReturnKind.RETURN and accepted
    if (
        refused
        and not travels
        and not return_order.parcels.filter(direction=ParcelDirection.REFUSED).exists()
    ):
        acts.append("send-refused")
    return tuple(acts)
