"""Checks of the books of orders: quantities, amounts, states, the used credit and the reserved
stock match the lines, shipments, payments and events.

A batch of orders is read with a fixed number of queries. Its rows are not turned into model
instances, for speed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.db.models import F, Sum

from apps.approvals.enums import ApprovalStatus
from apps.approvals.models import Approval
from apps.catalog.models import Product
from apps.common.books import Difference, iterate_batches
from apps.common.models import Event
from apps.common.money import ZERO, compute_tax
from apps.orders.enums import (
    BEFORE_SHIPMENT,
    ENDED_UNSHIPPED,
    OrderApprovalStatus,
    OrderEventKind,
    OrderStatus,
    PaymentKind,
    PaymentStatus,
)
from apps.orders.models import Order, OrderLine, Payment, PaymentRefund, ReceiptLine, ShipmentLine
from apps.orders.selectors.access import SUBJECT_TYPE
from apps.orders.selectors.customer_terms import get_credits
from apps.orders.selectors.payments import compute_order_due, get_settlement_status
from apps.orders.snapshots import get_snapshot_price

PAID = (PaymentStatus.PAID, PaymentStatus.REFUNDED)
BATCH = 2000
STATES = frozenset(OrderStatus.values)

HEAD = (
    *(
        "pk",
        "order_no",
        "group_id",
        "enterprise_id",
        "payment_kind",
        "status",
        "approval_status",
        "settlement_status",
    ),
    *(
        "goods_amount",
        "tax_amount",
        "total_amount",
        "budget_reservation__reference",
        "budget_reservation__amount",
    ),
)
LINE = (
    *(
        "pk",
        "order_id",
        "no",
        "quantity",
        "shipped_quantity",
        "received_quantity",
        "returned_quantity",
    ),
    *("unit_price_incl_tax", "amount_incl_tax", "tax_rate", "tax_amount"),
    *("enterprise_key", "is_ended", "price_tiers"),
)
S = OrderStatus
HOLDS_NO_BUDGET = (*ENDED_UNSHIPPED, S.COMPLETED)
# State of the approval → approval state of the order. Without an approval it is NOT_NEEDED.
APPROVAL_AXIS: dict[str, str] = {
    ApprovalStatus.PENDING: OrderApprovalStatus.PENDING,
    ApprovalStatus.APPROVED: OrderApprovalStatus.APPROVED,
    ApprovalStatus.REJECTED: OrderApprovalStatus.REJECTED,
    ApprovalStatus.WITHDRAWN: OrderApprovalStatus.WITHDRAWN,
}
# Many lines share the same amount, so a cache saves most of the work.
_tax = lru_cache(maxsize=20_000)(compute_tax)


@dataclass(slots=True)
class Head:
    """The checked columns of an order. `held` is the amount of its budget reservation."""

    pk: int
    order_no: str
    group_id: int
    enterprise_id: int
    payment_kind: str
    status: str
    approval_status: str
    settlement_status: str
    goods_amount: Decimal
    tax_amount: Decimal
    total_amount: Decimal
    held_reference: str | None
    held: Decimal


@dataclass(slots=True)
class Line:
    """The checked columns of an order line."""

    pk: int
    order_id: int
    no: int
    quantity: int
    shipped_quantity: int
    received_quantity: int
    returned_quantity: int
    unit_price_incl_tax: Decimal
    amount_incl_tax: Decimal
    tax_rate: Decimal
    tax_amount: Decimal
    enterprise_key: int
    is_ended: bool
    price_tiers: dict[str, Any] | None


@dataclass(slots=True)
class OrderFacts:
    """An order, and the figures from its lines, payments, approvals and events."""

    order: Head
    lines: list[Line] = field(default_factory=list)
    # Paid less refunded; the refunds summed from payments; the refunds summed from refund entries.
    paid: Decimal = ZERO
    refunded: Decimal = ZERO
    refunds: Decimal = ZERO
    approvals: list[str] = field(default_factory=list)
    submissions: int = 0
    last_state: str = ""


@dataclass(slots=True)
class LineFigures:
    """The figures from the shipments and receipts of a line."""

    shipped: int = 0
    received: int = 0
    # Sums of the receipts: pieces, then amount and tax in 元.
    receipt_pieces: int = 0
    amount: Decimal = ZERO
    tax: Decimal = ZERO


@dataclass(slots=True)
class Batch:
    """A batch of orders with their figures, and the shipped quantities by line."""

    facts: list[OrderFacts]
    figures_by_line: dict[int, LineFigures]


def _within(order: str, between: tuple[int, int]) -> dict[str, int]:
    return {f"{order}__gte": between[0], f"{order}__lte": between[1]}


def iterate_order_batches() -> Iterator[Batch]:
    """Yield all orders of the open scope in batches. A batch is a range of keys, so the queries
    use indexes without a list of keys.
    """
    last = 0
    heads = Order.objects.order_by("pk").values_list(*HEAD)
    while rows := list(heads.filter(pk__gt=last)[:BATCH]):
        facts = {row[0]: OrderFacts(Head(*row)) for row in rows}
        between = (rows[0][0], last := rows[-1][0])
        for line in (
            OrderLine.objects.filter(**_within("order", between)).order_by("pk").values_list(*LINE)
        ):
            facts[line[1]].lines.append(Line(*line))
        _add_payments(facts, between)
        approvals = Approval.objects.filter(
            subject_type=SUBJECT_TYPE, subject_id__range=between
        ).order_by("pk")
        for subject_id, status in approvals.values_list("subject_id", "status"):
            facts[subject_id].approvals.append(status)
        _add_events(facts, between)
        yield Batch(list(facts.values()), _sum_shipped_and_received(between))


def _add_payments(facts: dict[int, OrderFacts], between: tuple[int, int]) -> None:
    """Add paid and refunded 元 to the facts of the orders with keys `between`."""
    rows = Payment.objects.filter(**_within("order", between)).order_by("pk")
    for order_id, status, amount, refunded in rows.values_list(
        "order_id", "status", "amount", "refunded_amount"
    ):
        facts[order_id].refunded += refunded
        if status in PAID:
            facts[order_id].paid += amount - refunded
    refunds = PaymentRefund.objects.filter(**_within("payment__order", between)).order_by()
    for order_id, total in refunds.values_list("payment__order_id").annotate(total=Sum("amount")):
        facts[order_id].refunds = total


def _add_events(facts: dict[int, OrderFacts], between: tuple[int, int]) -> None:
    """Add the number of submits and the last state of the timeline to the facts of the orders."""
    groups = {row.order.group_id for row in facts.values()}
    # The index of the timeline starts with the group.
    events = Event.objects.filter(
        group__in=groups, subject_type=Order._meta.label_lower, subject_id__range=between
    )
    for subject_id, kind, to_state in events.order_by("at", "pk").values_list(
        "subject_id", "kind", "to_state"
    ):
        of_order = facts.get(subject_id)
        if of_order is None:
            continue
        of_order.submissions += kind == OrderEventKind.SUBMITTED
        if to_state in STATES:
            of_order.last_state = to_state


def _sum_shipped_and_received(between: tuple[int, int]) -> dict[int, LineFigures]:
    """Return the sums of the shipments and receipts by order line pk, for the orders with keys
    `between`.
    """
    sent_by_line: defaultdict[int, LineFigures] = defaultdict(LineFigures)
    rows = ShipmentLine.objects.filter(**_within("order_line__order", between)).order_by()
    sums: Any = rows.values_list("order_line_id").annotate(
        shipped=Sum("quantity"), received=Sum("received_quantity")
    )
    for line_id, shipped, received in sums:
        sent_by_line[line_id] = LineFigures(shipped, received)
    receipts = ReceiptLine.objects.filter(**_within("order_line__order", between)).order_by()
    sums = receipts.values_list("order_line_id").annotate(
        receipt_pieces=Sum("quantity"), amount=Sum("amount_incl_tax"), tax=Sum("tax_amount")
    )
    for line_id, pieces, amount, tax in sums:
        of_line = sent_by_line[line_id]
        of_line.receipt_pieces, of_line.amount, of_line.tax = pieces, amount, tax
    return sent_by_line


def find_order_differences() -> Iterator[Difference]:
    """Yield every difference of the orders in the open scope, then those of the used credit of
    enterprises.
    """
    owed_by_enterprise: defaultdict[int, Decimal] = defaultdict(lambda: ZERO)
    for batch in iterate_order_batches():
        for facts in batch.facts:
            for line in facts.lines:
                yield from _compare_line(
                    facts, line, batch.figures_by_line.get(line.pk) or LineFigures()
                )
            for check in CHECKS:
                yield from check(facts)
            if facts.order.payment_kind == PaymentKind.CREDIT:
                owed_by_enterprise[facts.order.enterprise_id] += max(
                    compute_order_due(facts.order, facts.lines) - facts.paid, ZERO
                )
    yield from _find_credit_differences(owed_by_enterprise)


def _find_credit_differences(owed_by_enterprise: Mapping[int, Decimal]) -> Iterator[Difference]:
    """Check that the used credit of a submit equals the debt from orders, payments and returns."""
    for enterprise_id, credit in get_credits(list(owed_by_enterprise)).items():
        if credit.used != owed_by_enterprise[enterprise_id]:
            yield Difference(
                subject=f"企业 {enterprise_id}",
                figure="未结月结款",
                stored=credit.used,
                facts=owed_by_enterprise[enterprise_id],
            )


def _name_order(facts: OrderFacts) -> str:
    return f"订单 {facts.order.order_no}"


def _compare_line(facts: OrderFacts, line: Line, shipped: LineFigures) -> Iterator[Difference]:
    """Yield each stored figure of the line that differs from its shipments, receipts and price."""
    subject = f"订单 {facts.order.order_no} 第 {line.no} 行"
    if line.shipped_quantity != shipped.shipped:
        yield Difference(
            subject=subject, figure="已发数量", stored=line.shipped_quantity, facts=shipped.shipped
        )
    if line.received_quantity != shipped.received:
        yield Difference(
            subject=subject,
            figure="已收数量",
            stored=line.received_quantity,
            facts=shipped.received,
        )
    if line.received_quantity != shipped.receipt_pieces:
        yield Difference(
            subject=subject,
            figure="签收单数量",
            stored=shipped.receipt_pieces,
            facts=line.received_quantity,
        )
    if shipped.amount != line.unit_price_incl_tax * shipped.receipt_pieces:
        yield Difference(
            subject=subject,
            figure="签收金额",
            stored=shipped.amount,
            facts=line.unit_price_incl_tax * shipped.receipt_pieces,
        )
    if shipped.receipt_pieces == line.quantity and shipped.tax != line.tax_amount:
        yield Difference(
            subject=subject, figure="签收税额", stored=shipped.tax, facts=line.tax_amount
        )
    amount = line.unit_price_incl_tax * line.quantity
    if line.amount_incl_tax != amount:
        yield Difference(subject=subject, figure="金额", stored=line.amount_incl_tax, facts=amount)
    yield from _check_tier_price(subject, line)
    if line.tax_amount != (tax := _tax(line.amount_incl_tax, line.tax_rate)):
        yield Difference(subject=subject, figure="税额", stored=line.tax_amount, facts=tax)
    if line.enterprise_key != facts.order.enterprise_id:
        yield Difference(
            subject=subject,
            figure="企业编号",
            stored=line.enterprise_key,
            facts=facts.order.enterprise_id,
        )
    if line.is_ended != (facts.order.status in ENDED_UNSHIPPED):
        yield Difference(
            subject=subject,
            figure="未发货即结束",
            stored=line.is_ended,
            facts=facts.order.status in ENDED_UNSHIPPED,
        )


def _check_tier_price(subject: str, line: Line) -> Iterator[Difference]:
    """Check that the line has the price of its tiers for the quantity of the whole checkout, which
    is at least that of the line.
    """
    if line.price_tiers is None:
        return
    quantity = max(line.price_tiers["Quantity"], line.quantity)
    price = get_snapshot_price(line.price_tiers, quantity=quantity)
    if line.unit_price_incl_tax != price:
        yield Difference(subject, "单价（按阶梯价）", line.unit_price_incl_tax, price)


def _compare_amounts(facts: OrderFacts) -> Iterator[Difference]:
    """Yield the sums of the order in 元 that differ from the sums of its lines."""
    order = facts.order
    goods = sum((line.amount_incl_tax for line in facts.lines), ZERO)
    tax = sum((line.tax_amount for line in facts.lines), ZERO)
    if order.goods_amount != goods:
        yield Difference(
            subject=_name_order(facts), figure="商品金额", stored=order.goods_amount, facts=goods
        )
    if order.tax_amount != tax:
        yield Difference(
            subject=_name_order(facts), figure="税额", stored=order.tax_amount, facts=tax
        )


def _compare_state(facts: OrderFacts) -> Iterator[Difference]:
    """Check that the state matches the last event and the shipped and received quantities."""
    order = facts.order
    if facts.submissions != 1:
        yield Difference(
            subject=_name_order(facts), figure="提交记录", stored=facts.submissions, facts=1
        )
    if facts.last_state and order.status != facts.last_state:
        yield Difference(
            subject=_name_order(facts),
            figure="订单状态",
            stored=order.status,
            facts=facts.last_state,
        )
    allowed_states = _list_allowed_states(facts)
    if order.status not in allowed_states:
        yield Difference(
            subject=_name_order(facts),
            figure="订单状态（按收发数量）",
            stored=order.status,
            facts=" 或 ".join(allowed_states),
        )


def _list_allowed_states(facts: OrderFacts) -> tuple[str, ...]:
    """Return the order states that fit the shipped and received pieces."""
    ordered_pieces, shipped, received = (
        sum(getattr(line, name) for line in facts.lines)
        for name in ("quantity", "shipped_quantity", "received_quantity")
    )
    if shipped == 0:
        return (*BEFORE_SHIPMENT, *ENDED_UNSHIPPED)
    if shipped < ordered_pieces:
        return (S.PARTLY_SHIPPED,)
    return (S.PENDING_RECEIPT,) if received < ordered_pieces else (S.COMPLETED,)


def _compare_approval(facts: OrderFacts) -> Iterator[Difference]:
    """Yield the states of the order that contradict its last approval."""
    order = facts.order
    axis = APPROVAL_AXIS[facts.approvals[-1]] if facts.approvals else OrderApprovalStatus.NOT_NEEDED
    if order.approval_status != axis:
        yield Difference(
            subject=_name_order(facts), figure="审批状态", stored=order.approval_status, facts=axis
        )
    is_waiting = order.approval_status == OrderApprovalStatus.PENDING
    if is_waiting != (order.status == S.PENDING_APPROVAL):
        yield Difference(
            subject=_name_order(facts),
            figure="订单状态（按审批）",
            stored=order.status,
            facts=S.PENDING_APPROVAL if is_waiting else "非待审批",
        )


def _compare_settlement(facts: OrderFacts) -> Iterator[Difference]:
    """Yield the settlement figures that differ from the payments and refunds."""
    order = facts.order
    due = compute_order_due(order, facts.lines)
    expected_status = get_settlement_status(order, due=due, paid_amount=facts.paid)
    if order.settlement_status != expected_status:
        yield Difference(
            subject=_name_order(facts),
            figure="结算状态",
            stored=order.settlement_status,
            facts=expected_status,
        )
    if facts.refunded != facts.refunds:
        yield Difference(
            subject=_name_order(facts),
            figure="已退金额",
            stored=facts.refunded,
            facts=facts.refunds,
        )
    if facts.paid > due:
        yield Difference(
            subject=_name_order(facts), figure="已付金额", stored=facts.paid, facts=f"不超过 {due}"
        )


def _compare_budget(facts: OrderFacts) -> Iterator[Difference]:
    """Check the reserved budget: zero for an ended order, the amount not received for an open
    one.
    """
    order = facts.order
    if order.held_reference is None:
        return
    if order.held_reference != order.order_no:
        yield Difference(
            subject=_name_order(facts),
            figure="预算预占的单号",
            stored=order.held_reference,
            facts=order.order_no,
        )
    if order.status in HOLDS_NO_BUDGET:
        reserved_amount = ZERO
    else:
        reserved_amount = order.total_amount - sum(
            (line.unit_price_incl_tax * line.received_quantity for line in facts.lines), ZERO
        )
    if order.held != reserved_amount:
        yield Difference(
            subject=_name_order(facts), figure="预算预占", stored=order.held, facts=reserved_amount
        )


CHECKS: tuple[Callable[[OrderFacts], Iterator[Difference]], ...] = (
    _compare_amounts,
    _compare_state,
    _compare_approval,
    _compare_settlement,
    _compare_budget,
)


def find_reserved_differences() -> Iterator[Difference]:
    """Yield each product whose 预占 differs from the unshipped quantity of the open orders."""
    for products in iterate_batches(Product.objects.only("pk", "code", "reserved")):
        open_lines = OrderLine.objects.filter(
            product__in=[product.pk for product in products]
        ).exclude(order__status__in=HOLDS_NO_BUDGET)
        unshipped_pieces = (
            open_lines.order_by()
            .values_list("product_id")
            .annotate(pieces=Sum(F("quantity") - F("shipped_quantity")))
        )
        pieces = dict(unshipped_pieces)
        for product in products:
            if product.reserved != pieces.get(product.pk, 0):
                yield Difference(
                    subject=f"商品 {product.code}",
                    figure="库存预占（按订单）",
                    stored=product.reserved,
                    facts=pieces.get(product.pk, 0),
                )
