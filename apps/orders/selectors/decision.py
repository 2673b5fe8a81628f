"""Data for the decision of an approver: prices and earlier purchases, the budget, and the other
orders of the requester in the month.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils import timezone

from apps.approvals.models import (
    Approval,
    ApprovalAmendment,
    ApprovalCopy,
    ApprovalRemark,
)
from apps.approvals.selectors.approvals import (
    get_approval_detail,
    list_amendments,
    list_copies,
    list_remarks,
)
from apps.approvals.selectors.delegations import StandIn, list_stand_ins_of
from apps.approvals.selectors.inbox import BoxFilter, Neighbours, find_neighbours
from apps.budgets.selectors.budget_tree import get_path
from apps.common.days import start_of_day
from apps.common.money import ZERO
from apps.orders.enums import ENDED_UNSHIPPED, OrderStatus
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.access import SUBJECT_TYPE
from apps.orders.selectors.batches import BatchApproval, list_batch_approvals
from apps.orders.selectors.earmarks import (
    EarmarkLevel,
    get_earmark_levels,
    list_earmarked_amounts,
)

if TYPE_CHECKING:
    from apps.budgets.models import Budget, BudgetReservation
    from apps.org.models import Account

WAITING = Q(status=OrderStatus.PENDING_APPROVAL)


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """A line, and the last earlier purchase of the same product by the enterprise. None if
    there is none.
    """

    line: OrderLine
    last: OrderLine | None


@dataclass(frozen=True, slots=True)
class BudgetEffect:
    """The budget of the order in 元: 可用 without the order, the amount that the order holds or
    has used, and 可用 with the order. `parents` are the budgets above, upwards.
    """

    reservation: BudgetReservation
    before: Decimal
    charged_amount: Decimal
    after: Decimal
    parents: tuple[Budget, ...]


@dataclass(frozen=True, slots=True)
class RequesterMonth:
    """The other orders of the requester in the month of this order. `in_approval` counts those
    that wait for approval.
    """

    orders: int
    amount: Decimal
    in_approval: int


@dataclass(frozen=True, slots=True)
class DecidedOrder:
    """The order as its approver sees it."""

    order: Order
    lines: list[DecisionLine]
    budget: BudgetEffect | None
    earmarks: list[EarmarkLevel]
    month: RequesterMonth
    batch: list[BatchApproval]


@dataclass(frozen=True, slots=True)
class Decision:
    """An approval with the data for its decision. `order` is None if the subject is not an
    order.
    """

    approval: Approval
    order: DecidedOrder | None
    stand_ins: list[StandIn]
    amendments: list[ApprovalAmendment]
    remarks: list[ApprovalRemark]
    copies: list[ApprovalCopy]
    beside: Neighbours


def get_decision(*, actor: Account, approval_id: int, box: str, filters: BoxFilter) -> Decision:
    """Return the data of the decision page, with the neighbours of the approval in the actor's
    box under the filter.

    Raises:
        ApprovalNotFound: the actor cannot see an approval with this id.
    """
    approval = get_approval_detail(actor=actor, approval_id=approval_id)
    return Decision(
        approval=approval,
        order=_build_decided_order(actor, approval)
        if approval.subject_type == SUBJECT_TYPE
        else None,
        stand_ins=list_stand_ins_of(approval=approval),
        amendments=list(list_amendments().filter(approval=approval))
        if approval.version > 1
        else [],
        remarks=list(list_remarks(approval=approval)),
        copies=list(list_copies(approval=approval))
        if getattr(approval, "has_copies", True)
        else [],
        beside=find_neighbours(actor=actor, approval=approval, box=box, filters=filters),
    )


def _build_decided_order(actor: Account, approval: Approval) -> DecidedOrder:
    """Return the order with all that an approver needs for the decision."""
    order = Order.objects.select_related("budget_reservation__budget").get(pk=approval.subject_id)
    return DecidedOrder(
        order=order,
        lines=_build_lines(order),
        budget=_compute_budget_effect(order.budget_reservation),
        earmarks=get_earmark_levels(list_earmarked_amounts(order)),
        month=_sum_requester_month(order),
        batch=list_batch_approvals(actor=actor, order=order),
    )


def _list_counting_lines(order: Order) -> QuerySet[OrderLine]:
    """Return the earlier lines of the enterprise, without orders that are in approval,
    rejected, withdrawn or cancelled.
    """
    lines: QuerySet[OrderLine] = OrderLine.objects.filter(
        order__enterprise=order.enterprise_id,
        order__submitted_at__lt=order.submitted_at,
        quantity__gt=0,
    ).exclude(order__status__in=(*ENDED_UNSHIPPED, OrderStatus.PENDING_APPROVAL))
    return lines


def _build_lines(order: Order) -> list[DecisionLine]:
    """Return the lines with the last purchase of each product."""
    last = (
        _list_counting_lines(order)
        .filter(product=OuterRef("product"))
        .order_by("-order__submitted_at", "-pk")
    )
    rows = OrderLine.objects.filter(order=order).select_related("product")
    lines = list(rows.annotate(last_id=Subquery(last.values("pk")[:1])).order_by("no"))
    line_by_id = OrderLine.objects.select_related("order").in_bulk(
        [row.last_id for row in lines if row.last_id]
    )
    return [DecisionLine(row, line_by_id.get(row.last_id)) for row in lines]


def _compute_budget_effect(reservation: BudgetReservation | None) -> BudgetEffect | None:
    """Return what the order takes from its budget, and the available amount before and after, in
    元.
    """
    if reservation is None:
        return None
    charged_amount = reservation.amount + reservation.consumed
    after = reservation.budget.available
    return BudgetEffect(
        reservation=reservation,
        before=after + charged_amount,
        charged_amount=charged_amount,
        after=after,
        parents=tuple(get_path(reservation.budget)[1:]),
    )


def _sum_requester_month(order: Order) -> RequesterMonth:
    """Return the requester's other orders of the same calendar month: number, sum in 元, and how
    many wait for approval.
    """
    day = timezone.localtime(order.submitted_at).date()
    first = day.replace(day=1)
    following = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
    others = (
        Order.objects.filter(
            requester=order.requester_id,
            submitted_at__gte=start_of_day(first),
            submitted_at__lt=start_of_day(following),
        )
        .exclude(pk=order.pk)
        .exclude(status__in=ENDED_UNSHIPPED)
    )
    sums = others.aggregate(
        orders=Count("pk"), amount=Sum("total_amount"), waiting=Count("pk", filter=WAITING)
    )
    return RequesterMonth(sums["orders"], sums["amount"] or ZERO, sums["waiting"])
