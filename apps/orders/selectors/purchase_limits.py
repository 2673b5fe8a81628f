"""The purchase limits of a person, and what the person's orders have used of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db.models import F, OuterRef, Q, Subquery, Sum
from django.utils import timezone

from apps.common.days import start_of_day
from apps.common.money import ZERO
from apps.orders.enums import ENDED_UNSHIPPED
from apps.orders.models import Order, OrderLine
from apps.org.enums import LimitAction, LimitPeriod
from apps.org.selectors.purchasing import list_purchase_limits

if TYPE_CHECKING:
    from apps.cart.selectors.cart import CartLine
    from apps.org.models import Account

USED_WORDS: dict[str, str] = {LimitPeriod.DAY: "今日", LimitPeriod.MONTH: "本月"}


@dataclass(frozen=True, slots=True)
class LimitCharge:
    """A limit with the person's earlier orders of its period (`used`) and the amount of this
    order, in 元. With a category, both are the lines of the category and of those below it.
    """

    period: LimitPeriod
    action: str
    limit: Decimal
    used: Decimal
    amount: Decimal
    category: str = ""

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
        category = f"“{self.category}”" if self.category else ""
        return (
            f"超出{category}{self.period.label}采购限额 ¥{self.limit:,.2f}"
            f"（{used}本单 ¥{self.amount:,.2f}）"
        )


def get_limit_charges(
    *, actor: Account, amount: Decimal, lines: Iterable[CartLine]
) -> list[LimitCharge]:
    """Return the limits of the actor for a new order of `lines`; `amount` is its total in 元, with
    freight. One query with a limit per day or month, otherwise none: the limits are loaded with the
    roles.

    Orders count from the submit until they end unshipped, at their present amounts and with the
    categories that their goods had at the submit. A limit of a category that no line belongs to is
    left out. A submit calls this under the lock of the actor's cart, so that two orders of one
    person cannot both use the rest of a limit.
    """
    amounts = _amounts_by_category(lines)
    limits = [
        limit
        for limit in list_purchase_limits(actor=actor)
        if limit.category_id is None or limit.category_id in amounts
    ]
    used: dict[tuple[str, int | None], Decimal] = {}
    timed = {limit.category_id for limit in limits if limit.period != LimitPeriod.ORDER}
    if timed:
        used = _used(actor, timed)
    return [
        LimitCharge(
            period=LimitPeriod(limit.period),
            action=limit.action,
            limit=limit.amount,
            used=used.get((limit.period, limit.category_id), ZERO),
            amount=amount if limit.category_id is None else amounts[limit.category_id],
            category=limit.category_name,
        )
        for limit in limits
    ]


def _amounts_by_category(lines: Iterable[CartLine]) -> dict[int, Decimal]:
    """Return the amount of the lines in each category, on all three levels."""
    amounts: dict[int, Decimal] = {}
    for line in lines:
        product = line.offer.product
        for category_id in {product.l1_id, product.l2_id, product.l3_id}:
            if line.amount and category_id is not None:
                amounts[category_id] = amounts.get(category_id, ZERO) + line.amount
    return amounts


def _used(
    actor: Account, category_ids: Collection[int | None]
) -> dict[tuple[str, int | None], Decimal]:
    """Return the amount of the actor's orders of this day and month, as {(period, category):
    元}; the category None stands for whole orders. One query for any number of categories.
    """
    today = timezone.localdate()
    orders = Order.objects.filter(
        requester=actor, submitted_at__gte=start_of_day(today.replace(day=1))
    ).exclude(status__in=ENDED_UNSHIPPED)
    of_today = Q(submitted_at__gte=start_of_day(today))
    sums: dict[str, Sum] = {}
    for category_id in category_ids:
        of_order = order_amount(category_id)
        sums[f"{LimitPeriod.DAY}_{category_id}"] = Sum(of_order, filter=of_today)
        sums[f"{LimitPeriod.MONTH}_{category_id}"] = Sum(of_order)
    found = orders.order_by().aggregate(**sums)
    return {
        (period, category_id): found[f"{period}_{category_id}"] or ZERO
        for category_id in category_ids
        for period in USED_WORDS
    }


def order_amount(category_id: int | None) -> F | Subquery:
    """Return the expression for the amount of an order that counts: that of its lines in the
    category and below it, or without a category the total with freight.
    """
    if category_id is None:
        return F("total_amount")
    inside = Q(category_id_l1=category_id)
    inside |= Q(category_id_l2=category_id) | Q(category_id_l3=category_id)
    lines = OrderLine.objects.filter(inside, order=OuterRef("pk")).order_by()
    return Subquery(lines.values("order").values_list(Sum("amount_incl_tax")))
