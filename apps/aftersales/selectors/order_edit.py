"""The effect of an edit of an order by staff before it ships: lower quantities, another address of
the customer. The page, the proposal and the service use the same functions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet, Sum

from apps.aftersales.enums import CancelStatus
from apps.aftersales.errors import (
    CancelRequestOpen,
    EditAddressNeedsApproval,
    EditAddressRefused,
    EditedQuantityTooHigh,
    EditReasonMissing,
    EverythingRemoved,
    NothingEdited,
    OrderEditStale,
)
from apps.aftersales.models import CancelOrder
from apps.approvals.selectors.plan import list_address_rules
from apps.common.models import Event
from apps.common.money import ZERO
from apps.orders.enums import OrderEventKind, OrderStatus
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.order_reduction import ReducedOrder, get_reduced_order
from apps.orders.selectors.rule_subject import build_subject_at_address
from apps.orders.snapshots import build_address_key, build_address_snapshot
from apps.orders.states import ORDERS
from apps.org.models import Address
from apps.org.selectors.addresses import list_usable_addresses

# In approval the approvers may lower quantities; nobody else changes what they decide on.
EDITABLE = (OrderStatus.PENDING_CONFIRM, OrderStatus.PENDING_SHIPMENT)


@dataclass(frozen=True, slots=True)
class OrderEditForm:
    """The new quantities ({order line pk: pieces}; missing lines stay, 0 removes a line), the new
    address (None: unchanged) and the reason. `seen` is the digest of the order that the person saw.
    """

    quantities: Mapping[int, int]
    address_id: int | None
    reason: str
    seen: str


@dataclass(frozen=True, slots=True)
class OrderEdit:
    """What an edit changes: the reduced order and the new address, None if it stays."""

    reduced: ReducedOrder | None
    address: Address | None


def compute_order_digest(order: Order) -> str:
    """Return a digest of everything that an edit depends on. Reads the lines."""
    lines = order.lines.order_by("pk").values_list(
        "pk", "quantity", "shipped_quantity", "cancelling_quantity"
    )
    facts = [order.status, str(order.total_amount), order.address_snapshot, [*map(list, lines)]]
    text = json.dumps(facts, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def list_edit_addresses(*, order: Order) -> QuerySet[Address]:
    """Return the addresses that the requester may use for this order. Runs in the scope of its
    group.
    """
    departments = (order.department_id,) if order.department_id else ()
    return list_usable_addresses(actor=order.requester, department_ids=departments)


def get_order_edit(*, order: Order, form: OrderEditForm) -> OrderEdit:
    """Return the effect of the form on the order. Nothing is written. Runs in the scope of its
    group.

    Raises:
        WrongState: the order is in approval, has shipped or ended, or a cancellation request is
            open.
        OrderEditStale: the order is not the one that the person saw, or has no such line.
        EditReasonMissing, NothingEdited, EverythingRemoved, EditedQuantityTooHigh: as named.
        EditAddressRefused: the requester may not use the address.
        EditAddressNeedsApproval: a rule of the customer wants orders to this address approved.
        QuantityIllegal: a quantity violates the product's minimum or step.
    """
    if order.status not in EDITABLE:
        raise ORDERS.build_wrong_state(order, "修改")
    lines = list(order.lines.all())
    if any(line.cancelling_quantity for line in lines):
        raise CancelRequestOpen
    if form.seen != compute_order_digest(order):
        raise OrderEditStale
    if not form.reason.strip():
        raise EditReasonMissing
    pieces = _get_removed_pieces(lines, form.quantities)
    address = _find_address(order, form.address_id)
    if address is not None:
        _refuse_unapproved_place(order, address)
    if not pieces and address is None:
        raise NothingEdited
    if not pieces:
        return OrderEdit(None, address)
    reduced = get_reduced_order(order=order, pieces=pieces)
    if reduced.is_whole:
        raise EverythingRemoved
    return OrderEdit(reduced, address)


def _get_removed_pieces(lines: list[OrderLine], quantities: Mapping[int, int]) -> dict[int, int]:
    """Return {order line pk: pieces to cancel} of the changed lines.

    Raises:
        OrderEditStale: a line has changed since the form was opened.
        EditedQuantityTooHigh: a new quantity is larger than the present one.
    """
    pieces = {}
    if set(quantities) - {line.pk for line in lines}:
        raise OrderEditStale
    for line in lines:
        quantity = quantities.get(line.pk, line.quantity)
        if not 0 <= quantity <= line.quantity:
            name = line.customer_name or line.name
            raise EditedQuantityTooHigh(name, line.quantity, line.unit)
        if quantity < line.quantity:
            pieces[line.pk] = line.quantity - quantity
    return pieces


def _find_address(order: Order, address_id: int | None) -> Address | None:
    """Return the chosen address; None if it is not chosen.

    Raises:
        EditAddressRefused: the requester of the order may not use this address.
    """
    if address_id is None:
        return None
    address = list_edit_addresses(order=order).filter(pk=address_id).first()
    if address is None:
        raise EditAddressRefused
    return address


def _refuse_unapproved_place(order: Order, address: Address) -> None:
    """Refuse another place that the customer's rules want to have approved: nobody approves the
    order again. Another receiver at the same place is free.
    """
    snapshot = build_address_snapshot(address)
    if build_address_key(snapshot) == order.address_key:
        return
    if rules := list_address_rules(subject=build_subject_at_address(order, snapshot)):
        raise EditAddressNeedsApproval(rules)


@dataclass(frozen=True, slots=True)
class EarlierEdits:
    """What one person alone has changed in an order: by how much (元) the customer pays less, and
    whether the goods go elsewhere.
    """

    less: Decimal
    is_address_changed: bool


def get_earlier_edits(*, order: Order, since: datetime | None) -> EarlierEdits:
    """Return the edits by staff after `since`; None: since the order was placed. Runs in the scope
    of its group.
    """
    # An edit is a cancellation without a requester. One of a whole order leaves nothing to edit.
    cancels = CancelOrder.objects.filter(
        order=order, status=CancelStatus.DONE, requester=None, is_whole=False
    )
    address_events = Event.objects.filter(
        subject_type=Order._meta.label_lower,
        subject_id=order.pk,
        kind=OrderEventKind.ADDRESS_CHANGED,
    )
    if since is not None:
        cancels, address_events = (
            cancels.filter(decided_at__gt=since),
            address_events.filter(at__gt=since),
        )
    sums: Any = cancels.aggregate(before=Sum("total_before"), after=Sum("total_after"))
    less = (sums["before"] or ZERO) - (sums["after"] or ZERO)
    return EarlierEdits(less=less, is_address_changed=address_events.exists())


def get_edit_amount(*, order: Order, edit: OrderEdit, earlier: EarlierEdits) -> Decimal:
    """Return the amount of an edit in 元, which dual control compares with its limits. The earlier
    edits of the order and this one count together. If one of them changes the address, the amount
    is the whole order. Otherwise it is the sum by which the order became cheaper.
    """
    remaining_amount = ZERO
    if edit.address is None and not earlier.is_address_changed:
        remaining_amount = edit.reduced.total if edit.reduced else order.total_amount
    return Decimal(order.total_amount + earlier.less - remaining_amount)
