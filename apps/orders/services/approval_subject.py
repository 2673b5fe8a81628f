"""What an approval's decision does to an order: registered under its subject type at start-up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from apps.approvals.subjects import SubjectAmendment
from apps.common.events import event_record
from apps.orders.models import Order
from apps.orders.selectors.order_amendment import order_amended
from apps.orders.services.order_amend import order_amend
from apps.orders.services.order_decided import order_approved, order_rejected

if TYPE_CHECKING:
    from apps.org.models import Account


class OrderSubject:
    """The handler that approvals call; the order is locked first, by `lock`."""

    def lock(self, subject_id: int) -> None:
        """Lock the order's row before the approval's."""
        Order.objects.select_for_update().filter(pk=subject_id).values_list("pk").first()

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

    def amendment(self, subject_id: int, *, quantities: Mapping[int, int]) -> SubjectAmendment:
        """Return what the quantities would make of the order."""
        order = Order.objects.select_related("budget_reservation__budget", "requester__group").get(pk=subject_id)
        return order_amended(order=order, quantities=quantities).difference

    def amend(
        self, subject_id: int, *, quantities: Mapping[int, int], actor: Account, reason: str, acting_for: Account | None = None
    ) -> SubjectAmendment:
        """Lower the order's quantities; what is freed goes back to budget and stock."""
        return order_amend(actor=actor, order_id=subject_id, quantities=quantities, reason=reason, acting_for=acting_for)
