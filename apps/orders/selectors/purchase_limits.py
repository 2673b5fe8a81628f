"""The purchase limits of a person, and what the person's orders have used of them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import Q, Sum
from django.utils import timezone

from apps.common.days import start_of_day
from apps.common.money import ZERO
from apps.orders.enums import ENDED_UNSHIPPED
from apps.orders.models import Order
from apps.org.enums import LimitAction, LimitPeriod
from apps.org.selectors.purchasing import list_purchase_limits

if TYPE_CHECKING:
    from apps.org.models import Account

USED_WORDS: dict[str, str] = {LimitPeriod.DAY: "今日", LimitPeriod.MONTH: "本月"}


@dataclass(frozen=True, slots=True)
class LimitCharge:
    """A limit with the person's earlier orders of its period (`used`) and the amount of this
    order, in 元.
    """

    period: LimitPeriod
    action: str
    limit: Decimal
    used: Decimal
    amount: Decimal

    @property
    def is_over(self) -> bool:
        """Return whether this order exceeds the limit."""
        return self.used + self.amount > self.limit

    @property
    def is_refused(self) -> bool:
        """Return whether this order exceeds the limit and no approval can allow it."""
        return self.is_over and self.action == LimitAction.REFUSE

    @property
    def reason(self) -> str:
        """Return the figures in words."""
        word = USED_WORDS.get(self.period)
        used = f"{word}已下单 ¥{self.used:,.2f}，" if word else ""
        return (
            f"超出{self.period.label}采购限额 ¥{self.limit:,.2f}（{used}本单 ¥{self.amount:,.2f}）"
        )


def get_limit_charges(*, actor: Account, amount: Decimal) -> list[LimitCharge]:
    """Return the limits of the actor for a new order of `amount` 元. One query with a limit per day
    or month, otherwise none: the limits are loaded with the roles.

    Orders count from the submit until they end unshipped, at their present amounts. A submit calls
    this under the lock of the actor's cart, so that two orders of one person cannot both use the
    rest of a limit.
    """
    limits = list_purchase_limits(actor=actor)
    used: dict[str, Decimal] = {}
    if any(limit.period != LimitPeriod.ORDER for limit in limits):
        used = _used(actor)
    return [
        LimitCharge(
            period=LimitPeriod(limit.period),
            action=limit.action,
            limit=limit.amount,
            used=used.get(limit.period, ZERO),
            amount=amount,
        )
        for limit in limits
    ]


def _used(actor: Account) -> dict[str, Decimal]:
    today = timezone.localdate()
    orders = Order.objects.filter(
        requester=actor, submitted_at__gte=start_of_day(today.replace(day=1))
    ).exclude(status__in=ENDED_UNSHIPPED)
    of_today = Q(submitted_at__gte=start_of_day(today))
    sums = orders.order_by().aggregate(
        day=Sum("total_amount", filter=of_today), month=Sum("total_amount")
    )
    return {
        LimitPeriod.DAY: sums["day"] or ZERO,
        LimitPeriod.MONTH: sums["month"] or ZERO,
    }
