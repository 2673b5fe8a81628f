"""The facet counts of a list. Each facet ignores its own filter."""

from __future__ import annotations

from collections import Counter, defaultdict
from decimal import Decimal

from django.db import connection

from apps.common.sql import Fragment, all_of, any_of
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import LEVEL_COLUMNS, price_joins
from apps.search.query import (
    MAX_ATTRIBUTE_NAMES,
    MAX_ATTRIBUTE_VALUES,
    PRICE_BOUNDS,
    AttributeCount,
    BrandCount,
    CatalogQuery,
    CategoryCount,
    CategoryFilter,
    Facets,
    PriceCount,
)
from apps.search.sql.conditions import (
    IN_STOCK,
    Conditions,
    agreed_condition,
    fetch_rows,
    needs_prices,
    price_expression,
    price_range,
)

MAX_ATTRIBUTE_ROWS = 5000
MAX_LEVEL = max(LEVEL_COLUMNS)
EACH_ATTRIBUTE = {
    "postgresql": "CROSS JOIN LATERAL jsonb_each_text(p.attributes) j(key, value)",
    "sqlite": "CROSS JOIN json_each(p.attributes) j",
}


def count_facets(context: CatalogueContext, query: CatalogQuery, criteria: Conditions) -> Facets:
    """Return all facets. Four queries; five if the chosen category has no children with
    products.
    """
    joins = price_joins(context) if needs_prices(query) else Fragment("")
    prices, in_stock, agreed = _count_price_bands(context, query, criteria.all(but="price"))
    return Facets(
        categories=_count_child_categories(joins, criteria.all(but="category"), query.category),
        brands=_count_brands(joins, criteria.all(but="brand")),
        attributes=_count_attribute_values(joins, criteria),
        prices=prices,
        in_stock=in_stock,
        agreed=agreed,
    )


def _count_child_categories(
    joins: Fragment, where: Fragment, chosen: CategoryFilter | None
) -> tuple[CategoryCount, ...]:
    """Return the children of the chosen category, or its siblings if it has no children.
    Without a chosen category, return the first level.
    """
    if chosen is None:
        return _count_by_category(joins, where, 1)
    if chosen.level < MAX_LEVEL:
        below = Fragment(f"p.{LEVEL_COLUMNS[chosen.level]} = %s", [chosen.id])
        if children := _count_by_category(joins, all_of([where, below]), chosen.level + 1):
            return children
    if chosen.level == 1:
        return _count_by_category(joins, where, 1)
    parent = (
        f"p.{LEVEL_COLUMNS[chosen.level - 1]} = (SELECT parent_id FROM catalog_category WHERE id "
        "= %s)"
    )
    return _count_by_category(joins, all_of([where, Fragment(parent, [chosen.id])]), chosen.level)


def _count_by_category(joins: Fragment, where: Fragment, level: int) -> tuple[CategoryCount, ...]:
    sql = f"""
        SELECT c.id, c.name, c.level, c.parent_id, n.count
        FROM (SELECT p.{LEVEL_COLUMNS[level]} AS id, COUNT(*) AS count
            FROM catalog_product p {joins.sql} WHERE {where.sql} GROUP BY 1) n
        JOIN catalog_category c ON c.id = n.id WHERE c.level = %s ORDER BY c.position, c.id
    """
    return tuple(
        CategoryCount(*row)
        for row in fetch_rows(sql, [*joins.parameters, *where.parameters, level])
    )


def count_by_category_path(joins: Fragment, where: Fragment) -> tuple[CategoryCount, ...]:
    """Return the counts of all categories with products, of every level, in menu order. One
    query.
    """
    sql = f"""
        SELECT n.count, c1.id, c1.name, c2.id, c2.name, c3.id, c3.name
        FROM (SELECT p.l1_id, p.l2_id, p.l3_id, COUNT(*) AS count FROM catalog_product p {joins.sql}
            WHERE {where.sql}
              GROUP BY p.l1_id, p.l2_id, p.l3_id) n
        JOIN catalog_category c1 ON c1.id = n.l1_id JOIN catalog_category c2 ON c2.id = n.l2_id
            JOIN catalog_category c3 ON c3.id = n.l3_id
        ORDER BY c1.position, c1.id, c2.position, c2.id, c3.position, c3.id
    """
    counts: Counter[tuple[int, str, int, int | None]] = Counter()
    for count, id1, name1, id2, name2, id3, name3 in fetch_rows(
        sql, [*joins.parameters, *where.parameters]
    ):
        for key in ((id1, name1, 1, None), (id2, name2, 2, id1), (id3, name3, 3, id2)):
            counts[key] += count
    return tuple(CategoryCount(*key, count) for key, count in counts.items())


