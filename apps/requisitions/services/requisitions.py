"""Submit cart lines as a requisition, return it to its requester, or withdraw it. Every change of
a requisition: lock, transition, event, and the notice to people.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from apps.cart.locks import lock_cart
from apps.cart.models import CartItem
from apps.cart.selectors.cart import CartLine, list_cart_lines
from apps.cart.services.cart_change import cart_remove
from apps.catalog.errors import StockShort
from apps.common.document_kit.flow import MAX_NOTE, DocumentFlow
from apps.common.events import event_record
from apps.common.numbers import format_document_number
from apps.org.enums import PurchasingRight
from apps.org.selectors.purchasing import require_purchasing
from apps.requisitions.enums import RequisitionEventKind, RequisitionStatus
from apps.requisitions.errors import (
    CartItemsGone,
    GiveBackReasonMissing,
    NoEnterpriseToRequest,
    NothingToRequest,
    NotYourRequisition,
    OwnRequisitionGivenBack,
    RequisitionNotFound,
)
from apps.requisitions.models import ENDED, Requisition, RequisitionLine
from apps.requisitions.selectors import list_buyers, list_visible_requisitions

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


@transaction.atomic
def requisition_submit(
    *,
    actor: Account,
    item_ids: Sequence[int] | None = None,
    cost_center: str = "",
    reason: str = "",
) -> Requisition:
    """Return the new requisition of the cart lines. Without `item_ids`, use the selected lines.
    The lines leave the cart, and the buyers get a notice.

    Lines that are out of stock are allowed, because stock may arrive before the order.

    Raises:
        ValidationFailed: nothing is selected, or the account belongs to no enterprise.
        Stale: a line is no longer in the cart.
        NotInCatalogue, OffSale, QuantityIllegal: a line cannot be bought.
        PurchasingRefused: the actor may only browse.
    """
    require_purchasing(actor=actor, needed=PurchasingRight.REQUEST)
    lock_cart(actor=actor)
    lines = _list_requested_lines(actor, item_ids)
    if actor.enterprise_id is None:
        raise NoEnterpriseToRequest
    row: Requisition = Requisition.objects.create(
        group_id=actor.group_id,
        requisition_no=secrets.token_hex(12),
        requester=actor,
        enterprise_id=actor.enterprise_id,
        department_id=actor.department_id,
        cost_center=cost_center or (actor.department.cost_center if actor.department else ""),
        reason=reason,
        submitted_at=timezone.now(),
    )
    row.requisition_no = format_document_number("PR", pk=row.pk, at=row.submitted_at)
    row.save(update_fields=["requisition_no"])
    RequisitionLine.objects.bulk_create(
        [_build_requisition_line(row, number, line) for number, line in enumerate(lines, start=1)]
    )
    requisition_note(row, actor=actor, kind=RequisitionEventKind.SUBMITTED, note=reason, before="")
    names = "、".join(line.offer.name for line in lines[:3]) + ("等" if len(lines) > 3 else "")
    requisition_notify(
        row,
        actor=actor,
        topic=WAITING,
        to=list_buyers(requester=actor),
        title=f"{actor.nickname}提交了采购申请 {row.requisition_no}",
        text=f"{names}，共 {len(lines)} 种商品",
        once=RequisitionStatus.OPEN,
    )
    cart_remove(actor=actor, item_ids=[line.item_id for line in lines])
    return row


def _list_requested_lines(actor: Account, item_ids: Sequence[int] | None) -> list[CartLine]:
    """Return the chosen cart lines, by default the selected ones.

    Raises:
        NothingToRequest: the cart has no selected line.
        CartItemsGone: a chosen line is not in the cart.
        DomainError: a line cannot be bought. Missing stock is allowed.
    """
    lines = list_cart_lines(actor=actor, item_ids=item_ids)
    if not lines or (item_ids is not None and len(lines) < len(set(item_ids))):
        if item_ids is None:
            raise NothingToRequest
        raise CartItemsGone
    for line in lines:
        if line.problem and line.problem.code != StockShort.code:
            raise line.problem.as_error(line.offer.name)
    return lines


def _build_requisition_line(row: Requisition, number: int, line: CartLine) -> RequisitionLine:
    product = line.offer.product
    return RequisitionLine(
        group_id=row.group_id,
        requisition=row,
        no=number,
        product=product,
        product_code=product.code,
        name=line.offer.name,
        unit=product.unit,
        image=product.image,
        price=line.offer.get_price_for(line.quantity),
        quantity=line.quantity,
    )


@transaction.atomic
def requisition_return(*, actor: Account, requisition_no: str, reason: str) -> Requisition:
    """Return the unordered rest to its requester, who gets a notice with the reason. Its pieces
    leave the actor's cart.

    Raises:
        ValidationFailed: the reason is empty.
        RequisitionNotFound: the actor cannot see a requisition with this number.
        WrongState: it is the actor's own, or it has ended.
    """
    if not reason.strip():
        raise GiveBackReasonMissing
    lock_cart(actor=actor)
    row = _lock_requisition(actor, requisition_no)
    if row.requester_id == actor.pk:
        raise OwnRequisitionGivenBack
    before = REQUISITIONS.transition(row, "give_back", "退回", reason=reason)
    _remove_from_cart(actor, row)
    REQUISITIONS.record(
        row, actor=actor, kind=RequisitionEventKind.RETURNED, before=before, reason=reason
    )
    requisition_notify(
        row,
        actor=actor,
        topic=MOVED,
        to={row.requester_id} | (_list_gatherers(row) - {actor.pk}),
        title=f"您的采购申请 {row.requisition_no} 被退回",
        text=f"{actor.nickname}：{reason}",
        once=row.status,
    )
    return row


def _remove_from_cart(actor: Account, row: Requisition) -> None:
    """Take the pieces of the requisition out of the actor's cart."""
    for line in RequisitionLine.objects.filter(
        requisition=row, gathered_by=actor, cart_item__in=CartItem.objects.values("pk")
    ):
        item = CartItem.objects.get(pk=line.cart_item_id)
        if item.quantity > line.gathered_quantity:
            item.quantity -= line.gathered_quantity
            item.save(update_fields=["quantity", "updated_at"])
        else:
            item.delete()
    RequisitionLine.objects.filter(requisition=row, gathered_by=actor).update(
        gathered_by=None, cart_item=None, gathered_quantity=0
    )


