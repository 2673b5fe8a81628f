"""Age of debts: received and unpaid amounts by the days since their due date. The payment terms
belong to the enterprise.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import F, Sum
from django.utils import timezone

from apps.common.days import get_next_month
from apps.common.money import ZERO, MoneyField
from apps.invoices.enums import DebtAge, StatementKind, StatementStatus
from apps.invoices.models import Statement, StatementLine
from apps.invoices.selectors.statements import list_visible_statements
from apps.orders.enums import PaymentStatus, SettlementStatus
from apps.orders.models import Order, OrderLine, Payment, ReceiptLine
from apps.orders.selectors.payments import RETURNED_AMOUNT
from apps.org.models import Enterprise

if TYPE_CHECKING:
    from apps.org.models import Account

Ages = dict[str, Decimal]
# Age → the maximum number of overdue days.
LIMITS = (
    (0, DebtAge.NOT_DUE),
    (30, DebtAge.UP_TO_30),
    (60, DebtAge.UP_TO_60),
    (90, DebtAge.UP_TO_90),
)


@dataclass(frozen=True, slots=True)
class Debt:
    """The debts of one enterprise today, in 元 含税."""

    enterprise: Enterprise
    ages: Ages
    prepaid: Decimal

    @property
    def total(self) -> Decimal:
        """The sum of all ages."""
        return sum(self.ages.values(), ZERO)

    @property
    def overdue(self) -> Decimal:
        """The part that is past its due date."""
        return self.total - self.ages[DebtAge.NOT_DUE]


@dataclass(frozen=True, slots=True)
class ClosingDebt:
    """The debts at the end of a statement's month, in 元 含税. The sum of `ages` less `prepaid` is
    the closing of the statement.
    """

    day: date
    ages: Ages
    prepaid: Decimal


def find_closing_debt(*, statement: Statement) -> ClosingDebt | None:
    """Return the debts by age on the last day of the statement's month, from the lines of this and
    all earlier statements of the enterprise. None while the month is running. One query.

    Payments and returns of an order are allocated to its oldest receipt first, as in `get_debts`.
    """
    if statement.status == StatementStatus.RUNNING:
        return None
    day = get_next_month(statement.month) - timedelta(days=1)
    parts: dict[int | None, list[tuple[datetime, Decimal]]] = defaultdict(list)
    settled_by_order: dict[int | None, Decimal] = defaultdict(lambda: ZERO)
    lines = StatementLine.objects.filter(
        statement__enterprise=statement.enterprise_id, statement__month__lte=statement.month
    ).exclude(kind=StatementKind.INVOICE)
    for order_id, kind, at, amount in (
        lines.order_by()
        .values_list("order_id", "kind", "at")
        .annotate(total=Sum("amount"))
        .iterator(chunk_size=2000)
    ):
        if kind in (StatementKind.DELIVERY, StatementKind.FREIGHT):
            parts[order_id].append((at, amount))
        else:
            settled_by_order[order_id] += amount
    ages: Ages = dict.fromkeys(DebtAge.values, ZERO)
    prepaid = ZERO
    for order_id in parts.keys() | settled_by_order.keys():
        prepaid += _add_ages(
            ages,
            parts[order_id],
            settled_amount=settled_by_order[order_id],
            credit_days=statement.enterprise.credit_days,
            today=day,
        )
    return ClosingDebt(day, ages, prepaid)


def list_debts(*, actor: Account, today: date) -> list[Debt]:
    """Return the debts of every enterprise whose statements the actor sees, including
    enterprises without debts. The most overdue come first.
    """
    rows = Enterprise.objects.filter(
        pk__in=list_visible_statements(actor=actor).order_by().values("enterprise")
    )
    enterprises = {row.pk: row for row in rows.order_by("code")}
    ages = get_debts(list(enterprises.values()), today=today)
    prepaid = get_prepaid(ages)
    debts = [Debt(enterprises[pk], ages[pk], prepaid[pk]) for pk in ages]
    return sorted(debts, key=lambda debt: (-debt.overdue, -debt.total))


def get_debts(enterprises: Collection[Enterprise], *, today: date) -> dict[int, Ages]:
    """Return {enterprise pk: {age: 元}}. Five queries in total.

    Payments and returns of an order are allocated to its oldest receipt first.
    """
    orders = {row.pk: row for row in _list_owing_orders(enterprises)}
    parts = _list_received_amounts(orders)
    settled_by_order = get_settled(orders)
    credit_days = {row.pk: row.credit_days for row in enterprises}
    debts: dict[int, Ages] = {row.pk: dict.fromkeys(DebtAge.values, ZERO) for row in enterprises}
    for pk, order in orders.items():
        _add_ages(
            debts[order.enterprise_id],
            parts[pk],
            settled_amount=settled_by_order[pk],
            credit_days=credit_days[order.enterprise_id],
            today=today,
        )
    return debts


def get_prepaid(ages: Mapping[int, Ages]) -> dict[int, Decimal]:
    """Return {enterprise pk: 元} paid for goods that are not received yet. Debts minus this
    amount equal the closing of the latest statement. Four queries.
    """
    received: dict[int, Decimal] = defaultdict(lambda: ZERO)
    prepaid: dict[int, Decimal] = defaultdict(lambda: ZERO)
    came = (
        ReceiptLine.objects.filter(receipt__order__enterprise__in=ages)
        .order_by()
        .values_list("receipt__order__enterprise")
    )
    freights = (
        Order.objects.filter(enterprise__in=ages, completed_at__isnull=False)
        .order_by()
        .values_list("enterprise")
    )
    returned_lines = (
        OrderLine.objects.filter(order__enterprise__in=ages, returned_quantity__gt=0)
        .order_by()
        .values_list("order__enterprise")
    )
    money = (
        Payment.objects.filter(order__enterprise__in=ages, status=PaymentStatus.PAID)
        .order_by()
        .values_list("order__enterprise")
    )
    for rows in (
        came.annotate(total=Sum("amount_incl_tax")),
        freights.annotate(total=Sum("freight_amount")),
    ):
        for pk, amount in rows:
            received[pk] += amount
    for rows in (
        returned_lines.annotate(total=Sum(RETURNED_AMOUNT)),
        money.annotate(total=Sum(F("amount") - F("refunded_amount"), output_field=MoneyField())),
    ):
        for pk, amount in rows:
            prepaid[pk] += amount
    return {pk: sum(of.values(), ZERO) - received[pk] + prepaid[pk] for pk, of in ages.items()}


def get_debt_age(at: datetime, *, days: int, today: date) -> DebtAge:
    """Return the age on `today` of goods received `at` and due `days` later."""
    overdue = (today - timezone.localtime(at).date() - timedelta(days=days)).days
    return next((age for most, age in LIMITS if overdue <= most), DebtAge.OVER_90)


def _add_ages(
    ages: Ages,
    received: Iterable[tuple[datetime, Decimal]],
    *,
    settled_amount: Decimal,
    credit_days: int,
    today: date,
) -> Decimal:
    """Add the unpaid amounts of one order to `ages`. `settled_amount` covers the oldest receipt
    first. Returns the rest of `settled_amount` in 元, which is paid for goods that are not received
    yet.
    """
    unassigned = settled_amount
    for at, amount in sorted(received):
        covered_amount = min(max(unassigned, ZERO), amount)
        unassigned -= covered_amount
        ages[get_debt_age(at, days=credit_days, today=today)] += amount - covered_amount
    return unassigned


def _list_owing_orders(enterprises: Collection[Enterprise]) -> list[Order]:
    rows = Order.objects.filter(
        enterprise__in=[row.pk for row in enterprises], receipts__isnull=False
    )
    return list(rows.exclude(settlement_status=SettlementStatus.DONE).distinct().order_by("pk"))


def _list_received_amounts(orders: dict[int, Order]) -> dict[int, list[tuple[datetime, Decimal]]]:
    """Return {order pk: [(time, amount in 元 含税) of each receipt]}. The freight counts at the
    completion.
    """
    parts: dict[int, list[tuple[datetime, Decimal]]] = defaultdict(list)
    rows = ReceiptLine.objects.filter(receipt__order__in=orders).order_by()
    for order_id, at, amount in rows.values_list("receipt__order", "receipt__received_at").annotate(
        total=Sum("amount_incl_tax")
    ):
        parts[order_id].append((at, amount))
    for pk, order in orders.items():
        if order.completed_at is not None and order.freight_amount:
            parts[pk].append((order.completed_at, order.freight_amount))
    return parts


def get_settled(order_ids: Collection[int]) -> dict[int, Decimal]:
    """Return {order pk: 元} paid (minus refunds) plus returned goods. Two queries."""
    settled_by_order: dict[int, Decimal] = defaultdict(lambda: ZERO)
    payments = Payment.objects.filter(order__in=order_ids, status=PaymentStatus.PAID).order_by()
    for order_id, amount, refunded in payments.values_list("order_id").annotate(
        paid=Sum("amount"), refunded=Sum("refunded_amount")
    ):
        settled_by_order[order_id] += amount - refunded
    returned_lines = OrderLine.objects.filter(
        order__in=order_ids, returned_quantity__gt=0
    ).order_by()
    for order_id, amount in returned_lines.values_list("order_id").annotate(
        total=Sum(RETURNED_AMOUNT)
    ):
        settled_by_order[order_id] += amount
    return settled_by_order
