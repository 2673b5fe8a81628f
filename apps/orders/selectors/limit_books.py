"""Compare the orders of accounts with the purchase limits that refuse."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Max, Sum
from django.utils import timezone

from apps.common.books import Difference, iterate_batches
from apps.common.days import start_of_day
from apps.common.money import ZERO
from apps.orders.enums import ENDED_UNSHIPPED
from apps.orders.models import Order
from apps.orders.selectors.purchase_limits import build_order_amount_expression
from apps.org.enums import LimitAction, LimitPeriod
from apps.org.models import PurchaseLimit

# A submit that runs while the limit is saved may not know it yet.
SUBMIT_TIME = timedelta(minutes=1)


def find_limit_differences() -> Iterator[Difference]:
    """Yield a difference for each limit of an account that refuses and that its orders exceed: one
    of them, or those of the present day or month together.

    Only orders after the limit was set count: saving the limits of an account writes new rows. The
    limits of roles are not compared, because it is not known since when an account has its role.
    """
    limits = PurchaseLimit.objects.filter(account__isnull=False, action=LimitAction.REFUSE)
    for batch in iterate_batches(limits.select_related("account", "category")):
        for limit in batch:
            amount = _sum_ordered_amount(limit)
            if amount > limit.amount:
                yield Difference(
                    f"账号 {limit.account} 的采购限额（{limit}）",
                    "已下单金额",
                    amount,
                    f"不超过 {limit.amount}",
                )


def _sum_ordered_amount(limit: PurchaseLimit) -> Decimal:
    """Return what counts against the limit, in 元: the sum of its period, or the largest order
    if it limits each order.
    """
    orders = Order.objects.filter(
        requester=limit.account_id, submitted_at__gt=_get_period_start(limit)
    ).exclude(status__in=ENDED_UNSHIPPED)
    combine = Max if limit.period == LimitPeriod.ORDER else Sum
    sums = orders.order_by().aggregate(
        amount=combine(build_order_amount_expression(limit.category_id))
    )
    amount: Decimal | None = sums["amount"]
    return amount or ZERO


def _get_period_start(limit: PurchaseLimit) -> datetime:
    """Return the time after which orders count."""
    today = timezone.localdate()
    is_known = limit.created_at + SUBMIT_TIME
    match limit.period:
        case LimitPeriod.DAY:
            return max(is_known, start_of_day(today))
        case LimitPeriod.MONTH:
            return max(is_known, start_of_day(today.replace(day=1)))
    return is_known
