"""The plan of a price batch: the new price of each row. The admin previews it and the service
applies it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from django.db.models import Q, QuerySet

from apps.catalog.models import Brand, Category
from apps.pricing.enums import PriceRuleKind
from apps.pricing.models import PriceList, PriceListItem
from apps.pricing.models.price_change import format_rule
from apps.pricing.models.tiers import MAX_TIERS, TIER_FIELDS, TIER_PRICE_FIELDS, read_tiers
from apps.pricing.selectors.price_changes import Prices, compute_price_move_cents, has_low_price

# The quantities, or the prices, of the tiers of a row; None without this tier.
TierQuantities = tuple[int | None, ...]
TierPrices = tuple[Decimal | None, ...]
NO_TIERS: tuple[None, ...] = (None,) * MAX_TIERS
LEVELS = {1: "product__l1", 2: "product__l2", 3: "product__l3"}


@dataclass(frozen=True, slots=True)
class PriceRule:
    """The formula of the new price (元, 含税), rounded half-up to a multiple of `step`."""

    kind: PriceRuleKind
    figure: Decimal
    step: Decimal = Decimal("0.01")

    def compute_price(self, *, old: Decimal, market: Decimal) -> Decimal:
        """Return the new price for an old price and a market price."""
        if self.kind == PriceRuleKind.AMOUNT:
            exact = old + self.figure
        else:
            exact = (
                market * self.figure / 100
                if self.kind == PriceRuleKind.MARKET
                else old * (100 + self.figure) / 100
            )
        return self._round(exact)

    def compute_in_proportion(
        self, tier_price: Decimal, *, before: Decimal, after: Decimal
    ) -> Decimal:
        """Return the new price of a tier, which keeps its proportion to the price of the row. It
        stays at or below that price, because both are rounded to the same step.
        """
        return self._round(tier_price * after / before) if before else tier_price

    def _round(self, exact: Decimal) -> Decimal:
        return (exact / self.step).quantize(Decimal(1), rounding=ROUND_HALF_UP) * self.step

    def __str__(self) -> str:
        return format_rule(self.kind, self.figure)


@dataclass(frozen=True, slots=True)
class PriceChoice:
    """The rows of a price list to change: all rows, or the rows that match category, brand and
    codes.
    """

    price_list: PriceList
    category: Category | None = None
    brand: Brand | None = None
    codes: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [
            f"类目 {self.category.name}" if self.category else "",
            f"品牌 {self.brand.name}" if self.brand else "",
        ]
        parts.append(f"{len(self.codes)} 个商品编码" if self.codes else "")
        return "，".join(part for part in parts if part) or "整个价目表"

    def list_items(self) -> QuerySet[PriceListItem]:
        """Return the chosen rows with a price, ordered by primary key."""
        condition = Q(price_list=self.price_list, price__isnull=False)
        if self.category is not None:
            condition &= Q((LEVELS[self.category.level], self.category))
        if self.brand is not None:
            condition &= Q(product__brand=self.brand)
        if self.codes:
            condition &= Q(product__code__in=self.codes)
        return PriceListItem.objects.filter(condition).order_by("pk")


@dataclass(frozen=True, slots=True)
class PlannedPrice:
    """A row whose price would change. `refusal` says why it must not."""

    item_id: int
    product_id: int
    code: str
    name: str
    before: Decimal
    after: Decimal
    market: Decimal
    refusal: str = ""
    tier_quantities: TierQuantities = NO_TIERS
    tiers_before: TierPrices = NO_TIERS
    tiers_after: TierPrices = NO_TIERS

    @property
    def is_low(self) -> bool:
        """Whether the row gets a low price."""
        return has_low_price(self.prices_before, self.prices_after, self.market)

    @property
    def prices_before(self) -> Prices:
        """Return the price with its tiers before the change."""
        tiers = read_tiers(zip(self.tier_quantities, self.tiers_before, strict=True))
        return Prices(self.before, tiers)

    @property
    def prices_after(self) -> Prices:
        """Return the price with its tiers after the change."""
        tiers = read_tiers(zip(self.tier_quantities, self.tiers_after, strict=True))
        return Prices(self.after, tiers)

    @property
    def moved(self) -> Decimal:
        """Return the change of the price and of each tier, up or down, in 元."""
        cents = compute_price_move_cents(self.prices_before, self.prices_after, self.market)
        return Decimal(cents) / 100

    @property
    def move(self) -> Decimal:
        """Return the change in percent with one decimal. A change from 0 counts as 100."""
        part = (self.after - self.before) / self.before * 100 if self.before else Decimal(100)
        return part.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)


@dataclass(frozen=True, slots=True)
class PricePlan:
    """The planned rows: `changes` are allowed, `refused` are not. `unchanged` counts rows that
    keep their price.
    """

    changes: tuple[PlannedPrice, ...]
    refused: tuple[PlannedPrice, ...]
    unchanged: int

    @property
    def digest(self) -> str:
        """Return a hash of the rows and prices. It identifies the preview."""
        text = ";".join(
            f"{row.item_id}:{row.prices_before}:{row.prices_after}"
            for row in (*self.changes, *self.refused)
        )
        return hashlib.sha256(text.encode()).hexdigest()

    def list_largest(self, count: int) -> list[PlannedPrice]:
        """Return the rows with the largest changes in percent, up or down."""
        return sorted(self.changes, key=lambda row: (-abs(row.move), row.code))[:count]


def get_price_plan(*, choice: PriceChoice, rule: PriceRule) -> PricePlan:
    """Return the plan for the chosen rows. One query."""
    fields = (
        "pk",
        "product_id",
        "product__code",
        "product__name",
        "price",
        "product__market_price",
        *(quantity for quantity, _price in TIER_FIELDS),
        *TIER_PRICE_FIELDS,
    )
    changes, refused_changes, unchanged = list[PlannedPrice](), list[PlannedPrice](), 0
    for pk, product_id, code, name, before, market, *tiers in choice.list_items().values_list(
        *fields
    ):
        after = rule.compute_price(old=before, market=market)
        if after == before:
            unchanged += 1
            continue
        tiers_before: TierPrices = tuple(tiers[MAX_TIERS:])
        tiers_after = tuple(
            None if price is None else rule.compute_in_proportion(price, before=before, after=after)
            for price in tiers_before
        )
        row = PlannedPrice(
            item_id=pk,
            product_id=product_id,
            code=code,
            name=name,
            before=before,
            after=after,
            market=market,
            refusal=_find_price_refusal(before, after, market, tiers_after),
            tier_quantities=tuple(tiers[:MAX_TIERS]),
            tiers_before=tiers_before,
            tiers_after=tiers_after,
        )
        (refused_changes if row.refusal else changes).append(row)
    return PricePlan(tuple(changes), tuple(refused_changes), unchanged)


def _find_price_refusal(
    before: Decimal, after: Decimal, market: Decimal, tiers_after: TierPrices
) -> str:
    """Return why the new price is refused: it or a tier is not above 0, or it rises above the
    market price. Empty if it is allowed.
    """
    if after <= 0:
        return "新价不大于 0"
    if any(price is not None and price <= 0 for price in tiers_after):
        return "阶梯价的新价不大于 0"
    return f"新价高于市场价 ¥{market}" if after > market and after > before else ""
