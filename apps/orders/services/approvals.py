"""Effects of an approval on its order: approve, reject, lower quantities. `OrderSubject` is the
handler that approvals call; `OrdersConfig.ready` registers it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import transaction

from apps.approvals.subjects import CurrentLine, SubjectAmendment
from apps.budgets.locks import lock_budget_paths
from apps.budgets.models import BudgetReservation
from apps.catalog.services.stock import stock_lock, stock_release
from apps.orders.enums import OrderEventKind, OrderStatus, PaymentKind
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.earmarks import list_earmarked_amounts
from apps.orders.selectors.order_reduction import AmendedOrder, get_amended_order
from apps.orders.services.allocations import allocations_rescale
from apps.orders.services.budget_use import order_budgets_reduce
from apps.orders.services.cancellations import order_release
from apps.orders.services.payments import payment_open
from apps.orders.services.transitions import order_amounts_save, order_record, order_transition
from apps.orders.states import ORDERS
from apps.requisitions.models import RequisitionTake
from apps.requisitions.services.requisitions import requisitions_lock

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_NAMED_LINES = 10


class OrderSubject:
    """The handler that approvals call. `lock` locks the orders before their approvals."""

    def lock(self, *subject_ids: int) -> None:
        """Lock the rows of the orders, sorted by key, before their approvals are locked.

        For a submit to several addresses this also locks the first order of the batch: an
        amendment counts the quantities of all its orders, so two amendments come one after the
        other. The batch of an order never changes, so it is read before the lock. A subquery in the
        locking statement would read every order of the group.
        """
        batch_ids = Order.objects.filter(pk__in=subject_ids, batch__isnull=False).values_list(
            "batch_id", flat=True
        )
        keys = {*subject_ids, *batch_ids}
        locked_orders = Order.objects.select_for_update().filter(pk__in=keys)
        list(locked_orders.order_by("pk").values_list("pk"))

    def lock_held(self, *subject_ids: int) -> None:
        """Lock the budgets of the orders with their parents, the products and the requisitions,
        each sorted by key.
        """
        order_budgets = list(
            Order.objects.filter(pk__in=subject_ids).values_list(
                "order_no", "budget_reservation__budget_id", "is_earmarked"
            )
        )
        budget_ids = {budget for _, budget, _ in order_budgets if budget is not None}
        # The reservations of earmarked budgets name their order by its number.
        earmarked = [number for number, _, is_earmarked in order_budgets if is_earmarked]
        if earmarked:
            reserved = BudgetReservation.objects.filter(reference__in=earmarked)
            budget_ids |= set(reserved.values_list("budget_id", flat=True))
        lock_budget_paths(budget_ids=budget_ids)
        products = OrderLine.objects.filter(order__in=subject_ids, quantity__gt=0).values_list(
            "product_id", flat=True
        )
        stock_lock(product_ids=set(products))
        requisition_ids = RequisitionTake.objects.filter(
            order_no__in=[number for number, *_ in order_budgets]
        ).values_list("line__requisition_id", flat=True)
        requisitions_lock(ids=set(requisition_ids))

    def on_approved(self, subject_id: int, *, actor: Account | None) -> None:
        """Approve the order. It then waits for the confirmation of the staff."""
        order_approve(actor=actor, order_id=subject_id)

    def on_rejected(
        self, subject_id: int, *, actor: Account, reason: str, acting_for: Account | None = None
    ) -> None:
        """Reject the order and release its stock and budget."""
        order_reject(actor=actor, order_id=subject_id, reason=reason, acting_for=acting_for)

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
        ORDERS.write_event(
            order,
            actor=actor,
            kind=kind,
            before=order.status,
            reason=note,
            acting_for=acting_for,
        )

    def list_lines(self, subject_id: int) -> list[CurrentLine]:
        """Return the lines of the order, sorted by line number."""
        rows = OrderLine.objects.filter(order=subject_id).order_by("no")
        return [
            CurrentLine(
                line_id=row.pk,
                name=row.customer_name or row.name,
                unit=row.unit,
                quantity=row.quantity,
            )
            for row in rows
        ]

    def preview_amendment(
        self, subject_id: int, *, quantities: Mapping[int, int]
    ) -> SubjectAmendment:
        """Return the effect of lower quantities on the order. Nothing is written."""
        rows = Order.objects.select_related(
            "budget_reservation__budget", "requester__group", "department"
        )
        order = rows.get(pk=subject_id)
        return get_amended_order(order=order, quantities=quantities).difference

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


@transaction.atomic
def order_approve(*, actor: Account | None, order_id: int) -> None:
    """Move an order from 待审批 to 待确认. Opens the payment of an order with online payment.

    Raises:
        WrongState: it is no longer 待审批.
    """
    order = _lock(order_id)
    before = order_transition(order, "approve", "通过审批")
    if order.payment_kind == PaymentKind.ONLINE:
        payment_open(order=order)
    order_record(order, actor=actor, kind=OrderEventKind.APPROVED, before=before)


@transaction.atomic
def order_reject(
    *, actor: Account, order_id: int, reason: str, acting_for: Account | None = None
) -> None:
    """Move an order from 待审批 to 审批驳回. Releases its budget and its stock.

    Raises:
        WrongState: it is no longer 待审批.
    """
    order = _lock(order_id)
    before = order_transition(order, "reject", "驳回")
    order_release(order, actor=actor, note="审批驳回")
    order_record(
        order,
        actor=actor,
        kind=OrderEventKind.REJECTED,
        before=before,
        reason=reason,
        acting_for=acting_for,
    )


def _lock(order_id: int) -> Order:
    order: Order = (
        Order.objects.select_for_update(of=("self",))
        .select_related("budget_reservation")
        .get(pk=order_id)
    )
    return order


@transaction.atomic
def order_amend(
    *,
    actor: Account,
    order_id: int,
    quantities: Mapping[int, int],
    reason: str,
    acting_for: Account | None = None,
) -> SubjectAmendment:
    """Lower quantities of an order whose approval is locked. Release the difference to budget
    and stock, and return it.

    Raises:
        WrongState: it is no longer 待审批.
        ValidationFailed, QuantityIllegal: as `get_amended_order`.
    """
    order = _lock_with_budget(order_id)
    if order.status != OrderStatus.PENDING_APPROVAL:
        raise ORDERS.build_wrong_state(order, "调整数量")
    amended = get_amended_order(order=order, quantities=quantities)
    freed = order.total_amount - amended.total
    _write_amendment(order, amended)
    order_budgets_reduce(
        order, actor=actor, lines=amended.remaining_lines, amount=freed, note="审批调整数量"
    )
    stock_release(lines=amended.released_pieces, reference=order.order_no)
    _record_amendment(order, amended.difference, actor=actor, reason=reason, acting_for=acting_for)
    return amended.difference


def _lock_with_budget(order_id: int) -> Order:
    """Return the order with its budget and the budgets above locked, so that the check of the
    budgets stays true until the commit.
    """
    rows = Order.objects.select_for_update(of=("self",)).select_related(
        "budget_reservation", "requester__group", "department"
    )
    order: Order = rows.get(pk=order_id)
    reservation = order.budget_reservation
    budget_ids = {reservation.budget_id} if reservation else set()
    budget_ids |= {row.reservation.budget_id for row in list_earmarked_amounts(order)}
    if budget_ids:
        locked_budgets = lock_budget_paths(budget_ids=budget_ids)
        if reservation:
            reservation.budget = locked_budgets[reservation.budget_id]
    return order


def _write_amendment(order: Order, amended: AmendedOrder) -> None:
    """Save the reduced quantities and amounts, and delete the removed lines."""
    allocations_rescale(order, lines=amended.remaining_lines, freight=amended.freight)
    # Skip Django's collection of related rows: a line in approval has no others, and a foreign
    # key would block the delete.
    removed_lines = OrderLine.objects.filter(pk__in=[line.pk for line in amended.removed_lines])
    removed_lines._raw_delete(using=removed_lines.db)
    OrderLine.objects.bulk_update(
        [line for line in amended.remaining_lines if line.product_id in amended.released_pieces],
        ["quantity", "amount_incl_tax", "tax_amount"],
    )
    order_amounts_save(order, goods=amended.goods, freight=amended.freight, tax=amended.tax)


def _record_amendment(
    order: Order,
    difference: SubjectAmendment,
    *,
    actor: Account,
    reason: str,
    acting_for: Account | None,
) -> None:
    """Write what the approver changed, and why, into the timeline of the order."""
    lines = [
        f"{row.name} {row.before} → {row.after} {row.unit}"
        if row.after
        else f"移除 {row.name}（{row.before} {row.unit}）"
        for row in difference.lines
    ]
    more = f"等 {len(lines)} 项" if len(lines) > MAX_NAMED_LINES else ""
    total = f"总额 ¥{difference.before.amount:,.2f} → ¥{difference.after.amount:,.2f}"
    note = f"{total}；原因：{reason}；{'，'.join(lines[:MAX_NAMED_LINES])}{more}"
    ORDERS.write_event(
        order,
        actor=actor,
        kind="approval.amended",
        before=order.status,
        reason=note,
        acting_for=acting_for,
    )
