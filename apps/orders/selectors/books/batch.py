"""What the checks ask about so many orders, read in a fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from django.db.models import Sum

from apps.approvals.models import Approval
from apps.common.books import in_batches
from apps.common.models import Event
from apps.common.money import ZERO
from apps.orders.enums import OrderEventKind, OrderStatus, PaymentStatus
from apps.orders.models import Order, OrderLine, Payment, PaymentRefund, ReceiptLine, ShipmentLine
from apps.orders.selectors.scope import SUBJECT_TYPE

PAID = (PaymentStatus.PAID, PaymentStatus.REFUNDED)


@dataclass(slots=True)
class OrderFacts:
    """An order, and what its lines, shipments, payments, approval and events say about it."""

    order: Order
    lines: list[OrderLine] = field(default_factory=list)
    # What was paid less what went back; what payments say went back, and what the refunds say.
    paid: Decimal = ZERO
    refunded: Decimal = ZERO
    refunds: Decimal = ZERO
    approvals: list[str] = field(default_factory=list)
    submissions: int = 0
    last_state: str = ""


@dataclass(slots=True)
class Sent:
    """What shipments and receipts say of a line."""

    shipped: int = 0
    received: int = 0
    # What the receipts say: pieces, amount and tax.
    taken: int = 0
    amount: Decimal = ZERO
    tax: Decimal = ZERO


@dataclass(slots=True)
class Batch:
    """So many orders with their facts; what was sent, by line."""

    facts: list[OrderFacts]
    sent: dict[int, Sent]


def order_batches() -> Iterator[Batch]:
    """Yield all orders of the open scope, batch by batch."""
    for orders in in_batches(Order.objects.select_related("budget_reservation")):
        facts = {order.pk: OrderFacts(order) for order in orders}
        for line in OrderLine.objects.filter(order__in=facts).order_by("pk"):
            facts[line.order_id].lines.append(line)
        _payments(facts)
        approvals = Approval.objects.filter(subject_type=SUBJECT_TYPE, subject_id__in=facts).order_by("pk")
        for subject_id, status in approvals.values_list("subject_id", "status"):
            facts[subject_id].approvals.append(status)
        _events(facts)
        yield Batch(list(facts.values()), _sent(facts))


def _payments(facts: dict[int, OrderFacts]) -> None:
    rows = Payment.objects.filter(order__in=facts).order_by("pk")
    for order_id, status, amount, refunded in rows.values_list("order_id", "status", "amount", "refunded_amount"):
        facts[order_id].refunded += refunded
        if status in PAID:
            facts[order_id].paid += amount - refunded
    refunds = PaymentRefund.objects.filter(payment__order__in=facts).order_by()
    for order_id, total in refunds.values_list("payment__order_id").annotate(total=Sum("amount")):
        facts[order_id].refunds = total


def _events(facts: dict[int, OrderFacts]) -> None:
    groups = {row.order.group_id for row in facts.values()}
    # With the groups named, the index of the timeline answers.
    events = Event.objects.filter(group__in=groups, subject_type=Order._meta.label_lower, subject_id__in=list(facts))
    states = set(OrderStatus.values)
    for subject_id, kind, to_state in events.order_by("at", "pk").values_list("subject_id", "kind", "to_state"):
        facts[subject_id].submissions += kind == OrderEventKind.SUBMITTED
        if to_state in states:
            facts[subject_id].last_state = to_state


def _sent(facts: dict[int, OrderFacts]) -> dict[int, Sent]:
    sent: defaultdict[int, Sent] = defaultdict(Sent)
    rows = ShipmentLine.objects.filter(order_line__order__in=facts).order_by()
    sums = rows.values_list("order_line_id").annotate(shipped=Sum("quantity"), received=Sum("received_quantity"))
    for line_id, shipped, received in sums:
        sent[line_id] = Sent(shipped, received)
    receipts = ReceiptLine.objects.filter(order_line__order__in=facts).order_by()
    sums = receipts.values_list("order_line_id").annotate(taken=Sum("quantity"), amount=Sum("amount_incl_tax"), tax=Sum("tax_amount"))
    for line_id, taken, amount, tax in sums:
        of_line = sent[line_id]
        of_line.taken, of_line.amount, of_line.tax = taken, amount, tax
    return sent
