"""The purchase limits of a person, and what earlier orders have used of them and of the credit of
the person's enterprise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import F, OuterRef, Q, Subquery, Sum
from django.utils import timezone

from apps.common.days import start_of_day
from apps.common.money import ZERO
from apps.orders.enums import ENDED_UNSHIPPED
from apps.orders.models import Order, OrderLine
from apps.orders.selectors.customer_terms import (
    CREDIT_TERMS,
    Credit,
    build_credit_sums,
    read_credit,
)
from apps.org.enums import LimitAction, LimitPeriod
from apps.org.models import Account, Enterprise
from apps.org.selectors.purchasing import list_purchase_limits

if TYPE_CHECKING:
    from apps.cart.selectors.cart import CartLine

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
        used_text = f"{word}已下单 ¥{self.used:,.2f}，" if word else ""
        category = f"“{self.category}”" if self.category else ""
        return (
            f"超出{category}{self.period.label}采购限额 ¥{self.limit:,.2f}"
            f"（{used_text}本单 ¥{self.amount:,.2f}）"
        )


@dataclass(frozen=True, slots=True)
class Usage:
    """What earlier orders have used: the credit of the enterprise (None: not on account), and for
    each limit per day or month what the person has ordered, as {(period, category id): 元}. The
    category None stands for whole orders.
    """

    credit: Credit | None = None
    ordered: Mapping[tuple[str, int | None], Decimal] = field(default_factory=dict)


def get_usage(*, actor: Account, is_on_credit: bool) -> Usage:
    """Return what earlier orders of the actor and of the actor's enterprise have used. At most one
    query; none without credit and without a limit per day or month.

    Orders count for a limit from the submit until they end unshipped, at their present amounts and
    with the categories that their goods had at the submit. A submit calls this under the lock of
    the actor's cart, so that two orders of one person cannot both use the rest of a limit.
    """
    sums = _build_ordered_sums(actor)
    columns = {f"{period}_{category_id}": column for (period, category_id), column in sums.items()}
    row: dict[str, Any] = {}
    credit = None
    if is_on_credit and actor.enterprise_id is not None:
        enterprise = Enterprise.objects.filter(pk=actor.enterprise_id).order_by()
        row = enterprise.values(*CREDIT_TERMS, **build_credit_sums(), **columns).get()
        credit = read_credit(row)
    elif columns:
        row = Account.objects.filter(pk=actor.pk).order_by().values(**columns).get()
    ordered_amounts = {key: row[name] or ZERO for key, name in zip(sums, columns, strict=True)}
    return Usage(credit=credit, ordered=ordered_amounts)


def _build_ordered_sums(actor: Account) -> dict[tuple[str, int | None], Subquery]:
    """Return {column name: subquery}: what the actor has ordered for each limit per day or
    month, in 元, as columns of any row.
    """
    today = timezone.localdate()
    first_days: dict[str, Any] = {
        LimitPeriod.DAY: today,
        LimitPeriod.MONTH: today.replace(day=1),
    }
    sum_by_period: dict[tuple[str, int | None], Subquery] = {}
    for limit in list_purchase_limits(actor=actor):
        if limit.period in first_days:
            orders = Order.objects.filter(
                requester=actor, submitted_at__gte=start_of_day(first_days[limit.period])
            ).exclude(status__in=ENDED_UNSHIPPED)
            sums = orders.order_by().values("requester")
            total = Sum(build_order_amount_expression(limit.category_id))
            sum_by_period[limit.period, limit.category_id] = Subquery(
                sums.annotate(total=total).values("total")
            )
    return sum_by_period


def get_limit_charges(
    *,
    actor: Account,
    amount: Decimal,
    lines: Iterable[CartLine],
    ordered: Mapping[tuple[str, int | None], Decimal],
) -> list[LimitCharge]:
    """Return the limits of the actor for a new order of `lines`; `amount` is its total in 元, with
    freight. `ordered` is that of `Usage`. No query: the limits are loaded with the roles. A limit
    of a category that no line belongs to is left out.
    """
    amounts = _sum_amounts_by_category(lines)
    limits = [
        limit
        for limit in list_purchase_limits(actor=actor)
        if limit.category_id is None or limit.category_id in amounts
    ]
    return [
        LimitCharge(
            period=LimitPeriod(limit.period),
            action=limit.action,
            limit=limit.amount,
            used=ordered.get((limit.period, limit.category_id), ZERO),
            amount=amount if limit.category_id is None else amounts[limit.category_id],
            category=limit.category_name,
        )
        for limit in limits
    ]


def _sum_amounts_by_category(lines: Iterable[CartLine]) -> dict[int, Decimal]:
    """Return the amount of the lines in each category, on all three levels."""
    amounts: dict[int, Decimal] = {}
    for line in lines:
        product = line.offer.product
        for category_id in {product.l1_id, product.l2_id, product.l3_id}:
            if line.amount and category_id is not None:
                amounts[category_id] = amounts.get(category_id, ZERO) + line.amount
    return amounts


def build_order_amount_expression(category_id: int | None) -> F | Subquery:
    """Return the expression for the amount of an order that counts: that of its lines in the
    category and below it, or without a category the total with freight.
    """
    if category_id is None:
        return F("total_amount")
    inside = Q(category_id_l1=category_id)
    inside |= Q(category_id_l2=category_id) | Q(category_id_l3=category_id)
    lines = OrderLine.objects.filter(inside, order=OuterRef("pk")).order_by()
    return Subquery(lines.values("order").values_list(Sum("amount_incl_tax")))
