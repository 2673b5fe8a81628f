"""Add a note to an order. Staff write notes for their colleagues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.common.audit import NOTE, act_log
from apps.common.tenancy import tenant_scope
from apps.orders.errors import NoteLengthInvalid
from apps.orders.models import Order, OrderNote

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_TEXT = 500
# The kind of the entry in the audit log of the back office.
NOTE_ADDED = "noted"


def order_note(*, actor: Account, order_id: int, text: str) -> OrderNote:
    """Return the new note. It does not change the order or its timeline, and the customer does
    not see it.

    Raises:
        ValidationFailed: the text is empty or too long.
    """
    text = text.strip()
    if not 0 < len(text) <= MAX_TEXT:
        raise NoteLengthInvalid(MAX_TEXT)
    order = Order.objects.only("group_id", "order_no").get(pk=order_id)
    with tenant_scope(group_id=order.group_id), transaction.atomic():
        note: OrderNote = OrderNote.objects.create(
            group_id=order.group_id,
            order_id=order.pk,
            author=actor,
            text=text,
            written_at=timezone.now(),
        )
        act_log(subject=order, staff=actor, changes={NOTE: ("", text)}, kind=NOTE_ADDED)
    return note
