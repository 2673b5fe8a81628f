"""Create returns: a customer applies for a return, an exchange or a repair of received goods, or
reports missing or broken pieces at receipt (orders/claims.py).
"""

from __future__ import annotations

import secrets
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.aftersales.deadlines import compute_due_at
from apps.aftersales.enums import ReturnEventKind, ReturnKind, ReturnReason, ReturnStatus, ReturnWay
from apps.aftersales.errors import (
    LineNotReturnable,
    MissingPiecesNotSent,
    QualityReasonRequired,
    ReturnLinesInvalid,
    ReturnWayRequired,
)
from apps.aftersales.models import ReturnLine, ReturnOrder
from apps.aftersales.selectors.return_terms import (
    REASONS,
    list_line_terms,
    list_visible_orders,
)
from apps.aftersales.services.return_flow import return_record
from apps.aftersales.services.return_message import pictures_attach
from apps.aftersales.services.return_quantities import quantities_take
from apps.common.numbers import format_document_number
from apps.common.services.files import get_own_pictures
from apps.orders.claims import Claim, OpenedReturn
from apps.orders.enums import ClaimKind
from apps.orders.errors import NotYourOrder, OrderNotFound
from apps.orders.locks import lock_order, may_change
from apps.orders.models import Order
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account


# Missing pieces need no parcel. The mall picks up broken pieces.
CLAIM_FORMS: dict[str, tuple[ReturnReason, ReturnWay]] = {
    ClaimKind.SHORT: (ReturnReason.SHORT, ReturnWay.NONE),
    ClaimKind.DAMAGED: (ReturnReason.DAMAGED, ReturnWay.PICKUP),
}


@dataclass(frozen=True, slots=True)
class ReturnFormLine:
    """The requested pieces of an order line."""

    order_line_id: int
    quantity: int
    is_opened: bool = False


@dataclass(frozen=True, slots=True)
class ReturnForm:
    """The customer's form. `file_ids` are pictures that the customer has uploaded, `pickup` is
    the pickup address and contact.
    """

    order_no: str
    kind: str
    reason: str
    way: str
    lines: tuple[ReturnFormLine, ...]
    detail: str = ""
    video_url: str = ""
    file_ids: tuple[uuid.UUID, ...] = ()
    pickup: str = ""


@transaction.atomic
def return_apply(*, actor: Account, form: ReturnForm) -> ReturnOrder:
    """Return the new return in state 待审核. Its pieces are in after-sales from now on.

    Raises:
        OrderNotFound, NotYourOrder: the actor cannot see or change the order.
        ReturnRefused: the policy does not allow it for a line. The message names the line.
        QuantityExceeded: a quantity is more than the received pieces outside after-sales.
        ValidationFailed: a line belongs to another order, the reason or the way does not fit the
            kind, or a picture was not uploaded by the actor.
    """
    order = _lock_order(actor, form.order_no)
    _check_reason(form)
    _check_lines(order, form)
    files = get_own_pictures(actor=actor, file_ids=form.file_ids)
    return return_open(order, form, actor=actor, files=files)


def return_open(
    order: Order, form: ReturnForm, *, actor: Account | None, files: Sequence[Any] = ()
) -> ReturnOrder:
    """Save and return a new return of a locked order. The caller has checked the policy.

    Raises:
        QuantityExceeded: a line has fewer pieces left.
    """
    quantities_take(quantities={line.order_line_id: line.quantity for line in form.lines})
    now = timezone.now()
    return_order: ReturnOrder = ReturnOrder.objects.create(
        group_id=order.group_id,
        return_no=f"?{secrets.token_hex(10)}",
        order=order,
        requester_id=order.requester_id,
        enterprise_id=order.enterprise_id,
        department_id=order.department_id,
        kind=form.kind,
        reason=form.reason,
        detail=form.detail,
        way=form.way,
        video_url=form.video_url,
        contact={**order.address_snapshot, **({"Wish": form.pickup} if form.pickup else {})},
        submitted_at=now,
        waiting_since=now,
        due_at=compute_due_at(status=ReturnStatus.PENDING_REVIEW, way=form.way, at=now),
    )
    return_order.return_no = format_document_number("TH", pk=return_order.pk, at=now)
    return_order.save(update_fields=["return_no"])
    _write_lines(return_order, form)
    pictures_attach(return_order, files)
    note = f"{ReturnReason(form.reason).label}，共 {sum(line.quantity for line in form.lines)} 件"
    return_record(return_order, actor=actor, kind=ReturnEventKind.APPLIED, before="", reason=note)
    return return_order


