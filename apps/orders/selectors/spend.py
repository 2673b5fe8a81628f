"""What waits and what was spent within a person's data scope, read together: orders by state, and twelve months of them."""

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

from apps.common.days import day_begins
from apps.common.money import ZERO
from apps.orders.enums import OrderStatus
from apps.orders.selectors.orders import OWED_ONLINE, UNPAID
from apps.orders.selectors.ranking import BOUGHT

if TYPE_CHECKING:
    from apps.orders.models import Order
    from apps.org.models import Account

MONTHS = 12
# Under way, in the order an order goes through them; 待支付 is part of 待确认, as in the list's tabs.
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
    """A month, its first day; what was bought in it in 元, 含税, by how many orders."""

    month: date
    amount: Decimal
    orders: int


@dataclass(frozen=True, slots=True)
class OrdersInView:
    """How many orders of the scope, and of the person himself, are in each open state; the last twelve months, this one last.

    `before` is what the month before this one had come to on the same day of the month, `before_to`; what this month is compared with.
    """

    open: dict[str, int]
    own: dict[str, int]
    own_to_review: int
    months: list[MonthSpend]
    before: Decimal
    before_to: date


def orders_in_view(*, actor: Account, orders: QuerySet[Order]) -> OrdersInView:
    """Return the counts and sums of these orders in one query; spent is what the rankings count as bought, by the day it was submitted."""
    today = timezone.localdate()
    firsts = _firsts(today)
    before_to = _same_day(firsts[-2], today)
    is_before = Q(submitted_at__gte=day_begins(firsts[-2]), submitted_at__lt=day_begins(before_to + timedelta(days=1)))
    under_way = [status for status in OPEN if status != UNPAID]
    read = Q(status__in=under_way) | Q(status__in=BOUGHT, submitted_at__gte=day_begins(firsts[0]))
    own = Q(requester=actor)
    rows: Any = (
        orders.filter(read)
        .order_by()
        .values("status", month=TruncMonth("submitted_at"))
        .annotate(
            number=Count("pk"),
            own=Count("pk", filter=own),
            owed=Count("pk", filter=OWED_ONLINE),
            own_owed=Count("pk", filter=OWED_ONLINE & own),
            own_to_review=Count("pk", filter=own & Q(review_until__gt=timezone.now())),
            amount=Sum("total_amount"),
            before=Sum("total_amount", filter=is_before),
        )
    )
    return _read(list(rows), firsts, before_to)


def _read(rows: list[dict[str, Any]], firsts: list[date], before_to: date) -> OrdersInView:
    bought = [row for row in rows if row["status"] in BOUGHT]
    return OrdersInView(
        open={status: _counted(rows, status, "number", "owed") for status in OPEN},
        own={status: _counted(rows, status, "own", "own_owed") for status in OPEN},
        own_to_review=sum(row["own_to_review"] for row in rows),
        months=[_month(first, bought) for first in firsts],
        before=sum((row["before"] or ZERO for row in bought), ZERO),
        before_to=before_to,
    )


def _counted(rows: Iterable[dict[str, Any]], status: str, number: str, owed: str) -> int:
    return sum(row[owed] if status == UNPAID else row[number] for row in rows if status in (UNPAID, row["status"]))


def _month(first: date, bought: list[dict[str, Any]]) -> MonthSpend:
    within = [row for row in bought if _day_of(row["month"]) == first]
    return MonthSpend(first, sum((row["amount"] for row in within), ZERO), sum(row["number"] for row in within))


def _day_of(moment: datetime) -> date:
    return timezone.localtime(moment).date()


def _firsts(today: date) -> list[date]:
    """Return the first days of the last twelve months, this one last."""
    this = today.year * 12 + today.month - 1
    return [date(index // 12, index % 12 + 1, 1) for index in range(this - MONTHS + 1, this + 1)]


def _same_day(first: date, today: date) -> date:
    """Return the day of that month that today's number names; its last one where it is shorter."""
    return first.replace(day=min(today.day, monthrange(first.year, first.month)[1]))
