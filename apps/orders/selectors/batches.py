"""Orders of one submit (同批订单). A submit to several addresses creates one order for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.approvals.enums import Box
from apps.approvals.models import Approval
from apps.approvals.selectors.approvals import list_approvals_in_box, list_visible_approvals
from apps.orders.enums import ENDED_UNSHIPPED
from apps.orders.models import Order
from apps.orders.selectors.access import SUBJECT_TYPE, list_visible_orders

if TYPE_CHECKING:
    from apps.org.models import Account


def list_other_batch_orders(order: Order) -> list[Order]:
    """Return the other orders of the same submit with lines and departments, without rejected,
    withdrawn and cancelled ones. No query if the order was submitted alone.
    """
    if order.batch_id is None:
        return []
    others = (
        Order.objects.filter(batch_id=order.batch_id)
        .exclude(pk=order.pk)
        .exclude(status__in=ENDED_UNSHIPPED)
    )
    return list(others.select_related("department").prefetch_related("lines").order_by("pk"))


def list_batch_orders(*, actor: Account, order: Order) -> list[Order]:
    """Return all orders of the submit that the actor may see, including this one. Empty,
    without a query, if the order was submitted alone.
    """
    if order.batch_id is None:
        return []
    return list(
        list_visible_orders(actor=actor)
        .filter(batch_id=order.batch_id)
        .select_related("department")
        .order_by("pk")
    )


@dataclass(frozen=True, slots=True)
class BatchApproval:
    """An order of a submit with its approval. `can_decide`: the approval waits for the actor."""

    order: Order
    approval: Approval
    can_decide: bool


def list_batch_approvals(*, actor: Account, order: Order) -> list[BatchApproval]:
    """Return the orders of the submit whose approvals the actor may see, including this one.
    The approver decides them together or one by one.

    Empty, without a query, if the order was submitted alone.
    """
    if order.batch_id is None:
        return []
    orders = list(
        Order.objects.filter(batch_id=order.batch_id).select_related("department").order_by("pk")
    )
    of_these_orders = {"subject_type": SUBJECT_TYPE, "subject_id__in": [row.pk for row in orders]}
    approval_by_order = {
        row.subject_id: row
        for row in list_visible_approvals(actor=actor)
        .filter(**of_these_orders)
        .order_by("created_at", "pk")
    }
    todo_ids = set(
        list_approvals_in_box(actor=actor, box=Box.TODO)
        .filter(**of_these_orders)
        .values_list("pk", flat=True)
    )
    return [
        BatchApproval(row, approval_by_order[row.pk], approval_by_order[row.pk].pk in todo_ids)
        for row in orders
        if row.pk in approval_by_order
    ]
