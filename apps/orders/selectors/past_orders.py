"""Earlier orders of an enterprise, as the conditions of approval rules need them: sums over time,
first uses, and the last price of a product.

Orders count from the submit until they end unshipped, at their present amounts. Sums by category
and brand count the lines, the others the orders with their freight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef, QuerySet, Subquery, Sum
from django.utils import timezone

from apps.approvals.enums import ConditionKind
from apps.approvals.subjects import PastFacts, PastNeeds
from apps.catalog.models import Brand, Product
from apps.common.money import ZERO
from apps.orders.enums import ENDED_UNSHIPPED
from apps.orders.models import Order, OrderLine
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


@dataclass(frozen=True, slots=True)
class PastOrders:
    """The orders of an enterprise before `until` (None: now), without the orders in `without`."""

    enterprise_id: int | None
    until: datetime | None = None
    without: frozenset[int] = frozenset()

    def read(self, needs: PastNeeds) -> PastFacts:
        """Return what is known of the keys in `needs`."""
        sums: dict[tuple[str, int, str], Decimal] = {}
        for (kind, days), keys in needs.sums.items():
            for key, amount in self._sums(kind, days, keys).items():
                sums[kind, days, key] = amount
        known = {kind: self._known(kind, keys) for kind, keys in needs.firsts.items()}
        prices = self._last_prices(needs.products) if needs.products else {}
        return PastFacts(sums=sums, known=known, last_prices=prices)

    def _orders(self) -> QuerySet[Order]:
        rows: QuerySet[Order] = Order.objects.filter(enterprise_id=self.enterprise_id)
        rows = rows.exclude(status__in=ENDED_UNSHIPPED).order_by()
        if self.without:
            rows = rows.exclude(pk__in=self.without)
        return rows if self.until is None else rows.filter(submitted_at__lt=self.until)

    def _lines(self) -> QuerySet[OrderLine]:
        rows: QuerySet[OrderLine] = OrderLine.objects.filter(
            order__enterprise_id=self.enterprise_id
        )
        rows = rows.exclude(order__status__in=ENDED_UNSHIPPED).order_by()
        if self.without:
            rows = rows.exclude(order_id__in=self.without)
        return rows if self.until is None else rows.filter(ordered_at__lt=self.until)

    def _sums(self, kind: str, days: int, keys: frozenset[str]) -> Mapping[str, Decimal]:
        rows: QuerySet[Any, Any]
        since = (self.until or timezone.now()) - timedelta(days=days)
        if kind in LINE_SUMS:
            column = LINE_SUMS[K(kind)]
            lines = self._lines().filter(ordered_at__gt=since, **{f"{column}__in": keys})
            rows = lines.values_list(column).annotate(total=Sum("amount_incl_tax"))
        else:
            column = ORDER_SUMS[K(kind)]
            orders = self._orders().filter(submitted_at__gt=since, **{f"{column}__in": keys})
            rows = orders.values_list(column).annotate(total=Sum("total_amount"))
        return {str(key): total or ZERO for key, total in rows}

    def _known(self, kind: str, keys: frozenset[str]) -> frozenset[str]:
        """Return which of the keys were used before. One indexed look-up for each key."""
        if kind in LINE_FIRSTS:
            model, column = LINE_FIRSTS[K(kind)]
            used = Exists(self._lines().filter(**{column: OuterRef("pk")}))
            found = model.objects.filter(used, pk__in=keys).order_by().values_list("pk", flat=True)
            return frozenset(str(pk) for pk in found)
        column = ORDER_FIRSTS[K(kind)]
        names = {f"key{number}": key for number, key in enumerate(sorted(keys))}
        uses = {name: Exists(self._orders().filter(**{column: key})) for name, key in names.items()}
        row = Enterprise.objects.filter(pk=self.enterprise_id).values(**uses).first() or {}
        return frozenset(key for name, key in names.items() if row.get(name))

    def _last_prices(self, products: frozenset[int]) -> dict[int, Decimal]:
        lines = self._lines().filter(product_id=OuterRef("pk"), quantity__gt=0)
        last = lines.order_by("-ordered_at").values("unit_price_incl_tax")[:1]
        rows = Product.objects.filter(pk__in=products).order_by()
        found = rows.annotate(last_price=Subquery(last)).values_list("pk", "last_price")
        return {pk: price for pk, price in found if price is not None}


def past_of(requester: Account) -> PastOrders:
    """Return the orders before a new order of the requester."""
    return PastOrders(enterprise_id=requester.enterprise_id)
