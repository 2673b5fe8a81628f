"""Products for a customer in SQL: the condition of visibility, the joins of price lists, and the
query that reads products with their terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS

from apps.catalog.enums import ProductStatus
from apps.catalog.models import Brand, Product
from apps.common.money import CENT, ZERO, round_yuan
from apps.common.sql import Fragment, any_of, build_model_rows, fetch_prepared, in_list
from apps.pricing.models.tiers import FLAT_TIER_FIELDS, PriceTier, read_tiers
from apps.pricing.selectors.context import AssortmentScope, CatalogueContext, RuleSide

CACHED_CONDITIONS = 1024
LEVEL_COLUMNS = {1: "l1_id", 2: "l2_id", 3: "l3_id"}
# (price in 元 or None, customer's name or "", customer's code or "", last valid day of the row or
# None, tiers of the price)
ListTerms = tuple[Decimal | None, str, str, date | None, tuple[PriceTier, ...]]
WIDTH = 4 + len(FLAT_TIER_FIELDS)
# Deferred fields: long texts, and fields that only the search and the admin read.
UNREAD = (
    "description",
    "search_tokens",
    "selling_points",
    "keywords",
    "attributes",
    "model_key",
    "name_key",
    "created_at",
    "updated_at",
)
NO_EXTRA_COLUMNS: Mapping[str, str] = {}
NO_JOINS = Fragment("")


def build_visible_condition(context: CatalogueContext, alias: str) -> Fragment:
    """Return the condition for visible products: the public products without agreements, otherwise
    the union of the assortments. An exclude applies only within its own assortment.
    """
    return _build_visibility_condition(context.assortments, alias)


@lru_cache(maxsize=CACHED_CONDITIONS)
def _build_visibility_condition(assortments: tuple[AssortmentScope, ...], alias: str) -> Fragment:
    if not assortments:
        return Fragment(f"{alias}.is_public")
    return any_of(_build_assortment_condition(scope, alias) for scope in assortments)


def build_for_sale_conditions(context: CatalogueContext, alias: str) -> list[Fragment]:
    """Return the conditions for products in lists: on sale and visible."""
    return [
        Fragment(f"{alias}.status = '{ProductStatus.ON_SALE.value}'"),
        build_visible_condition(context, alias),
    ]


def _build_assortment_condition(scope: AssortmentScope, alias: str) -> Fragment:
    """Return the condition that a product is in the assortment: included and not excluded."""
    include = any_of(_iterate_side_conditions(scope.include, scope, "include", alias))
    excludes = list(_iterate_side_conditions(scope.exclude, scope, "exclude", alias))
    if not excludes:
        return include
    exclude = any_of(excludes)
    return Fragment(
        f"({include.sql} AND NOT {exclude.sql})", [*include.parameters, *exclude.parameters]
    )


def _iterate_side_conditions(
    side: RuleSide, scope: AssortmentScope, mode: str, alias: str
) -> Iterable[Fragment]:
    """Yield the conditions that a product is on this side of the assortment; one of them is
    enough.
    """
    if side.everything:
        yield Fragment("TRUE")
        return
    if side.public:
        yield Fragment(f"{alias}.is_public")
    for level, column in LEVEL_COLUMNS.items():
        ids = [category for at, category in side.categories if at == level]
        if ids:
            yield in_list(f"{alias}.{column}", ids)
    if side.brands:
        yield in_list(f"{alias}.brand_id", side.brands)
    if side.products:
        listed_ids = (
            "SELECT r.product_id FROM pricing_assortmentrule r WHERE r.assortment_id = %s "
            "AND r.mode = %s AND r.kind = 'product'"
        )
        dated, days = (
            (" AND (r.valid_to IS NULL OR r.valid_to >= %s)", [scope.dated_on])
            if scope.dated_on
            else ("", [])
        )
        yield Fragment(f"{alias}.id IN ({listed_ids}{dated})", [scope.assortment_id, mode, *days])


def build_price_joins(context: CatalogueContext) -> Fragment:
    """Return the joins of the price lists on the product `p` as i0, i1, … by priority."""
    joins, parameters = [], list[Any]()
    for n, source in enumerate(context.sources):
        join = (
            f"LEFT JOIN pricing_pricelistitem i{n} ON i{n}.price_list_id = %s "
            f"AND i{n}.product_id = p.id"
        )
        parameters.append(source.price_list_id)
        if source.has_dated_rows:
            join += f" AND (i{n}.valid_to IS NULL OR i{n}.valid_to >= %s)"
            parameters.append(context.today)
        joins.append(join)
    return Fragment(" ".join(joins), parameters)


def list_terms_columns(context: CatalogueContext) -> list[str]:
    """Return the columns of each price list's terms for a SELECT with `build_price_joins`: WIDTH
    columns per list, in the order that `read_row_terms` reads.
    """
    columns = []
    for n, source in enumerate(context.sources):
        columns += [
            f"i{n}.price",
            f"i{n}.customer_name",
            f"i{n}.customer_code",
            f"i{n}.valid_to" if source.has_dated_rows else "NULL",
            *(f"i{n}.{name}" for name in FLAT_TIER_FIELDS),
        ]
    return columns


def own_join(context: CatalogueContext) -> Fragment:
    """Return the join of the group's own name of the product `p`, as `own`. Empty without a
    group.
    """
    if context.group_id is None:
        return Fragment("")
    return Fragment(
        "LEFT JOIN pricing_ownname own ON own.group_id = %s AND own.product_id = p.id",
        [context.group_id],
    )


def list_own_columns(context: CatalogueContext) -> list[str]:
    """Return the columns to select over `own_join`: name and code."""
    return ["''", "''"] if context.group_id is None else ["own.name", "own.code"]


def read_row_terms(values: Sequence[Any]) -> tuple[ListTerms, ...]:
    """Return the terms of each price list from the values of `list_terms_columns`, WIDTH values per
    list. One terms is a tuple of price in 元 or None, own name, own code, last day or None, and
    tiers.
    """
    terms = []
    for start in range(0, len(values), WIDTH):
        cents, name, code, valid_to_value, *tiers = values[start : start + WIDTH]
        valid_to = (
            date.fromisoformat(valid_to_value)
            if isinstance(valid_to_value, str)
            else valid_to_value
        )
        terms.append(
            (
                None if cents is None else (Decimal(cents) / 100).quantize(CENT),
                name or "",
                code or "",
                valid_to,
                _read_tiers(tiers),
            )
        )
    return tuple(terms)


def _read_tiers(values: Sequence[Any]) -> tuple[PriceTier, ...]:
    """Return the tiers of the values of FLAT_TIER_FIELDS, with prices in 分."""
    if values[0] is None:
        return ()
    prices = [None if cents is None else round_yuan(Decimal(cents) / 100) for cents in values[1::2]]
    return read_tiers(zip(values[::2], prices, strict=True))


def _remove_prices(product: Any) -> None:
    """Remove the prices of a product, so that a caller that forgets to check whether the viewer may
    see prices shows 0.00. Names and codes remain.
    """
    product.market_price = ZERO
    product.row_terms = tuple(
        (None, name, code, until, ()) for _, name, code, until, _ in product.row_terms
    )


def fetch_product_rows(
    context: CatalogueContext,
    where: Fragment,
    *,
    joins: Fragment = NO_JOINS,
    extra_columns: Mapping[str, str] = NO_EXTRA_COLUMNS,
    without: tuple[str, ...] = UNREAD,
) -> list[Any]:
    """Return the products that meet a condition on `p`. Each has its brand, `is_visible`,
    `own_terms` (the group's name and code) and `row_terms`. Without prices if the context hides
    them. One query.

    `extra_columns` maps names of further attributes to SQL expressions, which may use `joins`.
    """
    reader = build_model_rows(Product, "p", without)
    is_visible_sql, prices, terms = (
        build_visible_condition(context, "p"),
        build_price_joins(context),
        list_terms_columns(context),
    )
    own_terms = own_join(context)
    columns = ", ".join(
        [
            "b.name",
            is_visible_sql.sql,
            *list_own_columns(context),
            *extra_columns.values(),
            *terms,
            reader.select,
        ]
    )
    tables = (
        f"catalog_product p JOIN catalog_brand b ON b.id = p.brand_id "
        f"{joins.sql} {prices.sql} {own_terms.sql}"
    )
    rows = fetch_prepared(
        f"SELECT {columns} FROM {tables} WHERE {where.sql}",
        [
            *is_visible_sql.parameters,
            *joins.parameters,
            *prices.parameters,
            *own_terms.parameters,
            *where.parameters,
        ],
    )
    begin = len(extra_columns) + len(terms)
    brands: dict[int, Brand] = {}
    products = []
    for brand_name, is_visible, own_name, own_code, *values in rows:
        product: Any = reader.hydrate(values[begin:])
        if product.brand_id not in brands:
            brands[product.brand_id] = Brand.from_db(
                DEFAULT_DB_ALIAS, ["id", "name"], [product.brand_id, brand_name]
            )
        product._state.fields_cache["brand"] = brands[product.brand_id]
        product.is_visible = bool(is_visible)
        product.own_terms = (own_name or "", own_code or "")
        product.row_terms = read_row_terms(values[len(extra_columns) : begin])
        if context.hides_prices:
            _remove_prices(product)
        for name, value in zip(extra_columns, values, strict=False):
            setattr(product, name, value)
        products.append(product)
    return products
