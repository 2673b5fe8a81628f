"""Orders of one submit (同批订单): where goods went to several addresses at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.approvals.enums import Box
from apps.approvals.models import Approval
from apps.approvals.selectors.approvals import approvals_in_box, approvals_visible
from apps.orders.models import Order
from apps.orders.selectors.product_history import CAME_TO_NOTHING
from apps.orders.selectors.scope import SUBJECT_TYPE, orders_visible

if TYPE_CHECKING:
    from apps.org.models import Account


def batch_beside(order: Order) -> list[Order]:
    """Return the orders submitted with this one that have not come to nothing, with lines and products; no query where it was alone."""
    if order.batch_id is None:
        return []
    others = Order.objects.filter(batch_id=order.batch_id).exclude(pk=order.pk).exclude(status__in=CAME_TO_NOTHING)
    return list(others.prefetch_related("lines__product").order_by("pk"))


def batch_of(*, actor: Account, order: Order) -> list[Order]:
    """Return all orders of the submit that the actor may see, this one among them; empty, without a query, where it was alone."""
    if order.batch_id is None:
        return []
    return list(orders_visible(actor=actor).filter(batch_id=order.batch_id).select_related("department").order_by("pk"))


@dataclass(frozen=True, slots=True)
class BatchApproval:
    """An order of a submit with its approval; `can_decide` where it waits for the actor."""

    order: Order
    approval: Approval
    can_decide: bool


def batch_approvals(*, actor: Account, order: Order) -> list[BatchApproval]:
    """Return the orders of the submit whose approvals the actor may see, this one among them: he decides them in one go, or each.

    Three queries; empty, without one, where it was submitted alone.
    """
    if order.batch_id is None:
        return []
    orders = list(Order.objects.filter(batch_id=order.batch_id).select_related("department").order_by("pk"))
    mine = {"subject_type": SUBJECT_TYPE, "subject_id__in": [row.pk for row in orders]}
    known = {row.subject_id: row for row in approvals_visible(actor=actor).filter(**mine).order_by("created_at", "pk")}
    waiting = set(approvals_in_box(actor=actor, box=Box.TODO).filter(**mine).values_list("pk", flat=True))
    return [BatchApproval(row, known[row.pk], known[row.pk].pk in waiting) for row in orders if row.pk in known]