@transaction.atomic
def requisition_withdraw(*, actor: Account, requisition_no: str, reason: str = "") -> Requisition:
    """Withdraw the unordered rest of an own requisition. Buyers whose carts hold lines of it
    get a notice and can no longer order them.

    Raises:
        RequisitionNotFound: the actor cannot see a requisition with this number.
        NotYourRequisition: it belongs to a colleague.
        WrongState: all of it is ordered, or it has ended.
    """
    row = _lock_requisition(actor, requisition_no)
    if row.requester_id != actor.pk:
        raise NotYourRequisition
    before = REQUISITIONS.transition(row, "withdraw", "撤回", reason=reason)
    REQUISITIONS.record(
        row, actor=actor, kind=RequisitionEventKind.WITHDRAWN, before=before, reason=reason
    )
    requisition_notify(
        row,
        actor=actor,
        topic=MOVED,
        to=_list_gatherers(row),
        title=f"{actor.nickname}撤回了采购申请 {row.requisition_no}",
        text="请从购物车移出申请的商品" + (f"；原因：{reason}" if reason else ""),
        once=row.status,
    )
    return row


def _lock_requisition(actor: Account, requisition_no: str) -> Requisition:
    """Lock and return a requisition that the actor can see.

    Raises:
        RequisitionNotFound: the actor sees none with this number.
    """
    pk = (
        list_visible_requisitions(actor=actor)
        .filter(requisition_no=requisition_no)
        .values_list("pk", flat=True)
        .first()
    )
    if pk is None:
        raise RequisitionNotFound
    return requisitions_lock(ids=[pk])[pk]


def _list_gatherers(row: Requisition) -> set[int]:
    """Return the keys of the buyers whose carts hold lines of the requisition."""
    lines = RequisitionLine.objects.filter(
        requisition=row, cart_item__in=CartItem.objects.values("pk")
    )
    return {
        pk for pk in lines.order_by().values_list("gathered_by_id", flat=True) if pk is not None
    }
