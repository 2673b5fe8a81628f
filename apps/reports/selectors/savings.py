"""Savings and compliance: agreed prices against market prices, purchases off agreement, tail spend
and price moves. All figures come from the facts of the report, so they agree with the others.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Case, ExpressionWrapper, F, Max, Min, Q, QuerySet, Sum, When

from apps.catalog.models import Product
from apps.common.money import ZERO, MoneyField
from apps.org.models import Account
from apps.reports.enums import FactKind
from apps.reports.models import ReportFact
from apps.reports.selectors import names
from apps.reports.selectors.summary import compute_growth_percent

# The amount of a fact at market prices. Freight, and goods without a market price, count at the
# amount paid: they save nothing. Without the output field the sum would be in 分.
MARKET = Case(
    When(Q(order_line__isnull=True) | Q(order_line__market_price=ZERO), then=F("amount")),
    default=ExpressionWrapper(
        F("quantity") * F("order_line__market_price"), output_field=MoneyField()
    ),
    output_field=MoneyField(),
)
ON_AGREEMENT = Q(order_line__is_off_agreement=False)
OFF_AGREEMENT = Q(order_line__is_off_agreement=True)
# Products outside the ones that make this share of the amount are the tail.
HEAD_SHARE = Decimal("0.80")
MAX_PEOPLE, MAX_MOVES = 10, 20
BOUGHT = (FactKind.ORDERED, FactKind.RECEIVED, FactKind.INVOICED)


@dataclass(frozen=True, slots=True)
class Buyer:
    """The purchases off agreement of one person, and their share of the person's goods in percent.
    Amount in 元, 含税.
    """

    person: Account
    amount: Decimal
    percent: Decimal | None


@dataclass(frozen=True, slots=True)
class PriceMove:
    """The first and the last unit price of a product in the period, in 元, 含税."""

    product: Product
    first: Decimal
    last: Decimal
    first_day: date
    last_day: date

    @property
    def percent(self) -> Decimal | None:
        """The change in percent."""
        return compute_growth_percent(self.last, self.first)


@dataclass(frozen=True, slots=True, kw_only=True)
class SavingsFigures:
    """The amount at market prices, the amount paid, and the goods on and off agreement, each in 元
    含税. `agreed` + `off_agreement` are the goods; freight is neither.
    """

    market: Decimal
    amount: Decimal
    agreed: Decimal
    off_agreement: Decimal

    @property
    def saved(self) -> Decimal:
        """The difference between market prices and the amount paid."""
        return self.market - self.amount

    @property
    def saved_percent(self) -> Decimal | None:
        """The saving in percent of the amount at market prices."""
        return compute_percent(self.saved, self.market)

    @property
    def agreed_percent(self) -> Decimal | None:
        """The goods on agreement in percent of all goods."""
        return compute_percent(self.agreed, self.agreed + self.off_agreement)


@dataclass(frozen=True, slots=True, kw_only=True)
class Savings(SavingsFigures):
    """The figures above the rows. `tail_products` of `products` share `tail_amount` 元."""

    products: int
    tail_products: int
    tail_amount: Decimal
    buyers: list[Buyer]
    moves: list[PriceMove]


def compute_percent(part: Decimal, whole: Decimal) -> Decimal | None:
    """Return the part in percent with one decimal, or None if the whole is not positive."""
    return (part * 100 / whole).quantize(Decimal("0.1")) if whole > ZERO else None


def get_savings_figures(current_facts: QuerySet[ReportFact]) -> SavingsFigures:
    """Return the sums of a window's facts. One query."""
    sums: dict[str, Any] = current_facts.aggregate(
        sum_market=Sum(MARKET, default=0),
        sum_amount=Sum("amount", default=0),
        sum_agreed=Sum("amount", default=0, filter=ON_AGREEMENT),
        sum_off=Sum("amount", default=0, filter=OFF_AGREEMENT),
    )
    return SavingsFigures(
        market=sums["sum_market"],
        amount=sums["sum_amount"],
        agreed=sums["sum_agreed"],
        off_agreement=sums["sum_off"],
    )


def get_savings(current_facts: QuerySet[ReportFact]) -> Savings:
    """Return the sums of a window's facts with people, tail and price moves. Seven queries."""
    amounts = sorted(
        current_facts.filter(product__isnull=False)
        .values_list("product_id")
        .annotate(total=Sum("amount"))
        .values_list("total", flat=True),
        reverse=True,
    )
    head = count_head(amounts)
    return Savings(
        **asdict(get_savings_figures(current_facts)),
        products=len(amounts),
        tail_products=len(amounts) - head,
        tail_amount=sum(amounts[head:], ZERO),
        buyers=_list_buyers(current_facts),
        moves=_list_price_moves(current_facts),
    )


def count_head(amounts: list[Decimal]) -> int:
    """Return how many of the amounts, the largest first, make 80% of their total."""
    goal, running_total = sum(amounts, ZERO) * HEAD_SHARE, ZERO
    for number, amount in enumerate(amounts):
        if running_total >= goal:
            return number
        running_total += amount
    return len(amounts)


def _list_buyers(current_facts: QuerySet[ReportFact]) -> list[Buyer]:
    """Return the people with the largest purchases off agreement."""
    rows = (
        current_facts.filter(order_line__isnull=False)
        .values_list("requester_id")
        .annotate(
            off_agreement=Sum("amount", default=0, filter=OFF_AGREEMENT),
            goods=Sum("amount", default=0),
        )
        .filter(off_agreement__gt=0)
        .order_by("-off_agreement", "requester_id")[:MAX_PEOPLE]
    )
    sums_by_person = [(pk, off_agreement, goods) for pk, off_agreement, goods in rows]
    people = names.get_people_by_key([pk for pk, _, _ in sums_by_person])
    return [
        Buyer(people[pk], off_agreement, compute_percent(off_agreement, goods))
        for pk, off_agreement, goods in sums_by_person
    ]


def _list_price_moves(current_facts: QuerySet[ReportFact]) -> list[PriceMove]:
    """Return the products whose unit price differs between the first and the last purchase of the
    period, the largest amounts first.
    """
    purchases = current_facts.filter(kind__in=BOUGHT, product__isnull=False)
    price = "order_line__unit_price_incl_tax"
    product_ids = (
        purchases.values_list("product_id")
        .annotate(lowest_price=Min(price), highest_price=Max(price), total=Sum("amount"))
        .filter(lowest_price__lt=F("highest_price"))
        .order_by("-total", "product_id")
        .values_list("product_id", flat=True)[: MAX_MOVES * 2]
    )
    keys = list(product_ids)
    points: dict[int, list[tuple[Decimal, date]]] = {pk: [] for pk in keys}
    rows = purchases.filter(product__in=keys).order_by("order__submitted_at", "order_line_id", "pk")
    for pk, unit_price, day in rows.values_list("product_id", price, "day"):
        points[pk].append((unit_price, day))
    products = names.get_products_by_key(keys)
    moves = [
        PriceMove(
            product=products[pk],
            first=points[pk][0][0],
            last=points[pk][-1][0],
            first_day=points[pk][0][1],
            last_day=points[pk][-1][1],
        )
        for pk in keys
    ]
    return [move for move in moves if move.first != move.last][:MAX_MOVES]
