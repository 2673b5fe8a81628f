"""What an approver looks at before he decides on an order: prices against before, the budget, the requester's month."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils import timezone

from apps.approvals.models import Approval, ApprovalAmendment, ApprovalDelegation, ApprovalRemark
from apps.approvals.selectors.approvals import amendments, approval_detail
from apps.approvals.selectors.delegations import stand_ins_of
from apps.approvals.selectors.discussion import remarks_of
from apps.approvals.selectors.inbox import Beside, BoxFilter, approvals_beside
from apps.common.days import day_begins
from apps.common.money import ZERO
from apps.orders.enums import OrderStatus
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.batches import BatchApproval, batch_approvals
from apps.orders.selectors.product_history import CAME_TO_NOTHING
from apps.orders.selectors.scope import SUBJECT_TYPE

if TYPE_CHECKING:
    from apps.budgets.models import BudgetReservation
    from apps.org.models import Account

WAITING = Q(status=OrderStatus.PENDING_APPROVAL)


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """A line, and the enterprise's last line of the same product before it; None where it has never been bought."""

    line: OrderLine
    last: OrderLine | None


@dataclass(frozen=True, slots=True)
class BudgetEffect:
    """可用 of the order's budget without this order, what the order holds or has used of it, and 可用 with it."""

    reservation: BudgetReservation
    before: Decimal
    taken: Decimal
    after: Decimal


@dataclass(frozen=True, slots=True)
class RequesterMonth:
    """The requester's other orders of the month in which this one was submitted; `in_approval` of them wait for their approval."""

    orders: int
    amount: Decimal
    in_approval: int


@dataclass(frozen=True, slots=True)
class DecidedOrder:
    """The order as its approver sees it."""

    order: Order
    lines: list[DecisionLine]
    budget: BudgetEffect | None
    month: RequesterMonth
    batch: list[BatchApproval]


@dataclass(frozen=True, slots=True)
class Decision:
    """One approval with all that it takes to decide; `order` is None where something else than an order is approved."""

    approval: Approval
    order: DecidedOrder | None
    stand_ins: list[ApprovalDelegation]
    amendments: list[ApprovalAmendment]
    remarks: list[ApprovalRemark]
    beside: Beside


def decision_of(*, actor: Account, approval_id: int, box: str, wanted: BoxFilter) -> Decision:
    """Return what the decision's page shows to whoever may see the approval, with its neighbours in his box under the filter.

    Raises:
        ApprovalNotFound: there is none, or it is not for him.
    """
    approval = approval_detail(actor=actor, approval_id=approval_id)
    return Decision(
        approval=approval,
        order=_order(actor, approval) if approval.subject_type == SUBJECT_TYPE else None,
        stand_ins=stand_ins_of(approval=approval),
        amendments=list(amendments().filter(approval=approval)) if approval.version > 1 else [],
        remarks=list(remarks_of(approval=approval)),
        beside=approvals_beside(actor=actor, approval=approval, box=box, wanted=wanted),
    )


def _order(actor: Account, approval: Approval) -> DecidedOrder:
    order = Order.objects.select_related("budget_reservation__budget").get(pk=approval.subject_id)
    return DecidedOrder(order, _lines(order), _budget(order.budget_reservation), _month(order), batch_approvals(actor=actor, order=order))


def _counting(order: Order) -> QuerySet[OrderLine]:
    """Return what the order's enterprise bought before it: lines that waited for no approval and did not come to nothing."""
    bought: QuerySet[OrderLine] = OrderLine.objects.filter(
        order__enterprise=order.enterprise_id, order__submitted_at__lt=order.submitted_at, quantity__gt=0
    ).exclude(order__status__in=(*CAME_TO_NOTHING, OrderStatus.PENDING_APPROVAL))
    return bought


def _lines(order: Order) -> list[DecisionLine]:
    """Return the lines with the last purchase of each product; two queries."""
    last = _counting(order).filter(product=OuterRef("product")).order_by("-order__submitted_at", "-pk")
    rows = OrderLine.objects.filter(order=order).select_related("product")
    lines = list(rows.annotate(last_id=Subquery(last.values("pk")[:1])).order_by("no"))
    known = OrderLine.objects.select_related("order").in_bulk([row.last_id for row in lines if row.last_id])
    return [DecisionLine(row, known.get(row.last_id)) for row in lines]


def _budget(reservation: BudgetReservation | None) -> BudgetEffect | None:
    if reservation is None:
        return None
    taken = reservation.amount + reservation.consumed
    after = reservation.budget.available
    return BudgetEffect(reservation, after + taken, taken, after)


def _month(order: Order) -> RequesterMonth:
    day = timezone.localtime(order.submitted_at).date()
    first = day.replace(day=1)
    following = first.replace(year=first.year + first.month // 12, month=first.month % 12 + 1)
    others = (
        Order.objects.filter(requester=order.requester_id, submitted_at__gte=day_begins(first), submitted_at__lt=day_begins(following))
        .exclude(pk=order.pk)
        .exclude(status__in=CAME_TO_NOTHING)
    )
    told = others.aggregate(orders=Count("pk"), amount=Sum("total_amount"), waiting=Count("pk", filter=WAITING))
    return RequesterMonth(told["orders"], told["amount"] or ZERO, told["waiting"])
