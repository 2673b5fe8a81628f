"""Open returns for pieces that were missing or broken at receipt (orders/claims.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apps.aftersales.enums import ReturnKind, ReturnReason, ReturnWay
from apps.aftersales.services.return_apply import AskedLine, ReturnForm, return_open
from apps.common.services.own_pictures import own_pictures
from apps.orders.claims import Claim, Opened
from apps.orders.enums import ClaimKind
from apps.orders.models import Order
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account

# Missing pieces need no parcel. The mall picks up broken pieces.
ASKED: dict[str, tuple[ReturnReason, ReturnWay]] = {
    ClaimKind.SHORT: (ReturnReason.SHORT, ReturnWay.NONE),
    ClaimKind.DAMAGED: (ReturnReason.DAMAGED, ReturnWay.PICKUP),
}


def returns_of_claims(*, order: Order, actor: Account, claims: Sequence[Claim]) -> list[Opened]:
    """Open one return for missing pieces and one for broken pieces of a locked order that was
    just received. Returns the new returns.

    Raises:
        QuantityExceeded: a claim is for more pieces than the line has outside after-sales.
        ValidationFailed: a picture was not uploaded by the actor.
    """
    opened: list[Opened] = []
    may_open = actor.has_menu_code(MenuCode.ORDER_RETURN)
    for kind, (reason, way) in ASKED.items():
        of_kind = [claim for claim in claims if claim.kind == kind]
        if not of_kind:
            continue
        pieces: dict[int, int] = {}
        for claim in of_kind:
            pieces[claim.order_line_id] = pieces.get(claim.order_line_id, 0) + claim.quantity
        form = ReturnForm(
            order_no=order.order_no,
            kind=ReturnKind.RETURN,
            reason=reason,
            way=way,
            lines=tuple(AskedLine(pk, quantity) for pk, quantity in pieces.items()),
            detail="；".join(dict.fromkeys(claim.note for claim in of_kind if claim.note))[:500],
        )
        file_ids = tuple(dict.fromkeys(file_id for claim in of_kind for file_id in claim.file_ids))
        return_order = return_open(
            order, form, actor=actor, files=own_pictures(actor=actor, file_ids=file_ids)
        )
        opened.append(
            Opened(
                return_order.return_no if may_open else "",
                f"{reason.label} {sum(pieces.values())} 件",
            )
        )
    return opened
