"""Lock a recurring order. It is the first lock of a run, before the cart owner and the order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.recurring.errors import NotYourRecurringOrder, OwnerDecides, RecurringOrderNotFound
from apps.recurring.models import RecurringOrder
from apps.recurring.selectors.recurring_orders import list_visible_recurring_orders

if TYPE_CHECKING:
    from apps.org.models import Account


def lock_recurring_order(*, pk: int) -> RecurringOrder:
    """Lock and return any recurring order of the open scope. For the system.

    Raises:
        RecurringOrderNotFound: there is none.
    """
    return _lock_row(RecurringOrder.objects.filter(pk=pk))


def lock_own_recurring_order(
    *, actor: Account, recurring_no: str, needs_owner: bool = False
) -> RecurringOrder:
    """Lock and return a recurring order that the actor may change: an own one, or any of the group
    for the group admin. `needs_owner`: only an own one.

    Raises:
        RecurringOrderNotFound: the actor cannot see one with this number.
        NotYourRecurringOrder, OwnerDecides: the actor may see it but not change it.
    """
    row = _lock_row(list_visible_recurring_orders(actor=actor).filter(recurring_no=recurring_no))
    if row.requester_id == actor.pk:
        return row
    if not actor.is_group_admin:
        raise NotYourRecurringOrder
    if needs_owner:
        raise OwnerDecides
    return row


def _lock_row(rows: QuerySet[RecurringOrder]) -> RecurringOrder:
    row = rows.select_for_update(of=("self",), no_key=True).first()
    if row is None:
        raise RecurringOrderNotFound
    return row
