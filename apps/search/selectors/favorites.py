"""收藏 and 浏览记录 of an account, with the current state of the products.

SQL filters them by keyword, category, price drop and availability.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from decimal import Decimal
from typing import TYPE_CHECKING

from django.db import connection

from apps.catalog.errors import NotInCatalogue, OffSale, StockShort
from apps.catalog.selectors.families import MemberValues, get_member_values
from apps.common.errors import DomainError
from apps.common.sql import Fragment, all_of, any_of, build_model_rows
from apps.pricing.selectors.context import CatalogueContext, get_catalogue_context
from apps.pricing.selectors.offers import Offer, get_offers
from apps.pricing.sql.products import (
    build_for_sale_conditions,
    build_price_joins,
    build_visible_condition,
    own_join,
)
from apps.search.enums import FavoriteType
from apps.search.models import Favorite
from apps.search.sql.conditions import build_price_expression

if TYPE_CHECKING:
    from apps.org.models import Account

PRODUCT_WORDS = ("p.name", "p.code", "p.model_code", "b.name")


@dataclass(frozen=True, slots=True)
class FavoriteFilters:
    """Filters of the list. `category_id` can be of any level."""

    keyword: str = ""
    category_id: int | None = None
    cheaper_only: bool = False
    buyable_only: bool = False

    @property
    def are_set(self) -> bool:
        """Whether any filter is set."""
        return self != FavoriteFilters()


@dataclass(frozen=True, slots=True)
class FavoriteCategory:
    """A first-level category of the list, with its count."""

    pk: int
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class FavoriteSummary:
    """Counts over the whole list, regardless of filters: total, cheaper than when added, and
    available now.
    """

    total: int
    cheaper: int
    buyable: int
    categories: tuple[FavoriteCategory, ...]


def list_favorites(
    context: CatalogueContext,
    kind: FavoriteType,
    filters: FavoriteFilters,
    *,
    index: int,
    size: int,
) -> list[Favorite]:
    """Return a page of rows, the latest first. One query."""
    reader = build_model_rows(Favorite, "f")
    tables, where = _build_favorite_tables(context), _filter_condition(context, kind, filters)
    sql = (
        f"SELECT {reader.select} {tables.sql} WHERE {where.sql} ORDER BY f.at DESC, f.id DESC "
        "LIMIT %s OFFSET %s"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [*tables.parameters, *where.parameters, size, (index - 1) * size])
        return [reader.hydrate(values) for values in cursor.fetchall()]


def count_favorites(context: CatalogueContext, kind: FavoriteType, filters: FavoriteFilters) -> int:
    """Return the number of favorites that match the filters. One query."""
    tables, where = _build_favorite_tables(context), _filter_condition(context, kind, filters)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT COUNT(*) {tables.sql} WHERE {where.sql}",
            [*tables.parameters, *where.parameters],
        )
        return int(cursor.fetchone()[0])


def get_favorite_summary(context: CatalogueContext, kind: FavoriteType) -> FavoriteSummary:
    """Return the counts over the whole list. One query."""
    tables, where, cheaper, buyable = (
        _build_favorite_tables(context),
        _build_owner_condition(context, kind),
        _build_price_drop_condition(context),
        _build_buyable_condition(context),
    )
    sql = f"""
    SELECT c.id, c.name, COUNT(*), SUM(CASE WHEN {cheaper.sql} THEN 1 ELSE 0 END), SUM(CASE
        WHEN {buyable.sql} THEN 1 ELSE 0 END)
    {tables.sql} JOIN catalog_category c ON c.id = p.l1_id
    WHERE {where.sql} GROUP BY c.id, c.name, c.position ORDER BY c.position, c.id
    """
    with connection.cursor() as cursor:
        cursor.execute(
            sql, [*cheaper.parameters, *buyable.parameters, *tables.parameters, *where.parameters]
        )
        rows = cursor.fetchall()
    return FavoriteSummary(
        total=sum(row[2] for row in rows),
        cheaper=sum(row[3] for row in rows),
        buyable=sum(row[4] for row in rows),
        categories=tuple(FavoriteCategory(pk, name, count) for pk, name, count, *_ in rows),
    )


def _build_favorite_tables(context: CatalogueContext) -> Fragment:
    """Return the FROM clause of a list of favorites, with the customer's prices and own names."""
    prices, own_terms = build_price_joins(context), own_join(context)
    tables = (
        "FROM search_favorite f JOIN catalog_product p ON p.id = f.product_id JOIN catalog_brand "
        "b ON b.id = p.brand_id"
    )
    return Fragment(
        f"{tables} {prices.sql} {own_terms.sql}", [*prices.parameters, *own_terms.parameters]
    )