def _write_lines(return_order: ReturnOrder, form: ReturnForm) -> None:
    ReturnLine.objects.bulk_create(
        ReturnLine(
            group_id=return_order.group_id,
            return_order=return_order,
            order_line_id=line.order_line_id,
            no=number,
            quantity=line.quantity,
            is_opened=line.is_opened,
        )
        for number, line in enumerate(form.lines, start=1)
    )


def _lock_order(actor: Account, order_no: str) -> Order:
    order = list_visible_orders(actor=actor).filter(order_no=order_no).first()
    if order is None:
        raise OrderNotFound
    if not may_change(actor=actor, order=order):
        raise NotYourOrder
    return lock_order(order_no=order_no)


def _check_reason(form: ReturnForm) -> None:
    """Refuse a reason that does not fit the kind, and a way that does not fit the reason."""
    if form.reason not in REASONS[form.kind]:
        raise QualityReasonRequired(ReturnKind(form.kind).label)
    is_short = form.reason == ReturnReason.SHORT
    if is_short != (form.way == ReturnWay.NONE):
        raise MissingPiecesNotSent if is_short else ReturnWayRequired


def _check_lines(order: Order, form: ReturnForm) -> None:
    """Refuse lines of another order, repeated lines, and lines that the policy does not let
    return.
    """
    terms = {row.line.pk: row for row in list_line_terms(order=order)}
    keys = [line.order_line_id for line in form.lines]
    if len(keys) != len(set(keys)) or any(key not in terms for key in keys):
        raise ReturnLinesInvalid
    for form_line in form.lines:
        row = terms[form_line.order_line_id]
        kind = next(each for each in row.kinds if each.kind == form.kind)
        if why_not := kind.explain_refusal(reason=form.reason, is_opened=form_line.is_opened):
            name = row.line.customer_name or row.line.name
            raise LineNotReturnable(name=name, kind=kind.kind.label, reason=why_not)


def returns_open_for_claims(
    *, order: Order, actor: Account, claims: Sequence[Claim]
) -> list[OpenedReturn]:
    """Open one return for missing pieces and one for broken pieces of a locked order that was
    just received. Returns the new returns.

    Raises:
        QuantityExceeded: a claim is for more pieces than the line has outside after-sales.
        ValidationFailed: a picture was not uploaded by the actor.
    """
    opened_returns: list[OpenedReturn] = []
    may_open = actor.has_menu_code(MenuCode.ORDER_RETURN)
    for kind, (reason, way) in CLAIM_FORMS.items():
        of_kind = [claim for claim in claims if claim.kind == kind]
        if not of_kind:
            continue
        pieces: Counter[int] = Counter()
        for claim in of_kind:
            pieces[claim.order_line_id] += claim.quantity
        form = ReturnForm(
            order_no=order.order_no,
            kind=ReturnKind.RETURN,
            reason=reason,
            way=way,
            lines=tuple(ReturnFormLine(pk, quantity) for pk, quantity in pieces.items()),
            detail="；".join(dict.fromkeys(claim.note for claim in of_kind if claim.note))[:500],
        )
        file_ids = tuple(dict.fromkeys(file_id for claim in of_kind for file_id in claim.file_ids))
        files = get_own_pictures(actor=actor, file_ids=file_ids)
        return_order = return_open(order, form, actor=actor, files=files)
        number = return_order.return_no if may_open else ""
        opened_returns.append(OpenedReturn(number, f"{reason.label} {pieces.total()} 件"))
    return opened_returns
