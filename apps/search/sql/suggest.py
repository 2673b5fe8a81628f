"""Products, categories and brands by prefix."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from apps.catalog.indexing.text import build_model_key, normalise
from apps.common.sql import Fragment, all_of, any_of, in_list
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import LEVEL_COLUMNS, build_for_sale_conditions
from apps.search.keyword import BrandName, CategoryName
from apps.search.sql.conditions import build_prefix_condition, fetch_rows
from apps.search.sql.lookup import build_code_key_sql, build_in_name_condition

MAX_PREFIX_MATCHES = 1000


def list_suggested_ids(
    context: CatalogueContext, *, prefix: str, typed: str, limit: int
) -> list[int]:
    """Return products with a suggestion key, or an own code or name of the customer, that
    starts with the text. Best-selling first.
    """
    selects = [
        build_prefix_condition(
            "SELECT s.product_id FROM catalog_suggestterm s WHERE {}", "s.key", prefix
        )
    ]
    if context.sources:
        list_condition = in_list("i.price_list_id", context.price_list_ids)
        for column in ("i.customer_code", "i.customer_name"):
            select = build_prefix_condition(
                (
                    f"SELECT i.product_id FROM pricing_pricelistitem i WHERE {list_condition.sql} "
                    f"AND {column} <> '' AND {{}}"
                ),
                column,
                typed,
            )
            selects.append(Fragment(select.sql, [*list_condition.parameters, *select.parameters]))
    if context.group_id is not None:
        selects.append(_select_by_own_name(context.group_id, typed))
    candidates = " UNION ".join(
        f"SELECT product_id FROM ({select.sql} LIMIT {MAX_PREFIX_MATCHES}) way{number}"
        for number, select in enumerate(selects)
    )
    where = all_of(build_for_sale_conditions(context, "p"))
    sql = (
        f"SELECT p.id FROM ({candidates}) found JOIN catalog_product p ON p.id = found.product_id "
        f"WHERE {where.sql} ORDER BY p.sales_count DESC, p.id LIMIT {limit}"
    )
    return [
        row[0]
        for row in fetch_rows(
            sql, [value for select in selects for value in select.parameters] + where.parameters
        )
    ]


def _select_by_own_name(group_id: int, typed: str) -> Fragment:
    """Return the SELECT of products whose own name of the group contains the text, or whose own
    code starts with it, with or without dashes.
    """
    conditions = [build_in_name_condition("o.name", normalise(typed))]
    if key := build_model_key(typed):
        position_function = "strpos" if connection.vendor == "postgresql" else "instr"
        conditions.append(
            Fragment(f"{position_function}({build_code_key_sql('o.code')}, %s) = 1", [key])
        )
    matches = any_of(conditions)
    return Fragment(
        f"SELECT o.product_id FROM pricing_ownname o WHERE o.group_id = %s AND {matches.sql}",
        [group_id, *matches.parameters],
    )


def find_ids_on_sale(
    context: CatalogueContext, *, categories: Sequence[CategoryName], brands: Sequence[BrandName]
) -> tuple[set[int], set[int]]:
    """Return the ids of the given categories and brands that have products on sale. One query,
    none without candidates.
    """
    category_selects = [
        _select_with_products(
            "c",
            f"p.{column}",
            [category.id for category in categories if category.level == level],
            context,
        )
        for level, column in LEVEL_COLUMNS.items()
    ]
    lookups = [
        select
        for select in (
            *category_selects,
            _select_with_products("b", "p.brand_id", [brand.id for brand in brands], context),
        )
        if select is not None
    ]
    if not lookups:
        return set(), set()
    rows = fetch_rows(
        " UNION ALL ".join(select.sql for select in lookups),
        [value for select in lookups for value in select.parameters],
    )
    return {pk for kind, pk in rows if kind == "c"}, {pk for kind, pk in rows if kind == "b"}


def _select_with_products(
    kind: str, column: str, ids: list[int], context: CatalogueContext
) -> Fragment | None:
    """Return the rows (kind, id) of candidates with products. Each lookup uses an index."""
    if not ids:
        return None
    table = "catalog_category" if kind == "c" else "catalog_brand"
    row_query, where = (
        in_list("n.id", ids),
        all_of([Fragment(f"{column} = n.id"), *build_for_sale_conditions(context, "p")]),
    )
    sql = (
        f"SELECT '{kind}' AS kind, n.id FROM {table} n "
        f"WHERE {row_query.sql} AND EXISTS (SELECT 1 FROM catalog_product p WHERE {where.sql})"
    )
    return Fragment(sql, [*row_query.parameters, *where.parameters])
