"""The facet counts of a list. Each facet ignores its own filter."""

from __future__ import annotations

from collections import Counter, defaultdict
from decimal import Decimal

from django.db import connection

from apps.catalog.models.product import MAX_ATTRIBUTES
from apps.common.sql import Fragment, all_of, any_of
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import LEVEL_COLUMNS, build_price_joins
from apps.search.query import (
    MAX_ATTRIBUTE_NAMES,
    MAX_ATTRIBUTE_VALUES,
    PRICE_BOUNDS,
    AttributeCount,
    BrandCount,
    CatalogQuery,
    CategoryCount,
    Facets,
    PriceCount,
)
from apps.search.sql.conditions import (
    IN_STOCK,
    Conditions,
    build_agreed_condition,
    build_price_expression,
    build_price_range_condition,
    fetch_rows,
    needs_prices,
)
from apps.search.sql.families import build_family_column, build_row_count_expression

MAX_ATTRIBUTE_ROWS = 5000
MAX_LEVEL = max(LEVEL_COLUMNS)
EACH_ATTRIBUTE = {
    "postgresql": "CROSS JOIN LATERAL jsonb_each_text(p.attributes) j(key, value)",
    "sqlite": "CROSS JOIN json_each(p.attributes) j",
}
# The limit keeps PostgreSQL from expecting 100 attributes of each product. It would sort the
# values with their families instead of hashing them, which takes three times as long.
EACH_ATTRIBUTE_OF_CARD = EACH_ATTRIBUTE | {
    "postgresql": "CROSS JOIN LATERAL (SELECT e.key, e.value FROM jsonb_each_text(p.attributes) e "
    f"LIMIT {MAX_ATTRIBUTES}) j",
}


def count_facets(
    context: CatalogueContext, query: CatalogQuery, criteria: Conditions
) -> tuple[Facets, int]:
    """Return all facets, and the number of rows of the list. Four queries; five if the chosen
    category has no children with products; three for cards without a chosen category and brand.
    """
    joins = build_price_joins(context) if needs_prices(query) else Fragment("")
    prices, total, in_stock, agreed = _count_price_bands(
        context, query, criteria.list_all(but="price")
    )
    if query.by_family and query.category is None and not query.brands:
        categories, brands = _count_categories_and_brands(joins, criteria.list_all(), query)
    else:
        categories = _count_child_categories(joins, criteria.list_all(but="category"), query)
        brands = _count_brands(joins, criteria.list_all(but="brand"), query)
    facets = Facets(
        categories=categories,
        brands=brands,
        attributes=_count_attribute_values(joins, criteria, query),
        prices=prices,
        in_stock=in_stock,
        agreed=agreed,
    )
    return facets, total


def _count_child_categories(
    joins: Fragment, where: Fragment, query: CatalogQuery
) -> tuple[CategoryCount, ...]:
    """Return the children of the chosen category, or its siblings if it has no children.
    Without a chosen category, return the first level.
    """
    category = query.category
    if category is None:
        return _count_by_category(joins, where, 1, query)
    if category.level < MAX_LEVEL:
        below = Fragment(f"p.{LEVEL_COLUMNS[category.level]} = %s", [category.id])
        if children := _count_by_category(joins, all_of([where, below]), category.level + 1, query):
            return children
    if category.level == 1:
        return _count_by_category(joins, where, 1, query)
    parent = (
        f"p.{LEVEL_COLUMNS[category.level - 1]} = (SELECT parent_id FROM catalog_category WHERE id "
        "= %s)"
    )
    with_siblings = all_of([where, Fragment(parent, [category.id])])
    return _count_by_category(joins, with_siblings, category.level, query)


def _build_counts_sql(column: str, joins: Fragment, where: Fragment, query: CatalogQuery) -> str:
    """Return a SELECT of the values of a column of product `p` as `id`, each with the number of
    rows of the list as `count`.
    """
    if not query.by_family:
        return (
            f"SELECT {column} AS id, COUNT(*) AS count FROM catalog_product p {joins.sql} "
            f"WHERE {where.sql} GROUP BY 1"
        )
    return (
        f"SELECT g.id, {build_row_count_expression(query)} AS count FROM (SELECT {column} AS id, "
        f"p.family_id, COUNT(*) AS count FROM catalog_product p {joins.sql} WHERE {where.sql} "
        "GROUP BY 1, 2) g GROUP BY 1"
    )


