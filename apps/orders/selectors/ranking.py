"""企业排行 and 行业排行: the most bought products, with their place in the previous period."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db.models import BooleanField, Count, F, Q, QuerySet, Sum, Window
from django.db.models.expressions import RawSQL
from django.db.models.functions import NullIf, Rank
from django.utils import timezone

from apps.catalog.models import Category
from apps.common.days import start_of_day
from apps.common.sql import all_of
from apps.orders.enums import PURCHASED, RankGap, RankMeasure, RankPeriod, RankScope
from apps.orders.models import OrderLine, RankEntry, RankPublication
from apps.org.enums import DataScope
from apps.org.menus import MenuCode
from apps.org.selectors.data_scope import scope_filter
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers
from apps.pricing.sql.products import build_for_sale_conditions
from apps.search.selectors.product_list import get_category_path

if TYPE_CHECKING:
    from apps.org.models import Account

DAYS = {RankPeriod.MONTH: 30, RankPeriod.QUARTER: 90, RankPeriod.YEAR: 365}
MONTHS = {RankPeriod.MONTH: 1, RankPeriod.QUARTER: 3, RankPeriod.YEAR: 12}

MAX_PLACES = 100
# Products with the same place are sorted by rating, without reviews last.
BETTER_RATED = (F("product__rating_stars") * 100 / NullIf("product__rating_count", 0)).desc(
    nulls_last=True
)


@dataclass(frozen=True, slots=True)
class RankWindow:
    """The period from `since` to the day before `until`, and the previous one from `before` to
    the day before `since`. Days in Asia/Shanghai.
    """

    before: date
    since: date
    until: date

    @property
    def last_day(self) -> date:
        """Return the last counted day."""
        return self.until - timedelta(days=1)


def get_rolling_window(period: RankPeriod, *, today: date) -> RankWindow:
    """Return the last 30, 90 or 365 days, including today."""
    length = timedelta(days=DAYS[period])
    until = today + timedelta(days=1)
    return RankWindow(until - 2 * length, until - length, until)


def get_whole_months_window(period: RankPeriod, *, month: date) -> RankWindow:
    """Return the 1, 3 or 12 calendar months before `month`, a first day of a month."""
    return RankWindow(
        _subtract_months(month, 2 * MONTHS[period]), _subtract_months(month, MONTHS[period]), month
    )


def _subtract_months(month: date, count: int) -> date:
    index = month.year * 12 + month.month - 1 - count
    return date(index // 12, index % 12 + 1, 1)


@dataclass(frozen=True, slots=True)
class RankQuestion:
    """The parameters of a ranking. `category_id` may have any level."""

    scope: RankScope
    period: RankPeriod
    measure: RankMeasure
    category_id: int | None = None


@dataclass(frozen=True, slots=True)
class RankRow:
    """A place. `before` is the previous place, or None. The figures cover the orders of the
    actor's data scope and are None for the industry. Amounts in 元 含税.
    """

    offer: Offer
    place: int
    before: int | None
    times: int | None = None
    quantity: int | None = None
    amount: Decimal | None = None


@dataclass(frozen=True, slots=True)
class RankCategory:
    """A first-level category that has ranked products."""

    pk: int
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """The first hundred places. `whose` is the data scope of the counted orders, None for the
    industry. `gap` is the reason for an empty ranking.
    """

    question: RankQuestion
    context: CatalogueContext
    window: RankWindow
    whose: DataScope | None
    rows: tuple[RankRow, ...]
    categories: tuple[RankCategory, ...]
    gap: RankGap | None


def rank_products(*, actor: Account, question: RankQuestion) -> Ranking:
    """Rank the products that the actor may buy, by orders or by amount: those of the own
    enterprise, or those of all customers.
    """
    context = get_catalogue_context(actor=actor)
    if question.scope == RankScope.ENTERPRISE:
        return _rank_own_purchases(actor, context, question)
    return _rank_industry(context, question)


def _rank_own_purchases(
    actor: Account, context: CatalogueContext, question: RankQuestion
) -> Ranking:
    """Rank the products that the actor's data scope ordered, up to now. The query reads orders
    by (group, status, time), then their lines.
    """
    window = get_rolling_window(question.period, today=timezone.localdate())
    scope = scope_filter(
        actor=actor, menu=MenuCode.ORDER_LIST, prefix="order__", account="requester"
    )
    bounded = Q(
        order__group=actor.group_id,
        order__status__in=PURCHASED,
        order__submitted_at__gte=start_of_day(window.before),
        quantity__gt=0,
    )
    lines = OrderLine.objects.filter(
        bounded, scope, _build_visibility_condition(context)
    ).order_by()
    is_in_window = Q(order__submitted_at__gte=start_of_day(window.since))
    figures = {
        "times": Count("pk", filter=is_in_window),
        "quantity_now": Sum("quantity", filter=is_in_window),
        "amount": Sum("amount_incl_tax", filter=is_in_window),
        "times_before": Count("pk", filter=~is_in_window),
        "amount_before": Sum("amount_incl_tax", filter=~is_in_window),
    }
    first, second = (
        ("times", "amount") if question.measure == RankMeasure.TIMES else ("amount", "times")
    )
    ranked_rows = (
        _filter_by_category(lines, question, context)
        .values("product_id")
        .annotate(**figures)
        .annotate(
            place=Window(
                Rank(), order_by=[F(name).desc(nulls_last=True) for name in (first, second)]
            ),
            before=Window(
                Rank(),
                order_by=[F(f"{name}_before").desc(nulls_last=True) for name in (first, second)],
            ),
        )
        .order_by("place", BETTER_RATED, "product_id")
    )
    figures_by_product = {
        row["product_id"]: row for row in ranked_rows[:MAX_PLACES] if row["times"]
    }
    offers = get_offers(context=context, product_ids=figures_by_product)
    rows = tuple(_build_own_row(offer, figures_by_product[pk]) for pk, offer in offers.items())
    categories = _list_categories(lines.filter(is_in_window))
    data_scope = actor.get_data_scope(MenuCode.ORDER_LIST)
    return Ranking(
        question=question,
        context=context,
        window=window,
        whose=data_scope,
        rows=rows,
        categories=categories,
        gap=_compute_gap(rows, categories, RankGap.NO_ORDERS),
    )


def _build_own_row(offer: Offer, row: dict[str, Any]) -> RankRow:
    """Return the row of a product in the enterprise's own ranking. The amount (元) is None if
    the actor sees no price.
    """
    before = row["before"] if row["times_before"] else None
    return RankRow(
        offer=offer,
        place=row["place"],
        before=before,
        times=row["times"],
        quantity=row["quantity_now"],
        amount=row["amount"] if offer.is_priced else None,
    )


def _rank_industry(context: CatalogueContext, question: RankQuestion) -> Ranking:
    """Rank by the published places, without products that the customer may not buy."""
    publication = RankPublication.objects.first()
    window = get_whole_months_window(
        question.period,
        month=publication.month if publication else timezone.localdate().replace(day=1),
    )
    published = RankEntry.objects.filter(
        publication=publication, period=question.period, measure=question.measure
    )
    entries = published.filter(product__isnull=False).filter(_build_visibility_condition(context))
    places = (
        _filter_by_category(entries, question, context)
        .annotate(
            now=Window(Rank(), order_by=F("place").asc(nulls_last=True)),
            before=Window(Rank(), order_by=F("place_before").asc(nulls_last=True)),
        )
        .order_by("now", BETTER_RATED, "product_id")
        .values("product_id", "place", "place_before", "now", "before")
    )
    place_by_product = {
        row["product_id"]: row for row in places[:MAX_PLACES] if row["place"] is not None
    }
    offers = get_offers(context=context, product_ids=place_by_product)
    rows = tuple(
        RankRow(
            offer,
            place_by_product[pk]["now"],
            None
            if place_by_product[pk]["place_before"] is None
            else place_by_product[pk]["before"],
        )
        for pk, offer in offers.items()
    )
    categories = _list_categories(entries.filter(place__isnull=False))
    hidden = not rows and not categories and published.filter(place__isnull=False).exists()
    gap = _compute_gap(
        rows, categories, RankGap.NOT_IN_CATALOGUE if hidden else RankGap.TOO_FEW_GROUPS
    )
    return Ranking(
        question=question,
        context=context,
        window=window,
        whose=None,
        rows=rows,
        categories=categories,
        gap=gap,
    )


def _compute_gap(
    rows: tuple[RankRow, ...], categories: tuple[RankCategory, ...], otherwise: RankGap
) -> RankGap | None:
    if rows:
        return None
    return RankGap.CATEGORY_EMPTY if categories else otherwise


def _build_visibility_condition(context: CatalogueContext) -> Any:
    """Return the condition that the product of the row is on sale and visible. The SQL uses the
    table name of the ORM.
    """
    condition = all_of(build_for_sale_conditions(context, "catalog_product"))
    return Q(product__status__isnull=False) & Q(
        RawSQL(condition.sql, condition.parameters, output_field=BooleanField())  # noqa: S611
    )


def _filter_by_category(
    rows: QuerySet[Any], question: RankQuestion, context: CatalogueContext
) -> QuerySet[Any]:
    """Return the rows of the category, of any level. Empty for an unknown category."""
    if question.category_id is None:
        return rows
    path: tuple[Category, ...] = get_category_path(
        question.category_id, token=context.agreements_token
    )
    return rows.filter(**{f"product__l{path[-1].level}": path[-1].pk}) if path else rows.none()


def _list_categories(rows: QuerySet[Any]) -> tuple[RankCategory, ...]:
    """Return the first-level categories of the ranked products, with the number of products."""
    order_counts = (
        rows.order_by()
        .values_list("product__l1", "product__l1__name")
        .annotate(products=Count("product", distinct=True))
    )
    return tuple(
        RankCategory(*row) for row in order_counts.order_by("product__l1__position", "product__l1")
    )
