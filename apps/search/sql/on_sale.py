"""Products that a customer can buy: the best-selling ones for many conditions in few statements,
related products, and all of them with their category.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection

from apps.common.sql import Fragment, all_of
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import build_for_sale_conditions
from apps.search.sql.conditions import fetch_rows

if TYPE_CHECKING:
    from apps.catalog.models import Product


# Branches of one statement. SQLite accepts 500. One statement of fifty branches is planned faster
# than fifty statements.
BRANCHES = 50


@dataclass(frozen=True, slots=True)
class ProductQuery:
    """A condition on `p`, and words for the ranking: products whose name contains all of them
    come first.
    """

    where: Fragment
    first_words: tuple[str, ...] = ()


def list_best_ids(
    context: CatalogueContext, questions: Sequence[ProductQuery], *, limit: int
) -> list[list[int]]:
    """Return for each question the best-selling products that the customer can buy, products in
    stock first.

    One query for every fifty questions, none without questions.
    """
    ids_by_question: list[list[int]] = [[] for _ in questions]
    for start in range(0, len(questions), BRANCHES):
        branches = [
            _select_question_products(context, question, number, limit)
            for number, question in enumerate(questions[start : start + BRANCHES], start)
        ]
        sql = " UNION ALL ".join(branch.sql for branch in branches)
        for number, pk in fetch_rows(
            sql, [value for branch in branches for value in branch.parameters]
        ):
            ids_by_question[number].append(pk)
    return ids_by_question


def _select_question_products(
    context: CatalogueContext, question: ProductQuery, number: int, limit: int
) -> Fragment:
    """Return the SELECT of the best products of one query, with the query's number in each row.
    Products whose name contains all first words come first, then those in stock, then the
    best-selling.
    """
    where = all_of([question.where, *build_for_sale_conditions(context, "p")])
    position_function = "strpos" if connection.vendor == "postgresql" else "instr"
    words = list(question.first_words)
    name_rank = (
        (
            f"CASE WHEN {' AND '.join([f'{position_function}(p.name_key, %s) > 0'] * len(words))} "
            "THEN 0 ELSE 1 END, "
        )
        if words
        else ""
    )
    order = f"{name_rank}CASE WHEN p.stock > p.reserved THEN 0 ELSE 1 END, p.sales_count DESC, p.id"
    sql = (
        f"SELECT * FROM (SELECT {number} AS number, p.id FROM catalog_product p WHERE {where.sql} "
        f"ORDER BY {order} LIMIT {limit}) b{number}"
    )
    return Fragment(sql, [*where.parameters, *words])


def list_related_ids(
    context: CatalogueContext,
    product: Product,
    *,
    limit: int,
    must: Sequence[Fragment] = (),
) -> tuple[list[int], list[int]]:
    """Return the best-selling other products of the same third-level category, and of the other
    categories of the same second level. One query.

    `must` are the conditions that a substitute meets.
    """
    conditions = {
        "substitute": all_of(
            [
                Fragment("p.l3_id = %s AND p.id <> %s", [product.l3_id, product.pk]),
                Fragment("p.stock - p.reserved >= p.min_quantity"),
                *must,
            ]
        ),
        "goes": Fragment("p.l2_id = %s AND p.l3_id <> %s", [product.l2_id, product.l3_id]),
    }
    selects, parameters = [], []
    for kind, condition in conditions.items():
        where = all_of(
            [condition, Fragment("p.stock > p.reserved"), *build_for_sale_conditions(context, "p")]
        )
        selects.append(
            f"SELECT * FROM (SELECT '{kind}' AS kind, p.id FROM catalog_product p WHERE "
            f"{where.sql} "
            f"ORDER BY p.sales_count DESC, p.id LIMIT {limit}) {kind}"
        )
        parameters += where.parameters
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(selects), parameters)
        rows = cursor.fetchall()
    return [pk for kind, pk in rows if kind == "substitute"], [
        pk for kind, pk in rows if kind == "goes"
    ]


def map_categories_on_sale(context: CatalogueContext) -> dict[int, int]:
    """Return, by product id, the third-level category of each product that a list shows this
    customer. One query.
    """
    where = all_of(build_for_sale_conditions(context, "p"))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT p.id, p.l3_id FROM catalog_product p WHERE {where.sql}", where.parameters
        )
        return dict(cursor.fetchall())
