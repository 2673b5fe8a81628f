"""Earlier orders of an enterprise, as the conditions of approval rules need them: sums over time,
first uses, and the last price of a product.

Orders count for the sums from the submit until they end unshipped, at their present amounts. Sums
by category and brand count the lines, the others the orders with their freight.

For first uses and last prices an order counts from its approval on: otherwise a small order that
waits would let a large one pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Cast
from django.utils import timezone

from apps.approvals.enums import ConditionKind
from apps.approvals.subjects import PastFacts, PastNeeds
from apps.catalog.models import Brand, Product
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
NO_AMOUNT = Value(ZERO, output_field=MoneyField())


@dataclass(frozen=True, slots=True)
class PastOrders:
    """The orders of an enterprise before `until` (None: now), without the orders in `without`."""

    enterprise_id: int | None
    until: datetime | None = None
    without: frozenset[int] = frozenset()

    def read(self, needs: PastNeeds) -> PastFacts:
        """Return what is known of the keys in `needs`."""
        parts = [
            *self._build_sum_queries(needs),
            *self._build_first_queries(needs),
            *self._build_price_queries(needs),
        ]
        sums: dict[tuple[str, int, str], Decimal] = {}
        past_keys: dict[str, set[str]] = {kind: set() for kind in needs.firsts}
        prices: dict[int, Decimal] = {}
        for kind, days, key, amount in parts[0].union(*parts[1:], all=True) if parts else ():
            if kind == LAST_PRICE:
                prices[int(key)] = amount
            elif kind in past_keys:
                past_keys[kind].add(key)
            else:
                sums[kind, days, key] = amount
        return PastFacts(
            sums=sums,
            used_before={kind: frozenset(keys) for kind, keys in past_keys.items()},
            last_prices=prices,
        )

    def _filter_orders(self) -> QuerySet[Order]:
        """Return the enterprise's orders that count as history, without `self.without` and
        before `self.until`.
        """
        rows: QuerySet[Order] = Order.objects.filter(enterprise_id=self.enterprise_id)
        rows = rows.exclude(status__in=ENDED_UNSHIPPED).order_by()
        if self.without:
            rows = rows.exclude(pk__in=self.without)
        return rows if self.until is None else rows.filter(submitted_at__lt=self.until)

    def _filter_lines(self) -> QuerySet[OrderLine]:
        """Return the order lines that count as history, by the same rule as `_filter_orders`."""
        rows: QuerySet[OrderLine] = OrderLine.objects.filter(
            enterprise_key=self.enterprise_id or 0, is_ended=False
        ).order_by()
        if self.without:
            rows = rows.exclude(order_id__in=self.without)
        return rows if self.until is None else rows.filter(ordered_at__lt=self.until)

    def _filter_approved_orders(self) -> QuerySet[Order]:
        """Return the orders that count for first uses."""
        return self._filter_orders().exclude(status=OrderStatus.PENDING_APPROVAL)

    def _filter_approved_lines(self) -> QuerySet[OrderLine]:
        """Return the lines that count for first uses and last prices: pieces are left of them.
        The few orders in approval are read once, so that no line joins its order.
        """
        waiting = Order.objects.filter(
            enterprise_id=self.enterprise_id, status=OrderStatus.PENDING_APPROVAL
        )
        rows = self._filter_lines().filter(quantity__gt=0)
        return rows.exclude(order_id__in=waiting.order_by().values("pk"))

    def _build_sum_queries(self, needs: PastNeeds) -> Iterator[QuerySet[Any, Any]]:
        """Yield one query per needed sum. Its rows are a key (product, category …) and the sum
        in 元.
        """
        for (kind, days), keys in needs.sums.items():
            since = (self.until or timezone.now()) - timedelta(days=days)
            rows: QuerySet[Any, Any]
            if kind in LINE_SUMS:
                column, amount = LINE_SUMS[K(kind)], "amount_incl_tax"
                rows = self._filter_lines().filter(ordered_at__gt=since)
            else:
                column, amount = ORDER_SUMS[K(kind)], "total_amount"
                rows = self._filter_orders().filter(submitted_at__gt=since)
            rows = rows.filter(**{f"{column}__in": keys}).values(column)
            yield _select_facts(rows, kind, days=days, key=F(column), amount=Sum(amount))

    def _build_first_queries(self, needs: PastNeeds) -> Iterator[QuerySet[Any, Any]]:
        """Yield the keys that were used before. One indexed look-up for each key."""
        for kind, keys in needs.firsts.items():
            if kind in USED_BY_LINES:
                model, column = USED_BY_LINES[K(kind)]
                in_lines = Exists(self._filter_approved_lines().filter(**{column: OuterRef("pk")}))
                rows = model.objects.filter(in_lines, pk__in=keys).order_by()
                yield _select_facts(rows, kind, key=F("pk"))
                continue
            for key in sorted(keys):
                is_used_before = Q(
                    Exists(self._filter_approved_orders().filter(**{ORDER_FIRSTS[K(kind)]: key}))
                )
                if kind == K.FIRST_COST_CENTER:
                    # An order that is split over several has their joined codes in its column.
                    is_used_before |= Q(Exists(self._filter_allocations(key)))
                rows = Enterprise.objects.filter(is_used_before, pk=self.enterprise_id).order_by()
                yield _select_facts(rows, kind, key=Value(key))

    def _filter_allocations(self, code: str) -> QuerySet[OrderAllocation]:
        """Return the allocations of the past orders to the cost centre with this code."""
        rows: QuerySet[OrderAllocation] = OrderAllocation.objects.filter(
            dimension__kind=DimensionKind.COST_CENTER,
            dimension__code=code,
            order__in=self._filter_approved_orders(),
        )
        return rows

    def _build_price_queries(self, needs: PastNeeds) -> Iterator[QuerySet[Any, Any]]:
        """Yield the query of the last unit price (元 含税) of each needed product."""
        if not needs.products:
            return
        lines = self._filter_approved_lines().filter(product_id=OuterRef("pk"))
        last = lines.order_by("-ordered_at").values("unit_price_incl_tax")[:1]
        rows = Product.objects.filter(Exists(lines), pk__in=needs.products).order_by()
        yield _select_facts(rows, LAST_PRICE, key=F("pk"), amount=Subquery(last))


def _select_facts(
    rows: QuerySet[Any, Any], kind: str, *, key: Any, days: int = 0, amount: Any = NO_AMOUNT
) -> QuerySet[Any, Any]:
    """Return the rows as (kind, days, key as text, amount in 元)."""
    annotated = rows.annotate(
        fact=Value(kind), days=Value(days), key=Cast(key, CharField()), amount=amount
    )
    facts: QuerySet[Any, Any] = annotated.values_list("fact", "days", "key", "amount")
    return facts


def get_past_orders(requester: Account) -> PastOrders:
    """Return the orders before a new order of the requester."""
    return PastOrders(enterprise_id=requester.enterprise_id)
