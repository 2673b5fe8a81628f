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
from apps.search.sql.families import CARD, count_expression

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
    count = count_expression(query)
    prices, in_stock, agreed = _count_price_bands(context, query, criteria.all(but="price"))
    return Facets(
        categories=_count_child_categories(
            joins, criteria.all(but="category"), query.category, count
        ),
        brands=_count_brands(joins, criteria.all(but="brand"), count),
        attributes=_count_attribute_values(joins, criteria, query),
        prices=prices,
        in_stock=in_stock,
        agreed=agreed,
    )


def _count_child_categories(
    joins: Fragment, where: Fragment, chosen: CategoryFilter | None, count: str
) -> tuple[CategoryCount, ...]:
    """Return the children of the chosen category, or its siblings if it has no children.
    Without a chosen category, return the first level.
    """
    if chosen is None:
        return _count_by_category(joins, where, 1, count)
    if chosen.level < MAX_LEVEL:
        below = Fragment(f"p.{LEVEL_COLUMNS[chosen.level]} = %s", [chosen.id])
        if children := _count_by_category(joins, all_of([where, below]), chosen.level + 1, count):
            return children
    if chosen.level == 1:
        return _count_by_category(joins, where, 1, count)
    parent = (
        f"p.{LEVEL_COLUMNS[chosen.level - 1]} = (SELECT parent_id FROM catalog_category WHERE id "
        "= %s)"
    )
    with_siblings = all_of([where, Fragment(parent, [chosen.id])])
    return _count_by_category(joins, with_siblings, chosen.level, count)


def _count_by_category(
    joins: Fragment, where: Fragment, level: int, count: str
) -> tuple[CategoryCount, ...]:
    sql = f"""
        SELECT c.id, c.name, c.level, c.parent_id, n.count
        FROM (SELECT p.{LEVEL_COLUMNS[level]} AS id, {count} AS count
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


def _count_brands(joins: Fragment, where: Fragment, count: str) -> tuple[BrandCount, ...]:
    sql = f"""
        SELECT b.id, b.name, n.count
        FROM (SELECT p.brand_id, {count} AS count FROM catalog_product p {joins.sql}
            WHERE {where.sql} GROUP BY p.brand_id) n
        JOIN catalog_brand b ON b.id = n.brand_id ORDER BY n.count DESC, b.id
    """
    return tuple(
        BrandCount(*row) for row in fetch_rows(sql, [*joins.parameters, *where.parameters])
    )


def _count_attribute_values(
    joins: Fragment, criteria: Conditions, query: CatalogQuery
) -> tuple[AttributeCount, ...]:
    """Count each value under the filters of all *other* attributes, with one query."""
    own = [
        any_of([Fragment("j.key = %s", [name]), condition])
        for name, condition in criteria.attributes.items()
    ]
    where = all_of([criteria.all(but="attributes"), *own])
    rows = (
        f"FROM catalog_product p {joins.sql} {EACH_ATTRIBUTE[connection.vendor]} WHERE {where.sql}"
    )
    if query.by_family:
        rows = (
            f"FROM (SELECT j.key, CAST(j.value AS TEXT) AS value, {CARD} {rows} GROUP BY 1, 2, 3) j"
        )
    sql = f"""
        SELECT j.key, CAST(j.value AS TEXT), COUNT(*) {rows}
        GROUP BY 1, 2 ORDER BY 3 DESC LIMIT {MAX_ATTRIBUTE_ROWS}
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
    if query.by_family:
        return _count_price_bands_of_cards(context, query, where)
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


def _count_price_bands_of_cards(
    context: CatalogueContext, query: CatalogQuery, where: Fragment
) -> tuple[tuple[PriceCount, ...], int, int]:
    """Return the same counts for cards. A family counts once in each band in which it has a
    product. One query.
    """
    joins, agreed = price_joins(context), agreed_condition(context)
    in_price_range = price_range("own.price", query)
    lowers = [int(bound * 100) for bound in PRICE_BOUNDS]
    bounds = zip(lowers, [*lowers[1:], None], strict=True)
    in_band = [
        f"own.price >= {lower}" + ("" if upper is None else f" AND own.price < {upper}")
        for lower, upper in bounds
    ]
    flags = [
        *in_band,
        f"own.held AND {in_price_range.sql}",
        f"own.agreed AND {in_price_range.sql}",
    ]
    by_card = ", ".join(
        f"MAX(CASE WHEN {flag} THEN 1 ELSE 0 END) AS f{n}" for n, flag in enumerate(flags)
    )
    sql = f"""
        SELECT {", ".join(f"COALESCE(SUM(c.f{n}), 0)" for n in range(len(flags)))}
        FROM (SELECT {by_card}
            FROM (SELECT {CARD} AS card, {price_expression(context)} AS price,
                    {IN_STOCK.sql} AS held, {agreed.sql} AS agreed
                FROM catalog_product p {joins.sql} WHERE {where.sql}) own
            GROUP BY own.card) c
    """
    row = fetch_rows(
        sql,
        [
            *in_price_range.parameters,
            *in_price_range.parameters,
            *agreed.parameters,
            *joins.parameters,
            *where.parameters,
        ],
    )[0]
    *in_bands, in_stock, with_agreed_price = map(int, row)
    counts = tuple(
        PriceCount(
            PRICE_BOUNDS[band],
            PRICE_BOUNDS[band + 1] - Decimal("0.01") if band + 1 < len(PRICE_BOUNDS) else None,
            count,
        )
        for band, count in enumerate(in_bands)
        if count
    )
    return counts, in_stock, with_agreed_price
