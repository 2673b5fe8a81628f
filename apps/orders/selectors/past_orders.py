"""Earlier orders of an enterprise, as the conditions of approval rules need them: sums over time,
first uses, and the last price of a product.

Orders count for the sums from the submit until they end unshipped, at their present amounts. Sums
by category and brand count the lines, the others the orders with their freight.

For first uses and last prices an order counts from its approval on: otherwise a small order that
waits would let a large one pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.db.models import (
    CharField,
    DateTimeField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
)
from django.db.models.functions import Cast
from django.utils import timezone

from apps.approvals.enums import ConditionKind
from apps.approvals.subjects import PastFacts, PastNeeds
from apps.catalog.models import Brand, Product
from apps.common.compiled_queries import (
    CompiledQuery,
    ListParameter,
    Parameter,
    key_parameter,
)
from apps.common.money import ZERO, MoneyField
from apps.dimensions.enums import DimensionKind
from apps.dimensions.models import Dimension
from apps.orders.enums import ENDED_UNSHIPPED, OrderStatus
from apps.orders.models import Order, OrderAllocation, OrderLine
from apps.org.models import Enterprise

if TYPE_CHECKING:
    from apps.org.models import Account

K = ConditionKind
# {kind: the column of an order or a line that holds the key}
ORDER_SUMS = {
    K.SUM_REQUESTER: "requester_id",
    K.SUM_DEPARTMENT: "department_id",
    K.SUM_ADDRESS: "address_key",
}
TEXT_COLUMNS = {"address_key"}
LINE_SUMS = {K.SUM_CATEGORY: "category_id_l2", K.SUM_BRAND: "brand_key"}
ORDER_FIRSTS = {
    K.FIRST_ADDRESS: "address_key",
    K.FIRST_COST_CENTER: "cost_center",
    K.FIRST_PAYMENT: "payment_kind",
}
LINE_FIRSTS: dict[str, tuple[Any, str]] = {
    K.FIRST_PRODUCT: (Product, "product_id"),
    K.FIRST_BRAND: (Brand, "brand_key"),
}
# A project is used by the lines that have a part for it.
USED_BY_LINES: dict[str, tuple[Any, str]] = {
    **LINE_FIRSTS,
    K.FIRST_PROJECT: (Dimension, "allocations__dimension"),
}
# The kind of the rows with the last price of a product.
LAST_PRICE = "last_price"
UNTIL = Parameter("until", DateTimeField())
NO_AMOUNT = Value(ZERO, output_field=MoneyField())


@dataclass(frozen=True, slots=True)
class Part:
    """One of the needed facts, which one SELECT reads. `days` is None without a sum. `keys` are
    those that are asked for.
    """

    kind: str
    keys: tuple[str, ...]
    days: int | None = None


def _list_parts(needs: PastNeeds) -> list[Part]:
    """Return the parts of the query for the needed facts."""
    parts = [Part(kind, tuple(keys), days) for (kind, days), keys in needs.sums.items()]
    for kind, keys in needs.firsts.items():
        if kind in USED_BY_LINES:
            parts.append(Part(kind, tuple(keys)))
        else:
            # One indexed look-up for each key.
            parts += [Part(kind, (key,)) for key in sorted(keys)]
    if needs.products:
        parts.append(Part(LAST_PRICE, tuple(str(pk) for pk in needs.products)))
    return [part for part in parts if part.keys]


@dataclass(frozen=True, slots=True)
class PastOrders:
    """The orders of an enterprise before `until` (None: now), without the orders in `without`."""

    enterprise_id: int | None
    until: datetime | None = None
    without: frozenset[int] = frozenset()

    def read(self, needs: PastNeeds) -> PastFacts:
        """Return what is known of the keys in `needs`. At most one query."""
        parts = _list_parts(needs)
        sums: dict[tuple[str, int, str], Decimal] = {}
        past_keys: dict[str, set[str]] = {kind: set() for kind in needs.firsts}
        prices: dict[int, Decimal] = {}
        for number, key, amount in self._fetch(parts) if parts else ():
            part = parts[number]
            if part.days is not None:
                sums[part.kind, part.days, key] = amount
            elif part.kind == LAST_PRICE:
                prices[int(key)] = amount
            else:
                past_keys[part.kind].add(key)
        return PastFacts(
            sums=sums,
            used_before={kind: frozenset(keys) for kind, keys in past_keys.items()},
            last_prices=prices,
        )

    def _fetch(self, parts: list[Part]) -> list[tuple[int, str, Decimal]]:
        """Return (number of the part, key, amount in 元) of what is found."""
        query = _compile_past(
            tuple(part.kind for part in parts),
            has_enterprise=self.enterprise_id is not None,
            has_until=self.until is not None,
            has_without=bool(self.without),
        )
        values: dict[str, Any] = {
            "enterprise": self.enterprise_id,
            "enterprise_key": self.enterprise_id or 0,
            "until": self.until,
            "without": self.without,
        }
        until = self.until or timezone.now()
        for number, part in enumerate(parts):
            values[f"keys_{number}"] = part.keys
            values[f"key_{number}"] = part.keys[0]
            values[f"since_{number}"] = until - timedelta(days=part.days or 0)
        return query.fetch(**values)


@lru_cache(maxsize=128)
def _compile_past(
    kinds: tuple[str, ...], *, has_enterprise: bool, has_until: bool, has_without: bool
) -> CompiledQuery[tuple[int, str, Decimal]]:
    """Return the query of the parts of these kinds."""
    builder = PastQueryBuilder(
        has_enterprise=has_enterprise, has_until=has_until, has_without=has_without
    )

    def build() -> QuerySet[Any, Any]:
        first, *others = [builder.build_part(number, kind) for number, kind in enumerate(kinds)]
        return first.union(*others, all=True)

    return CompiledQuery(build, is_prepared=False)


@dataclass(frozen=True, slots=True)
class PastQueryBuilder:
    """Builds the queries of `PastOrders`, with parameters in place of its values."""

    has_enterprise: bool
    has_until: bool
    has_without: bool

    def build_part(self, number: int, kind: str) -> QuerySet[Any, Any]:
        """Return the query of a part: the rows are its number, a key as text, and an amount."""
        key: Any = F("pk")
        amount: Any = NO_AMOUNT
        if kind in LINE_SUMS or kind in ORDER_SUMS:
            rows, key, amount = self._sum_up(number, kind)
        elif kind == LAST_PRICE:
            rows, amount = self._list_last_prices(number)
        elif kind in USED_BY_LINES:
            rows = self._list_used_by_lines(number, kind)
        else:
            rows, key = self._find_in_orders(number, kind)
        facts = rows.annotate(part=Value(number), key=Cast(key, CharField()), amount=amount)
        selected: QuerySet[Any, Any] = facts.values_list("part", "key", "amount")
        return selected

    def _filter_orders(self) -> QuerySet[Order]:
        """Return the enterprise's orders that count as history, without `PastOrders.without` and
        before `PastOrders.until`.
        """
        rows: QuerySet[Order] = self._filter_by_enterprise()
        rows = rows.exclude(status__in=ENDED_UNSHIPPED).order_by()
        if self.has_without:
            rows = rows.exclude(pk__any_of=ListParameter("without"))
        return rows.filter(submitted_at__lt=UNTIL) if self.has_until else rows

    def _filter_by_enterprise(self) -> QuerySet[Order]:
        """Return all orders of the enterprise."""
        enterprise = key_parameter("enterprise") if self.has_enterprise else None
        rows: QuerySet[Order] = Order.objects.filter(enterprise_id=enterprise)
        return rows

    def _filter_lines(self) -> QuerySet[OrderLine]:
        """Return the order lines that count as history, by the same rule as `_filter_orders`."""
        rows: QuerySet[OrderLine] = OrderLine.objects.filter(
            enterprise_key=key_parameter("enterprise_key"), is_ended=False
        ).order_by()
        if self.has_without:
            rows = rows.exclude(order_id__any_of=ListParameter("without"))
        return rows.filter(ordered_at__lt=UNTIL) if self.has_until else rows

    def _filter_approved_orders(self) -> QuerySet[Order]:
        """Return the orders that count for first uses."""
        return self._filter_orders().exclude(status=OrderStatus.PENDING_APPROVAL)

    def _filter_approved_lines(self) -> QuerySet[OrderLine]:
        """Return the lines that count for first uses and last prices: pieces are left of them.
        The few orders in approval are read once, so that no line joins its order.
        """
        waiting = self._filter_by_enterprise().filter(status=OrderStatus.PENDING_APPROVAL)
        rows = self._filter_lines().filter(quantity__gt=0)
        return rows.exclude(order_id__in=waiting.order_by().values("pk"))

    def _sum_up(self, number: int, kind: str) -> tuple[QuerySet[Any, Any], F, Sum]:
        """Return the rows of a sum by key, the key and the sum in 元."""
        since = Parameter(f"since_{number}", DateTimeField())
        rows: QuerySet[Any, Any]
        if kind in LINE_SUMS:
            column, amount = LINE_SUMS[K(kind)], "amount_incl_tax"
            rows = self._filter_lines().filter(ordered_at__gt=since)
        else:
            column, amount = ORDER_SUMS[K(kind)], "total_amount"
            rows = self._filter_orders().filter(submitted_at__gt=since)
        keys = ListParameter(f"keys_{number}", is_text=column in TEXT_COLUMNS)
        return rows.filter(**{f"{column}__any_of": keys}).values(column), F(column), Sum(amount)

    def _list_used_by_lines(self, number: int, kind: str) -> QuerySet[Any, Any]:
        """Return the products, brands or projects that lines have used before."""
        model, column = USED_BY_LINES[K(kind)]
        in_lines = Exists(self._filter_approved_lines().filter(**{column: OuterRef("pk")}))
        rows: QuerySet[Any, Any] = model.objects.filter(
            in_lines, pk__any_of=ListParameter(f"keys_{number}")
        )
        return rows.order_by()

    def _find_in_orders(self, number: int, kind: str) -> tuple[QuerySet[Any, Any], Parameter]:
        """Return a row if an order has used the key before, and the key."""
        key = Parameter(f"key_{number}", CharField())
        is_used_before = Q(
            Exists(self._filter_approved_orders().filter(**{ORDER_FIRSTS[K(kind)]: key}))
        )
        if kind == K.FIRST_COST_CENTER:
            # An order that is split over several has their joined codes in its column.
            is_used_before |= Q(Exists(self._filter_allocations(key)))
        enterprise = key_parameter("enterprise_key")
        return Enterprise.objects.filter(is_used_before, pk=enterprise).order_by(), key

    def _filter_allocations(self, code: Parameter) -> QuerySet[OrderAllocation]:
        """Return the allocations of the past orders to the cost centre with this code."""
        rows: QuerySet[OrderAllocation] = OrderAllocation.objects.filter(
            dimension__kind=DimensionKind.COST_CENTER,
            dimension__code=code,
            order__in=self._filter_approved_orders(),
        )
        return rows

    def _list_last_prices(self, number: int) -> tuple[QuerySet[Any, Any], Subquery]:
        """Return the products that were bought before, and the last unit price (元 含税)."""
        lines = self._filter_approved_lines().filter(product_id=OuterRef("pk"))
        last = lines.order_by("-ordered_at").values("unit_price_incl_tax")[:1]
        rows = Product.objects.filter(Exists(lines), pk__any_of=ListParameter(f"keys_{number}"))
        return rows.order_by(), Subquery(last)


def get_past_orders(requester: Account) -> PastOrders:
    """Return the orders before a new order of the requester."""
    return PastOrders(enterprise_id=requester.enterprise_id)
