"""Data of a batch of orders for the checks. A fixed number of queries per batch; rows are not
turned into model instances, for speed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import Sum

from apps.approvals.models import Approval
from apps.common.models import Event
from apps.common.money import ZERO
from apps.orders.enums import OrderEventKind, OrderStatus, PaymentStatus
from apps.orders.models import Order, OrderLine, Payment, PaymentRefund, ReceiptLine, ShipmentLine
from apps.orders.selectors.scope import SUBJECT_TYPE

PAID = (PaymentStatus.PAID, PaymentStatus.REFUNDED)
BATCH = 2000
STATES = frozenset(OrderStatus.values)


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
class Sent:
    """The figures from the shipments and receipts of a line."""

    shipped: int = 0
    received: int = 0
    # Sums of the receipts: pieces, amount and tax.
    taken: int = 0
    amount: Decimal = ZERO
    tax: Decimal = ZERO


@dataclass(slots=True)
class Batch:
    """A batch of orders with their figures, and the shipped quantities by line."""

    facts: list[OrderFacts]
    sent: dict[int, Sent]


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
)


def _within(order: str, between: tuple[int, int]) -> dict[str, int]:
    return {f"{order}__gte": between[0], f"{order}__lte": between[1]}


def order_batches() -> Iterator[Batch]:
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
        _payments(facts, between)
        approvals = Approval.objects.filter(
            subject_type=SUBJECT_TYPE, subject_id__range=between
        ).order_by("pk")
        for subject_id, status in approvals.values_list("subject_id", "status"):
            facts[subject_id].approvals.append(status)
        _events(facts, between)
        yield Batch(list(facts.values()), _sent(between))


def _payments(facts: dict[int, OrderFacts], between: tuple[int, int]) -> None:
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


def _events(facts: dict[int, OrderFacts], between: tuple[int, int]) -> None:
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


def _sent(between: tuple[int, int]) -> dict[int, Sent]:
    sent: defaultdict[int, Sent] = defaultdict(Sent)
    rows = ShipmentLine.objects.filter(**_within("order_line__order", between)).order_by()
    sums: Any = rows.values_list("order_line_id").annotate(
        shipped=Sum("quantity"), received=Sum("received_quantity")
    )
    for line_id, shipped, received in sums:
        sent[line_id] = Sent(shipped, received)
    receipts = ReceiptLine.objects.filter(**_within("order_line__order", between)).order_by()
    sums = receipts.values_list("order_line_id").annotate(
        taken=Sum("quantity"), amount=Sum("amount_incl_tax"), tax=Sum("tax_amount")
    )
    for line_id, taken, amount, tax in sums:
        of_line = sent[line_id]
        of_line.taken, of_line.amount, of_line.tax = taken, amount, tax
    return sent
