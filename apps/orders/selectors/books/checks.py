"""Check that the quantities, amounts and states of orders match their lines, shipments,
payments and events.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache

from apps.approvals.enums import ApprovalStatus
from apps.common.books import Difference
from apps.common.money import ZERO, tax_of
from apps.orders.enums import OrderApprovalStatus, OrderStatus, PaymentKind
from apps.orders.selectors.books.batch import Line, OrderFacts, Sent, order_batches
from apps.orders.selectors.credit import credits_of
from apps.orders.settlement import order_due, settlement_of

S = OrderStatus
ENDED_UNSHIPPED = (S.REJECTED, S.WITHDRAWN, S.CANCELLED)
HOLDS_NO_BUDGET = (*ENDED_UNSHIPPED, S.COMPLETED)
BEFORE_SHIPMENT = (S.PENDING_APPROVAL, S.PENDING_CONFIRM, S.PENDING_SHIPMENT)
# State of the approval → approval state of the order. Without an approval it is NOT_NEEDED.
APPROVAL_AXIS: dict[str, str] = {
    ApprovalStatus.PENDING: OrderApprovalStatus.PENDING,
    ApprovalStatus.APPROVED: OrderApprovalStatus.APPROVED,
    ApprovalStatus.REJECTED: OrderApprovalStatus.REJECTED,
    ApprovalStatus.WITHDRAWN: OrderApprovalStatus.WITHDRAWN,
}


def order_differences() -> Iterator[Difference]:
    """Yield every difference of the orders in the open scope, then those of the used credit of
    enterprises.
    """
    owed: defaultdict[int, Decimal] = defaultdict(lambda: ZERO)
    for batch in order_batches():
        for facts in batch.facts:
            for line in facts.lines:
                yield from _line(facts, line, batch.sent.get(line.pk) or Sent())
            for check in CHECKS:
                yield from check(facts)
            if facts.order.payment_kind == PaymentKind.CREDIT:
                owed[facts.order.enterprise_id] += max(
                    order_due(facts.order, facts.lines) - facts.paid, ZERO
                )
    yield from _credit(owed)


def _credit(owed: Mapping[int, Decimal]) -> Iterator[Difference]:
    """Check that the used credit of a submit equals the debt from orders, payments and returns."""
    for enterprise_id, credit in credits_of(list(owed)).items():
        if credit.used != owed[enterprise_id]:
            yield Difference(
                f"企业 {enterprise_id}", "未结月结款", credit.used, owed[enterprise_id]
            )


def _name(facts: OrderFacts) -> str:
    return f"订单 {facts.order.order_no}"


# Many lines share the same amount, so a cache saves most of the work.
_tax = lru_cache(maxsize=20_000)(tax_of)


def _line(facts: OrderFacts, line: Line, sent: Sent) -> Iterator[Difference]:
    subject = f"订单 {facts.order.order_no} 第 {line.no} 行"
    if line.shipped_quantity != sent.shipped:
        yield Difference(subject, "已发数量", line.shipped_quantity, sent.shipped)
    if line.received_quantity != sent.received:
        yield Difference(subject, "已收数量", line.received_quantity, sent.received)
    if line.received_quantity != sent.taken:
        yield Difference(subject, "签收单数量", sent.taken, line.received_quantity)
    if sent.amount != line.unit_price_incl_tax * sent.taken:
        yield Difference(subject, "签收金额", sent.amount, line.unit_price_incl_tax * sent.taken)
    if sent.taken == line.quantity and sent.tax != line.tax_amount:
        yield Difference(subject, "签收税额", sent.tax, line.tax_amount)
    amount = line.unit_price_incl_tax * line.quantity
    if line.amount_incl_tax != amount:
        yield Difference(subject, "金额", line.amount_incl_tax, amount)
    if line.tax_amount != (tax := _tax(line.amount_incl_tax, line.tax_rate)):
        yield Difference(subject, "税额", line.tax_amount, tax)


def _amounts(facts: OrderFacts) -> Iterator[Difference]:
    order = facts.order
    goods = sum((line.amount_incl_tax for line in facts.lines), ZERO)
    tax = sum((line.tax_amount for line in facts.lines), ZERO)
    if order.goods_amount != goods:
        yield Difference(_name(facts), "商品金额", order.goods_amount, goods)
    if order.tax_amount != tax:
        yield Difference(_name(facts), "税额", order.tax_amount, tax)


def _state(facts: OrderFacts) -> Iterator[Difference]:
    """Check that the state matches the last event and the shipped and received quantities."""
    order = facts.order
    if facts.submissions != 1:
        yield Difference(_name(facts), "提交记录", facts.submissions, 1)
    if facts.last_state and order.status != facts.last_state:
        yield Difference(_name(facts), "订单状态", order.status, facts.last_state)
    allowed = _states_allowed(facts)
    if order.status not in allowed:
        yield Difference(_name(facts), "订单状态（按收发数量）", order.status, " 或 ".join(allowed))


def _states_allowed(facts: OrderFacts) -> tuple[str, ...]:
    wanted, shipped, received = (
        sum(getattr(line, name) for line in facts.lines)
        for name in ("quantity", "shipped_quantity", "received_quantity")
    )
    if shipped == 0:
        return (*BEFORE_SHIPMENT, *ENDED_UNSHIPPED)
    if shipped < wanted:
        return (S.PARTLY_SHIPPED,)
    return (S.PENDING_RECEIPT,) if received < wanted else (S.COMPLETED,)


def _approval(facts: OrderFacts) -> Iterator[Difference]:
    order = facts.order
    axis = APPROVAL_AXIS[facts.approvals[-1]] if facts.approvals else OrderApprovalStatus.NOT_NEEDED
    if order.approval_status != axis:
        yield Difference(_name(facts), "审批状态", order.approval_status, axis)
    is_waiting = order.approval_status == OrderApprovalStatus.PENDING
    if is_waiting != (order.status == S.PENDING_APPROVAL):
        yield Difference(
            _name(facts),
            "订单状态（按审批）",
            order.status,
            S.PENDING_APPROVAL if is_waiting else "非待审批",
        )


def _settlement(facts: OrderFacts) -> Iterator[Difference]:
    order = facts.order
    due = order_due(order, facts.lines)
    settled = settlement_of(order, due=due, paid=facts.paid)
    if order.settlement_status != settled:
        yield Difference(_name(facts), "结算状态", order.settlement_status, settled)
    if facts.refunded != facts.refunds:
        yield Difference(_name(facts), "已退金额", facts.refunded, facts.refunds)
    if facts.paid > due:
        yield Difference(_name(facts), "已付金额", facts.paid, f"不超过 {due}")


def _budget(facts: OrderFacts) -> Iterator[Difference]:
    """Check the reserved budget: zero for an ended order, the amount not received for an open
    one.
    """
    order = facts.order
    if order.held_reference is None:
        return
    if order.held_reference != order.order_no:
        yield Difference(_name(facts), "预算预占的单号", order.held_reference, order.order_no)
    if order.status in HOLDS_NO_BUDGET:
        left = ZERO
    else:
        left = order.total_amount - sum(
            (line.unit_price_incl_tax * line.received_quantity for line in facts.lines), ZERO
        )
    if order.held != left:
        yield Difference(_name(facts), "预算预占", order.held, left)


CHECKS: tuple[Callable[[OrderFacts], Iterator[Difference]], ...] = (
    _amounts,
    _state,
    _approval,
    _settlement,
    _budget,
)