def _count_by_category(
    joins: Fragment, where: Fragment, level: int, query: CatalogQuery
) -> tuple[CategoryCount, ...]:
    """Return the categories of one level with their number of rows, in menu order. One query."""
    sql = f"""
        SELECT c.id, c.name, c.level, c.parent_id, n.count
        FROM ({_build_counts_sql(f"p.{LEVEL_COLUMNS[level]}", joins, where, query)}) n
        JOIN catalog_category c ON c.id = n.id WHERE c.level = %s ORDER BY c.position, c.id
    """
    return tuple(
        CategoryCount(pk, name, own_level, parent_id, int(count))
        for pk, name, own_level, parent_id, count in fetch_rows(
            sql, [*joins.parameters, *where.parameters, level]
        )
    )


def _count_categories_and_brands(
    joins: Fragment, where: Fragment, query: CatalogQuery
) -> tuple[tuple[CategoryCount, ...], tuple[BrandCount, ...]]:
    """Return the counts of the categories of level 1 and of the brands. Both have the same
    condition, so the products are read once. One query.
    """

    def count_by(column: str) -> str:
        return (
            f"(SELECT g.id, {build_row_count_expression(query)} AS count "
            f"FROM (SELECT b.{column} AS id, b.family_id, SUM(b.count) AS count FROM b "
            "GROUP BY 1, 2) g GROUP BY 1) n"
        )

    sql = f"""
        WITH b AS (SELECT p.l1_id, p.brand_id, p.family_id, COUNT(*) AS count
            FROM catalog_product p {joins.sql} WHERE {where.sql} GROUP BY 1, 2, 3)
        SELECT 0, c.position, c.id, c.name, n.count
        FROM {count_by("l1_id")} JOIN catalog_category c ON c.id = n.id
        UNION ALL SELECT 1, 0, r.id, r.name, n.count
        FROM {count_by("brand_id")} JOIN catalog_brand r ON r.id = n.id
    """
    kind_rows = fetch_rows(sql, [*joins.parameters, *where.parameters])
    categories = sorted((row for row in kind_rows if row[0] == 0), key=lambda row: (row[1], row[2]))
    brands = sorted((row for row in kind_rows if row[0] == 1), key=lambda row: (-row[4], row[2]))
    return (
        tuple(CategoryCount(pk, name, 1, None, int(count)) for _, _, pk, name, count in categories),
        tuple(BrandCount(pk, name, int(count)) for _, _, pk, name, count in brands),
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


def _count_brands(joins: Fragment, where: Fragment, query: CatalogQuery) -> tuple[BrandCount, ...]:
    """Return the brands with their number of rows, the most frequent first. One query."""
    sql = f"""
        SELECT b.id, b.name, n.count FROM ({_build_counts_sql("p.brand_id", joins, where, query)}) n
        JOIN catalog_brand b ON b.id = n.id ORDER BY n.count DESC, b.id
    """
    return tuple(
        BrandCount(pk, name, int(count))
        for pk, name, count in fetch_rows(sql, [*joins.parameters, *where.parameters])
    )


def _count_attribute_values(
    joins: Fragment, criteria: Conditions, query: CatalogQuery
) -> tuple[AttributeCount, ...]:
    """Count the values of each attribute under the filters of all *other* attributes. Attributes
    with a filter come first. One query.
    """
    conditions = [
        any_of([Fragment("j.key = %s", [name]), condition])
        for name, condition in criteria.attributes.items()
    ]
    where, attribute_condition = criteria.list_all(but="attributes"), all_of(conditions)
    if query.by_family:
        # Members of a family often have equal attributes, so the products are grouped first.
        sql = f"""
            SELECT g.key, g.value, {build_row_count_expression(query)}
            FROM (SELECT j.key, CAST(j.value AS TEXT) AS value, p.family_id, SUM(p.count) AS count
                FROM (SELECT p.attributes, p.family_id, COUNT(*) AS count
                    FROM catalog_product p {joins.sql} WHERE {where.sql} GROUP BY 1, 2) p
                {EACH_ATTRIBUTE_OF_CARD[connection.vendor]} WHERE {attribute_condition.sql}
                GROUP BY 1, 2, 3
            ) g GROUP BY 1, 2 ORDER BY 3 DESC LIMIT {MAX_ATTRIBUTE_ROWS}
        """
    else:
        sql = f"""
            SELECT j.key, CAST(j.value AS TEXT), COUNT(*)
            FROM catalog_product p {joins.sql} {EACH_ATTRIBUTE[connection.vendor]}
            WHERE {where.sql} AND {attribute_condition.sql}
            GROUP BY 1, 2 ORDER BY 3 DESC LIMIT {MAX_ATTRIBUTE_ROWS}
        """
    counts_by_name: dict[str, list[tuple[str, int]]] = defaultdict(list)
    parameters = [*joins.parameters, *where.parameters, *attribute_condition.parameters]
    for name, value, count in fetch_rows(sql, parameters):
        counts_by_name[name].append((value, int(count)))
    filtered_names = set(criteria.attributes)
    names = sorted(
        counts_by_name,
        key=lambda name: (
            name not in filtered_names,
            -sum(count for _, count in counts_by_name[name]),
            name,
        ),
    )
    return tuple(
        AttributeCount(
            name,
            tuple(
                sorted(counts_by_name[name], key=lambda pair: (-pair[1], pair[0]))[
                    :MAX_ATTRIBUTE_VALUES
                ]
            ),
        )
        for name in names[:MAX_ATTRIBUTE_NAMES]
    )


def _count_price_bands(
    context: CatalogueContext, query: CatalogQuery, where: Fragment
) -> tuple[tuple[PriceCount, ...], int, int, int]:
    """Return four values: the counts of the price bands and, within the requested price range, the
    number of rows, of rows in stock and of rows with an agreed price. A family counts once in each
    band in which it has a product. One query.
    """
    joins, agreed = build_price_joins(context), build_agreed_condition(context)
    within = build_price_range_condition("own.price", query)
    bands = " ".join(
        f"WHEN own.price < {int(bound * 100)} THEN {number}"
        for number, bound in enumerate(PRICE_BOUNDS[1:])
    )
    flags = {"listed": "TRUE", "held": "own.held", "agreed": "own.agreed"}
    sums = ", ".join(
        f"SUM(CASE WHEN {flag} AND {within.sql} THEN 1 ELSE 0 END) AS {name}"
        for name, flag in flags.items()
    )
    products = [f"SUM(CASE WHEN g.family_id IS NULL THEN g.{name} END)" for name in flags]
    families = [f"COUNT(DISTINCT CASE WHEN g.{name} > 0 THEN g.family_id END)" for name in flags]
    # Each row counts one price band. The row with band -1 counts each family once over all bands.
    sql = f"""
        WITH g AS (
            SELECT CASE {bands} ELSE {len(PRICE_BOUNDS) - 1} END AS band, own.family_id,
                COUNT(*) AS count, {sums}
            FROM (SELECT {build_family_column(query)} AS family_id,
                    {build_price_expression(context)} AS price,
                    {IN_STOCK.sql} AS held, {agreed.sql} AS agreed
                FROM catalog_product p {joins.sql} WHERE {where.sql}) own
            GROUP BY 1, 2)
        SELECT g.band, {build_row_count_expression(query)}, {", ".join(products)} FROM g GROUP BY 1
        UNION ALL SELECT -1, 0, {", ".join(families)} FROM g ORDER BY 1
    """
    rows = fetch_rows(
        sql,
        [
            *within.parameters * len(flags),
            *agreed.parameters,
            *joins.parameters,
            *where.parameters,
        ],
    )
    counts = tuple(
        PriceCount(
            PRICE_BOUNDS[band],
            PRICE_BOUNDS[band + 1] - Decimal("0.01") if band + 1 < len(PRICE_BOUNDS) else None,
            int(count),
        )
        for band, count, *_ in rows
        if count
    )
    row_count, in_stock_count, agreed_count = (
        sum(int(row[number] or 0) for row in rows) for number in (2, 3, 4)
    )
    return counts, row_count, in_stock_count, agreed_count
