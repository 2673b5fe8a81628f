"""Lists with one card for each product family (商品族). A product without a family is a card of its
own. The best product in the order of the list stands for its family.
"""

from __future__ import annotations

from typing import Any

from apps.common.sql import Fragment
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import build_price_joins
from apps.search.enums import ProductSort
from apps.search.query import TOTAL_CAP, CatalogQuery
from apps.search.sql.conditions import Conditions, build_price_expression, fetch_rows, needs_prices

# Equal for the products of one family. Families and products have separate keys.
CARD = "COALESCE(p.family_id, -p.id)"
# Products to read for each card of the page: few at first, because members of one family are
# seldom neighbours.
PRODUCTS_PER_CARD = (2, 8)
# A page that would need more products, because it is deep or its families are large, is cut by
# the database.
MAX_PRODUCTS_READ = 2000
# Sort orders in which the family stands at its lowest value, although the highest comes first.
DESCENDING = {
    ProductSort.PRICE_DESC: "{price}",
    ProductSort.BASE_UNIT_PRICE_DESC: "CAST({price} AS DOUBLE PRECISION) / p.contents",
}


def build_family_column(query: CatalogQuery) -> str:
    """Return the column by which the counts of a list group their products. The products without a
    family are one group, so that the groups stay few.
    """
    return "p.family_id" if query.by_family else "NULL"


def build_row_count_expression(query: CatalogQuery) -> str:
    """Return the SQL expression that counts the rows of the list over groups `g` by
    `build_family_column`: products without a family one by one, and a family once.
    """
    if not query.by_family:
        return "SUM(g.count)"
    return "SUM(CASE WHEN g.family_id IS NULL THEN g.count ELSE 1 END)"


def row_select(query: CatalogQuery) -> str:
    """Return the start of a SELECT with one row for each row of the list."""
    return f"SELECT DISTINCT {CARD}" if query.by_family else "SELECT 1"


def fetch_card_ids(
    query: CatalogQuery, *, joins: Fragment, where: Fragment, first: Fragment, order: str
) -> list[int]:
    """Return the product ids of the page's cards. `first` and `order` are the parts of ORDER BY.
    One query, up to three if the families of the page are large.
    """
    needed_cards = query.offset + query.page_size
    parameters = [*joins.parameters, *where.parameters, *first.parameters]
    sql = (
        f"SELECT p.id, p.family_id FROM catalog_product p {joins.sql} WHERE {where.sql} "
        f"ORDER BY {first.sql}{order} LIMIT %s"
    )
    for products_per_card in PRODUCTS_PER_CARD:
        limit = needed_cards * products_per_card
        if limit > MAX_PRODUCTS_READ:
            break
        rows = fetch_rows(sql, [*parameters, limit])
        cards: dict[int, int] = {}
        for product_id, family_id in rows:
            cards.setdefault(family_id or -product_id, product_id)
        if len(cards) >= needed_cards or len(rows) < limit:
            return list(cards.values())[query.offset : needed_cards]
    return _fetch_deep_card_ids(
        query, joins=joins, where=where, order=Fragment(first.sql + order, first.parameters)
    )


def _fetch_deep_card_ids(
    query: CatalogQuery, *, joins: Fragment, where: Fragment, order: Fragment
) -> list[int]:
    """Return the product ids of the page's cards. The database reads all products of the list, and
    returns those of the page only. One query.
    """
    sql = f"""
        SELECT c.id FROM (
            SELECT own.id, own.place,
                ROW_NUMBER() OVER (PARTITION BY own.card ORDER BY own.place) AS nth
            FROM (SELECT p.id, {CARD} AS card, ROW_NUMBER() OVER (ORDER BY {order.sql}) AS place
                FROM catalog_product p {joins.sql} WHERE {where.sql}) own
        ) c WHERE c.nth = 1 ORDER BY c.place LIMIT %s OFFSET %s
    """
    parameters = [*order.parameters, *joins.parameters, *where.parameters]
    return [row[0] for row in fetch_rows(sql, [*parameters, query.page_size, query.offset])]


def fetch_card_ids_descending(
    context: CatalogueContext, query: CatalogQuery, *, where: Fragment, first: Fragment
) -> list[int]:
    """Return the product ids of the page's cards, the highest price first. The cheapest product
    stands for its family. One query.
    """
    joins, price = build_price_joins(context), build_price_expression(context)
    rank = first.sql.rstrip(", ") or "0"
    sql = f"""
        SELECT c.id FROM (
            SELECT own.*, ROW_NUMBER() OVER
                (PARTITION BY own.card ORDER BY own.rank, own.price IS NULL, own.price,
                    own.sales_count DESC, own.id) AS place
            FROM (SELECT p.id, {CARD} AS card, p.sales_count, {rank} AS rank,
                    {DESCENDING[query.sort].format(price=price)} AS price
                FROM catalog_product p {joins.sql} WHERE {where.sql}) own
        ) c WHERE c.place = 1
        ORDER BY c.rank, c.price IS NULL, c.price DESC, c.sales_count DESC, c.id LIMIT %s OFFSET %s
    """
    parameters: list[Any] = [*first.parameters, *joins.parameters, *where.parameters]
    return [row[0] for row in fetch_rows(sql, [*parameters, query.page_size, query.offset])]


def count_rows(context: CatalogueContext, query: CatalogQuery, criteria: Conditions) -> int:
    """Return the number of products, or of cards, or TOTAL_CAP + 1 if there are more."""
    joins = build_price_joins(context) if needs_prices(query) else Fragment("")
    where = criteria.list_all()
    sql = (
        f"SELECT COUNT(*) FROM ({row_select(query)} FROM catalog_product p {joins.sql} WHERE "
        f"{where.sql} LIMIT {TOTAL_CAP + 1}) found"
    )
    return int(fetch_rows(sql, [*joins.parameters, *where.parameters])[0][0])
