"""The subject handler of orders: applies the decisions of an approval to its order.
`OrdersConfig.ready` registers it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from apps.approvals.subjects import CurrentLine, SubjectAmendment
from apps.budgets.locks import lock_budgets
from apps.catalog.services.stock import stock_lock
from apps.common.events import event_record
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.order_amendment import order_amended
from apps.orders.services.order_amend import order_amend
from apps.orders.services.order_decided import order_approved, order_rejected
from apps.requisitions.models import RequisitionTake
from apps.requisitions.services.requisition_flow import requisitions_lock

if TYPE_CHECKING:
    from apps.org.models import Account


class OrderSubject:
    """The handler that approvals call. `lock` locks the orders before their approvals."""

    def lock(self, *subject_ids: int) -> None:
        """Lock the rows of the orders, sorted by key, before their approvals are locked."""
        list(
            Order.objects.select_for_update()
            .filter(pk__in=subject_ids)
            .order_by("pk")
            .values_list("pk")
        )

    def lock_held(self, *subject_ids: int) -> None:
        """Lock the budgets, products and requisitions of the orders, each sorted by key."""
        held = list(
            Order.objects.filter(pk__in=subject_ids).values_list(
                "order_no", "budget_reservation__budget_id"
            )
        )
        lock_budgets(budget_ids={budget for _, budget in held if budget is not None})
        products = OrderLine.objects.filter(order__in=subject_ids, quantity__gt=0).values_list(
            "product_id", flat=True
        )
        stock_lock(product_ids=set(products))
        asked = RequisitionTake.objects.filter(
            order_no__in=[number for number, _ in held]
        ).values_list("line__requisition_id", flat=True)
        requisitions_lock(ids=set(asked))

    def on_approved(self, subject_id: int, *, actor: Account | None) -> None:
        """Approve the order. It then waits for the confirmation of the staff."""
        order_approved(actor=actor, order_id=subject_id)

    def on_rejected(
        self, subject_id: int, *, actor: Account, reason: str, acting_for: Account | None = None
    ) -> None:
        """Reject the order and release its stock and budget."""
        order_rejected(actor=actor, order_id=subject_id, reason=reason, acting_for=acting_for)

    def add_note(
        self,
        subject_id: int,
        *,
        actor: Account | None,
        kind: str,
        note: str,
        acting_for: Account | None = None,
    ) -> None:
        """Write a step of the approval into the timeline of the order."""
        order = Order.objects.only("pk", "group_id", "status").get(pk=subject_id)
        state = order.status
        event_record(
            order,
            actor=actor,
            kind=kind,
            from_state=state,
            to_state=state,
            reason=note[:500],
            acting_for=acting_for,
        )

    def list_lines(self, subject_id: int) -> list[CurrentLine]:
        """Return the lines of the order, sorted by line number."""
        rows = OrderLine.objects.filter(order=subject_id).order_by("no")
        return [
            CurrentLine(row.pk, row.customer_name or row.name, row.unit, row.quantity)
            for row in rows
        ]

    def preview_amendment(
        self, subject_id: int, *, quantities: Mapping[int, int]
    ) -> SubjectAmendment:
        """Return the effect of lower quantities on the order. Nothing is written."""
        order = Order.objects.select_related("budget_reservation__budget", "requester__group").get(
            pk=subject_id
        )
        return order_amended(order=order, quantities=quantities).difference

    def amend(
        self,
        subject_id: int,
        *,
        quantities: Mapping[int, int],
        actor: Account,
        reason: str,
        acting_for: Account | None = None,
    ) -> SubjectAmendment:
        """Lower quantities of the order and release the difference to budget and stock."""
        return order_amend(
            actor=actor,
            order_id=subject_id,
            quantities=quantities,
            reason=reason,
            acting_for=acting_for,
        )
