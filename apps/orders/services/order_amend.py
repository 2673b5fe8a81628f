"""Lower quantities of an order in approval. An approver does this before the decision. Lines,
amounts, budget and stock follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import transaction

from apps.approvals.subjects import SubjectAmendment
from apps.budgets.models import Budget
from apps.budgets.services.budget_moves import budget_release
from apps.catalog.services.stock import stock_release
from apps.common.events import event_record
from apps.common.money import ZERO
from apps.orders.enums import OrderStatus
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.order_amendment import AmendedOrder, order_amended
from apps.orders.services.moves import order_price, wrong_state

if TYPE_CHECKING:
    from apps.org.models import Account

MOST_NAMED = 10


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
        ValidationFailed, QuantityIllegal: as `order_amended`.
    """
    order = _locked(order_id)
    if order.status != OrderStatus.PENDING_APPROVAL:
        raise wrong_state(order, "调整数量")
    amended = order_amended(order=order, quantities=quantities)
    freed = order.total_amount - amended.total
    _written(order, amended)
    if freed > ZERO:
        budget_release(
            actor=actor, reservation=order.budget_reservation, amount=freed, note="审批调整数量"
        )
    stock_release(lines=amended.taken, reference=order.order_no)
    _recorded(order, amended.difference, actor=actor, reason=reason, acting_for=acting_for)
    return amended.difference


def _locked(order_id: int) -> Order:
    """Return the order with its budget locked, so that the check of the budget stays true until
    the commit.
    """
    rows = Order.objects.select_for_update(of=("self",)).select_related(
        "budget_reservation", "requester__group"
    )
    order: Order = rows.get(pk=order_id)
    if order.budget_reservation is not None:
        order.budget_reservation.budget = Budget.objects.select_for_update().get(
            pk=order.budget_reservation.budget_id
        )
    return order


def _written(order: Order, amended: AmendedOrder) -> None:
    # Skip Django's collection of related rows: a line in approval has none, and a foreign key
    # would block the delete.
    dropped = OrderLine.objects.filter(pk__in=[line.pk for line in amended.dropped])
    dropped._raw_delete(using=dropped.db)
    changed = {change.line_id for change in amended.difference.lines}
    OrderLine.objects.bulk_update(
        [line for line in amended.kept if line.pk in changed],
        ["quantity", "amount_incl_tax", "tax_amount"],
    )
    order_price(order, goods=amended.goods, freight=amended.freight, tax=amended.tax)


def _recorded(
    order: Order,
    difference: SubjectAmendment,
    *,
    actor: Account,
    reason: str,
    acting_for: Account | None,
) -> None:
    lines = [
        f"{row.name} {row.before} → {row.after} {row.unit}"
        if row.after
        else f"移除 {row.name}（{row.before} {row.unit}）"
        for row in difference.lines
    ]
    more = f"等 {len(lines)} 项" if len(lines) > MOST_NAMED else ""
    total = f"总额 ¥{difference.before.amount:,.2f} → ¥{difference.after.amount:,.2f}"
    note = f"{total}；原因：{reason}；{'，'.join(lines[:MOST_NAMED])}{more}"
    state = order.status
    event_record(
        order,
        actor=actor,
        kind="approval.amended",
        from_state=state,
        to_state=state,
        reason=note[:500],
        acting_for=acting_for,
    )
