"""The purchase limits of a person, and what earlier orders have used of them and of the credit of
the person's enterprise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.db.models import DateTimeField, F, OuterRef, Q, Subquery, Sum
from django.utils import timezone

from apps.approvals.subjects import SubjectLine, SubjectReason
from apps.common.compiled_queries import CompiledQuery, Parameter, key_parameter
from apps.common.days import start_of_day
from apps.common.money import ZERO
from apps.orders.enums import ENDED_UNSHIPPED, ReasonKind
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

# Approvers often read the reason on a later day.
USED_WORDS: dict[str, str] = {LimitPeriod.DAY: "当日", LimitPeriod.MONTH: "当月"}


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
    category_id: int | None = None

    @property
    def is_over(self) -> bool:
        """Return whether this order exceeds the limit."""
        return self.used + self.amount > self.limit

    @property
    def is_refused(self) -> bool:
        """Return whether this order exceeds the limit and no approval can allow it."""
        return self.is_over and self.action == LimitAction.REFUSE

    @property
    def basis(self) -> dict[str, Any]:
        """Return the limit as the reason of an approval stores it."""
        return {
            "kind": ReasonKind.LIMIT,
            "period": self.period,
            "limit": str(self.limit),
            "category": self.category,
            "category_id": self.category_id,
        }

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
    first_days = _get_first_days(timezone.localdate())
    limits = list(
        dict.fromkeys(
            (LimitPeriod(limit.period), limit.category_id)
            for limit in list_purchase_limits(actor=actor)
            if limit.period in first_days
        )
    )
    has_credit = is_on_credit and actor.enterprise_id is not None
    if not has_credit and not limits:
        return Usage()
    values: dict[str, Any] = {"requester": actor.pk}
    if has_credit:
        values["enterprise"] = actor.enterprise_id
    for number, (period, category_id) in enumerate(limits):
        values[f"since_{number}"] = start_of_day(first_days[period])
        values[f"category_{number}"] = category_id
    query = _compile_usage(
        has_credit=has_credit,
        have_category=tuple(category_id is not None for _, category_id in limits),
    )
    [row] = query.fetch(**values)
    return Usage(
        credit=read_credit(row) if has_credit else None,
        ordered={limit: row[f"ordered_{number}"] or ZERO for number, limit in enumerate(limits)},
    )


@lru_cache(maxsize=256)
def _compile_usage(
    *, has_credit: bool, have_category: tuple[bool, ...]
) -> CompiledQuery[dict[str, Any]]:
    """Return the query of one row: the terms and sums of the enterprise's credit, and for each
    limit the column `ordered_…`, what the requester has ordered. `have_category` has one value for
    each limit: whether it is for a category.
    """
    requester = key_parameter("requester")

    def build() -> Any:
        columns = {
            f"ordered_{number}": _sum_ordered(
                requester,
                since=Parameter(f"since_{number}", DateTimeField()),
                category=key_parameter(f"category_{number}") if has_category else None,
            )
            for number, has_category in enumerate(have_category)
        }
        if not has_credit:
            return Account.objects.filter(pk=requester).order_by().values(**columns)
        enterprise = Enterprise.objects.filter(pk=key_parameter("enterprise"))
        return enterprise.order_by().values(*CREDIT_TERMS, **build_credit_sums(), **columns)

    return CompiledQuery(build, is_prepared=False)


def _get_first_days(day: date) -> dict[str, date]:
    """Return the first day of each period that contains the day. A limit for one order has none."""
    return {LimitPeriod.DAY: day, LimitPeriod.MONTH: day.replace(day=1)}


def _sum_ordered(
    requester: Any, *, since: Any, category: Any, until: datetime | None = None
) -> Subquery:
    """Return the subquery of what the requester has ordered since then, in 元. With `until`, only
    the orders submitted before this moment count.
    """
    orders = Order.objects.filter(requester=requester, submitted_at__gte=since)
    if until is not None:
        orders = orders.filter(submitted_at__lt=until)
    sums = orders.exclude(status__in=ENDED_UNSHIPPED).order_by().values("requester")
    total = Sum(build_order_amount_expression(category))
    return Subquery(sums.annotate(total=total).values("total"))


def get_ordered_amounts(
    *, requester: Account, until: datetime, keys: Collection[tuple[str, int | None]]
) -> dict[tuple[str, int | None], Decimal]:
    """Return {(period, category id): 元} of the requester's earlier orders: those submitted before
    `until`, in the same day or month. Later reductions of these orders are deducted. One query; no
    query if `keys` has only limits for one order.
    """
    first_days = _get_first_days(timezone.localdate(until))
    periodic_keys = [key for key in dict.fromkeys(keys) if key[0] in first_days]
    if not periodic_keys:
        return {}
    columns = {
        f"ordered_{number}": _sum_ordered(
            requester, since=start_of_day(first_days[period]), category=category_id, until=until
        )
        for number, (period, category_id) in enumerate(periodic_keys)
    }
    row = Account.objects.filter(pk=requester.pk).order_by().values(**columns).get()
    return {key: row[f"ordered_{number}"] or ZERO for number, key in enumerate(periodic_keys)}


def get_limit_charges(
    *,
    actor: Account,
    amount: Decimal,
    lines: Iterable[SubjectLine],
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
            category_id=limit.category_id,
        )
        for limit in limits
    ]


def list_limit_reasons(limits: Iterable[LimitCharge]) -> tuple[SubjectReason, ...]:
    """Return why exceeded limits require an approval, one reason for each. Limits that refuse the
    order require none.
    """
    return tuple(
        SubjectReason(limit.reason, limit.basis)
        for limit in limits
        if limit.is_over and not limit.is_refused
    )


def _sum_amounts_by_category(lines: Iterable[SubjectLine]) -> dict[int, Decimal]:
    """Return the amount of the lines in each category, on all three levels."""
    amounts: dict[int, Decimal] = {}
    for line in lines:
        for category_id in {*line.category_ids}:
            if line.amount and category_id is not None:
                amounts[category_id] = amounts.get(category_id, ZERO) + line.amount
    return amounts


def build_order_amount_expression(category_id: int | Parameter | None) -> F | Subquery:
    """Return the expression for the amount of an order that counts: that of its lines in the
    category and below it, or without a category the total with freight.
    """
    if category_id is None:
        return F("total_amount")
    inside = Q(category_id_l1=category_id)
    inside |= Q(category_id_l2=category_id) | Q(category_id_l3=category_id)
    lines = OrderLine.objects.filter(inside, order=OuterRef("pk")).order_by()
    return Subquery(lines.values("order").values_list(Sum("amount_incl_tax")))
