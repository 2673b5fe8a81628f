"""What an approval's decision does to an order: registered under its subject type at start-up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from apps.approvals.subjects import LineNow, SubjectAmendment
from apps.budgets.locks import lock_budgets
from apps.cart.models import RequisitionTake
from apps.cart.services.requisition_moves import requisitions_lock
from apps.catalog.services.stock import stock_lock
from apps.common.events import event_record
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.order_amendment import order_amended
from apps.orders.services.order_amend import order_amend
from apps.orders.services.order_decided import order_approved, order_rejected

if TYPE_CHECKING:
    from apps.org.models import Account


class OrderSubject:
    """The handler that approvals call; the order is locked first, by `lock`."""

    def lock(self, *subject_ids: int) -> None:
        """Lock the orders' rows, by key, before their approvals'."""
        list(Order.objects.select_for_update().filter(pk__in=subject_ids).order_by("pk").values_list("pk"))

    def lock_held(self, *subject_ids: int) -> None:
        """Lock the budgets, the products and the requisitions that the orders hold, each by key."""
        held = list(Order.objects.filter(pk__in=subject_ids).values_list("order_no", "budget_reservation__budget_id"))
        lock_budgets(budget_ids={budget for _, budget in held if budget is not None})
        products = OrderLine.objects.filter(order__in=subject_ids, quantity__gt=0).values_list("product_id", flat=True)
        stock_lock(product_ids=set(products))
        asked = RequisitionTake.objects.filter(order_no__in=[number for number, _ in held]).values_list("line__requisition_id", flat=True)
        requisitions_lock(ids=set(asked))

    def approved(self, subject_id: int, *, actor: Account | None) -> None:
        """The last step has passed: the order waits for staff."""
        order_approved(actor=actor, order_id=subject_id)

    def rejected(self, subject_id: int, *, actor: Account, reason: str, acting_for: Account | None = None) -> None:
        """Somebody has rejected it: the order ends, stock and budget go back."""
        order_rejected(actor=actor, order_id=subject_id, reason=reason, acting_for=acting_for)

    def noted(self, subject_id: int, *, actor: Account | None, kind: str, note: str, acting_for: Account | None = None) -> None:
        """Write a step of the approval into the order's timeline."""
        order = Order.objects.only("pk", "group_id", "status").get(pk=subject_id)
        state = order.status
        event_record(order, actor=actor, kind=kind, from_state=state, to_state=state, reason=note[:500], acting_for=acting_for)

    def lines(self, subject_id: int) -> list[LineNow]:
        """Return the order's lines in their order."""
        rows = OrderLine.objects.filter(order=subject_id).order_by("no")
        return [LineNow(row.pk, row.customer_name or row.name, row.unit, row.quantity) for row in rows]

    def amendment(self, subject_id: int, *, quantities: Mapping[int, int]) -> SubjectAmendment:
        """Return what the quantities would make of the order."""
        order = Order.objects.select_related("budget_reservation__budget", "requester__group").get(pk=subject_id)
        return order_amended(order=order, quantities=quantities).difference

    def amend(
        self, subject_id: int, *, quantities: Mapping[int, int], actor: Account, reason: str, acting_for: Account | None = None
    ) -> SubjectAmendment:
        """Lower the order's quantities; what is freed goes back to budget and stock."""
        return order_amend(actor=actor, order_id=subject_id, quantities=quantities, reason=reason, acting_for=acting_for)