def _filter_condition(
    context: CatalogueContext, kind: FavoriteType, filters: FavoriteFilters
) -> Fragment:
    """Return the condition of the list: the actor's rows of this kind that pass all filters."""
    parts = [_build_owner_condition(context, kind)]
    if filters.keyword:
        parts.append(_matches_keyword(context, filters.keyword))
    if filters.category_id is not None:
        parts.append(
            any_of(
                Fragment(f"p.{level}_id = %s", [filters.category_id])
                for level in ("l1", "l2", "l3")
            )
        )
    if filters.cheaper_only:
        parts.append(_build_price_drop_condition(context))
    if filters.buyable_only:
        parts.append(_build_buyable_condition(context))
    return all_of(parts)


def _build_owner_condition(context: CatalogueContext, kind: FavoriteType) -> Fragment:
    return Fragment(
        "f.group_id = %s AND f.account_id = %s AND f.type = %s",
        [context.group_id, context.account_id, kind.value],
    )


def _build_price_drop_condition(context: CatalogueContext) -> Fragment:
    if context.hides_prices:
        return Fragment("FALSE")
    return all_of(
        [
            build_visible_condition(context, "p"),
            Fragment(f"{build_price_expression(context)} < f.added_price"),
        ]
    )


def _build_buyable_condition(context: CatalogueContext) -> Fragment:
    return all_of(
        [
            *build_for_sale_conditions(context, "p"),
            Fragment("p.stock - p.reserved >= p.min_quantity"),
        ]
    )


def _matches_keyword(context: CatalogueContext, keyword: str) -> Fragment:
    """Return the condition that a code or name (the product's or the customer's own) contains
    the keyword, regardless of case.
    """
    own_names = [
        f"i{n}.{column}"
        for n in range(len(context.sources))
        for column in ("customer_name", "customer_code")
    ]
    escaped = keyword.upper().replace("!", "!!").replace("%", "!%").replace("_", "!_")
    return any_of(
        Fragment(f"UPPER({column}) LIKE %s ESCAPE '!'", [f"%{escaped}%"])
        for column in (*PRODUCT_WORDS, "own.name", "own.code", *own_names)
    )


@dataclass(frozen=True, slots=True)
class SavedOffer(Offer):
    """A product that the account keeps in a list. It stays there if it can no longer be bought."""

    @property
    def problem(self) -> DomainError | None:
        """The reason why the product cannot be bought now, or None."""
        if not self.visible:
            return NotInCatalogue()
        if not self.is_on_sale:
            return OffSale()
        return StockShort() if self.available < self.product.min_quantity else None


@dataclass(frozen=True, slots=True)
class FavoriteRow(SavedOffer):
    """A product of the list, with its current offer for the account, and its values on the axes
    of its family.
    """

    favorite: Favorite
    member_values: MemberValues

    @property
    def added_price(self) -> Decimal | None:
        """The price when the product was added, in 元 含税. None if it is unknown or hidden."""
        return self.favorite.added_price if self.is_priced else None

    @property
    def price_change(self) -> Decimal | None:
        """The current price minus the price when the product was added, in 元 含税. None if either
        is unknown.
        """
        price_when_added = self.added_price
        return (
            self.price - price_when_added if self.visible and price_when_added is not None else None
        )


@dataclass(frozen=True, slots=True)
class FavoriteList:
    """A page of rows, the latest first, and a summary of the whole list."""

    context: CatalogueContext
    rows: tuple[FavoriteRow, ...]
    total: int
    summary: FavoriteSummary


def get_favorite_list(
    *, actor: Account, kind: FavoriteType, filters: FavoriteFilters, index: int, size: int
) -> FavoriteList:
    """Return a page of the list. Products stay in the list even if the account can no longer
    see them. Four queries, one more with filters, one more with members of families.
    """
    context = get_catalogue_context(actor=actor)
    summary = get_favorite_summary(context, kind)
    page = list_favorites(context, kind, filters, index=index, size=size)
    offers = get_offers(context=context, product_ids=[row.product_id for row in page])
    total = count_favorites(context, kind, filters) if filters.are_set else summary.total
    values = get_member_values(offer.product for offer in offers.values())
    return FavoriteList(
        context,
        tuple(
            _build_favorite_row(row, offers[row.product_id], values.get(row.product_id, ()))
            for row in page
        ),
        total,
        summary,
    )


def _build_favorite_row(
    favorite: Favorite, offer: Offer, member_values: MemberValues
) -> FavoriteRow:
    return FavoriteRow(
        **{field.name: getattr(offer, field.name) for field in fields(Offer)},
        favorite=favorite,
        member_values=member_values,
    )
