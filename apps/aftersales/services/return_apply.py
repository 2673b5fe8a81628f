"""Create returns: a customer applies for a return, an exchange or a repair of received goods, or
reports missing or broken pieces at receipt (orders/claims.py).
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.aftersales.deadlines import due_at
from apps.aftersales.enums import ReturnEventKind, ReturnKind, ReturnReason, ReturnStatus, ReturnWay
from apps.aftersales.errors import ReturnRefused
from apps.aftersales.models import ReturnLine, ReturnOrder
from apps.aftersales.selectors.return_terms import REASONS, order_terms
from apps.aftersales.selectors.returns import orders_returnable
from apps.aftersales.services.return_flow import return_record
from apps.aftersales.services.return_message import pictures_attach
from apps.aftersales.services.return_quantities import quantities_take
from apps.common.errors import ValidationFailed
from apps.common.numbers import document_number
from apps.common.services.own_pictures import own_pictures
from apps.orders.claims import Claim, Opened
from apps.orders.enums import ClaimKind
from apps.orders.errors import NotYourOrder, OrderNotFound
from apps.orders.locks import lock_order, may_change
from apps.orders.models import Order
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class AskedLine:
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
    lines: tuple[AskedLine, ...]
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
    order = _own_order(actor, form.order_no)
    _check_words(form)
    _check_lines(order, form)
    files = own_pictures(actor=actor, file_ids=form.file_ids)
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
        due_at=due_at(status=ReturnStatus.PENDING_REVIEW, way=form.way, at=now),
    )
    return_order.return_no = document_number("TH", pk=return_order.pk, at=now)
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


def _own_order(actor: Account, order_no: str) -> Order:
    found = orders_returnable(actor=actor).filter(order_no=order_no).first()
    if found is None:
        raise OrderNotFound
    if not may_change(actor=actor, order=found):
        raise NotYourOrder
    return lock_order(order_no=order_no)


def _check_words(form: ReturnForm) -> None:
    if form.reason not in REASONS[form.kind]:
        raise ValidationFailed({"Reason": [f"{ReturnKind(form.kind).label}请选择“质量问题”"]})
    is_short = form.reason == ReturnReason.SHORT
    if is_short != (form.way == ReturnWay.NONE):
        raise ValidationFailed(
            {"Way": ["少件无需寄回，请选择“无需寄回”" if is_short else "请选择上门取件或客户寄回"]}
        )


def _check_lines(order: Order, form: ReturnForm) -> None:
    terms = {row.line.pk: row for row in order_terms(order=order)}
    keys = [line.order_line_id for line in form.lines]
    if len(keys) != len(set(keys)) or any(key not in terms for key in keys):
        raise ValidationFailed({"Lines": ["所选商品不在该订单中或重复，请刷新后重新选择"]})
    for asked in form.lines:
        row = terms[asked.order_line_id]
        kind = next(each for each in row.kinds if each.kind == form.kind)
        if why_not := kind.refusal(reason=form.reason, is_opened=asked.is_opened):
            raise ReturnRefused(
                f"“{row.line.customer_name or row.line.name}”不能申请{kind.kind.label}：{why_not}"
            )


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