def _count_brands(joins: Fragment, where: Fragment) -> tuple[BrandCount, ...]:
    sql = f"""
        SELECT b.id, b.name, n.count
        FROM (SELECT p.brand_id, COUNT(*) AS count FROM catalog_product p {joins.sql}
            WHERE {where.sql} GROUP BY p.brand_id) n
        JOIN catalog_brand b ON b.id = n.brand_id ORDER BY n.count DESC, b.id
    """
    return tuple(
        BrandCount(*row) for row in fetch_rows(sql, [*joins.parameters, *where.parameters])
    )


def _count_attribute_values(joins: Fragment, criteria: Conditions) -> tuple[AttributeCount, ...]:
    """Count each value under the filters of all *other* attributes, with one query."""
    own = [
        any_of([Fragment("j.key = %s", [name]), condition])
        for name, condition in criteria.attributes.items()
    ]
    where = all_of([criteria.all(but="attributes"), *own])
    sql = f"""
        SELECT j.key, CAST(j.value AS TEXT), COUNT(*)
            FROM catalog_product p {joins.sql} {EACH_ATTRIBUTE[connection.vendor]}
        WHERE {where.sql} GROUP BY 1, 2 ORDER BY 3 DESC LIMIT {MAX_ATTRIBUTE_ROWS}
    """
    by_name: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for name, value, count in fetch_rows(sql, [*joins.parameters, *where.parameters]):
        by_name[name].append((value, count))
    filtered = set(criteria.attributes)
    names = sorted(
        by_name,
        key=lambda name: (name not in filtered, -sum(count for _, count in by_name[name]), name),
    )
    return tuple(
        AttributeCount(
            name,
            tuple(
                sorted(by_name[name], key=lambda pair: (-pair[1], pair[0]))[:MAX_ATTRIBUTE_VALUES]
            ),
        )
        for name in names[:MAX_ATTRIBUTE_NAMES]
    )


def _count_price_bands(
    context: CatalogueContext, query: CatalogQuery, where: Fragment
) -> tuple[tuple[PriceCount, ...], int, int]:
    """Return the counts of the price bands and, within the requested price range, the number of
    products in stock and of products with an agreed price.
    """
    joins, agreed, in_price_range = (
        price_joins(context),
        agreed_condition(context),
        price_range("own.price", query),
    )
    bands = " ".join(
        f"WHEN own.price < {int(bound * 100)} THEN {n}" for n, bound in enumerate(PRICE_BOUNDS[1:])
    )
    sql = f"""
        SELECT CASE {bands} ELSE {len(PRICE_BOUNDS) - 1} END AS band, COUNT(*),
            SUM(CASE WHEN own.held AND {in_price_range.sql} THEN 1 ELSE 0 END),
            SUM(CASE WHEN own.agreed AND {in_price_range.sql} THEN 1 ELSE 0 END)
        FROM (SELECT {price_expression(context)} AS price, {IN_STOCK.sql} AS held, {agreed.sql}
            AS agreed
              FROM catalog_product p {joins.sql} WHERE {where.sql}) own
        GROUP BY 1 ORDER BY 1
    """
    rows = fetch_rows(
        sql,
        [
            *in_price_range.parameters,
            *in_price_range.parameters,
            *agreed.parameters,
            *joins.parameters,
            *where.parameters,
        ],
    )
    counts = tuple(
        PriceCount(
            PRICE_BOUNDS[band],
            PRICE_BOUNDS[band + 1] - Decimal("0.01") if band + 1 < len(PRICE_BOUNDS) else None,
            count,
        )
        for band, count, _, _ in rows
    )
    return counts, sum(held for *_, held, _ in rows), sum(own for *_, own in rows)
