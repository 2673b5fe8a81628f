"""Order counts by state and twelve months of spend within a data scope, in one query."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncMonth
from django.utils import timezone

from apps.common.days import start_of_day
from apps.common.money import ZERO
from apps.orders.enums import PURCHASED, OrderStatus
from apps.orders.selectors.orders import OWED_ONLINE, UNPAID, awaits_review

if TYPE_CHECKING:
    from apps.orders.models import Order
    from apps.org.models import Account

MONTHS = 12
# Open states in the order of an order's life. 待支付 is part of 待确认, as in the tabs of the list.
OPEN = (
    OrderStatus.PENDING_APPROVAL,
    UNPAID,
    OrderStatus.PENDING_CONFIRM,
    OrderStatus.PENDING_SHIPMENT,
    OrderStatus.PARTLY_SHIPPED,
    OrderStatus.PENDING_RECEIPT,
)


@dataclass(frozen=True, slots=True)
class MonthSpend:
    """The spend of a month (its first day) in 元 含税, and the number of orders."""

    month: date
    amount: Decimal
    orders: int


@dataclass(frozen=True, slots=True)
class OrdersInView:
    """Orders by open state, in the data scope (`open`) and of the actor (`own`), and the last
    twelve months including the current one.

    `before` is the spend of the previous month up to the day `before_to`, to compare with the
    current month.
    """

    open: dict[str, int]
    own: dict[str, int]
    own_to_review: int
    months: list[MonthSpend]
    before: Decimal
    before_to: date


def orders_in_view(*, actor: Account, orders: QuerySet[Order]) -> OrdersInView:
    """Return the counts and sums of these orders in one query. Spend counts the same states as
    the rankings, by the day of the submit.
    """
    today = timezone.localdate()
    firsts = _firsts(today)
    before_to = _same_day(firsts[-2], today)
    is_before = Q(
        submitted_at__gte=start_of_day(firsts[-2]),
        submitted_at__lt=start_of_day(before_to + timedelta(days=1)),
    )
    under_way = [status for status in OPEN if status != UNPAID]
    own = Q(requester=actor)
    own_to_review = own & awaits_review()
    # An order older than twelve months may have a recent receipt and still wait for a review.
    read = (
        Q(status__in=under_way)
        | Q(status__in=PURCHASED, submitted_at__gte=start_of_day(firsts[0]))
        | own_to_review
    )
    rows: Any = (
        orders.filter(read)
        .order_by()
        .values("status", month=TruncMonth("submitted_at"))
        .annotate(
            number=Count("pk"),
            own=Count("pk", filter=own),
            owed=Count("pk", filter=OWED_ONLINE),
            own_owed=Count("pk", filter=OWED_ONLINE & own),
            own_to_review=Count("pk", filter=own_to_review),
            amount=Sum("total_amount"),
            before=Sum("total_amount", filter=is_before),
        )
    )
    return _read(list(rows), firsts, before_to)


def _read(rows: list[dict[str, Any]], firsts: list[date], before_to: date) -> OrdersInView:
    bought = [row for row in rows if row["status"] in PURCHASED]
    return OrdersInView(
        open={status: _counted(rows, status, "number", "owed") for status in OPEN},
        own={status: _counted(rows, status, "own", "own_owed") for status in OPEN},
        own_to_review=sum(row["own_to_review"] for row in rows),
        months=[_month(first, bought) for first in firsts],
        before=sum((row["before"] or ZERO for row in bought), ZERO),
        before_to=before_to,
    )


def _counted(rows: Iterable[dict[str, Any]], status: str, number: str, owed: str) -> int:
    return sum(
        row[owed] if status == UNPAID else row[number]
        for row in rows
        if status in (UNPAID, row["status"])
    )


def _month(first: date, bought: list[dict[str, Any]]) -> MonthSpend:
    within = [row for row in bought if _day_of(row["month"]) == first]
    return MonthSpend(
        first, sum((row["amount"] for row in within), ZERO), sum(row["number"] for row in within)
    )


def _day_of(moment: datetime) -> date:
    return timezone.localtime(moment).date()


def _firsts(today: date) -> list[date]:
    """Return the first days of the last twelve months, including the current month."""
    this = today.year * 12 + today.month - 1
    return [date(index // 12, index % 12 + 1, 1) for index in range(this - MONTHS + 1, this + 1)]


def _same_day(first: date, today: date) -> date:
    """Return the same day number in that month, or its last day if the month is shorter."""
    return first.replace(day=min(today.day, monthrange(first.year, first.month)[1]))
