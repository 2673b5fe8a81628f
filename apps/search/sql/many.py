"""Runs many small product queries in few statements: each query is a branch of one UNION ALL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from apps.common.sql.fragment import Fragment, all_of
from apps.pricing.selectors.context import CatalogueContext
from apps.pricing.sql.products import for_sale
from apps.search.sql.engine import rows

# Branches of one statement. SQLite accepts 500. One statement of fifty branches is planned faster
# than fifty statements.
BRANCHES = 50


@dataclass(frozen=True, slots=True)
class Question:
    """A condition on `p`, and words for the ranking: products whose name contains all of them
    come first.
    """

    where: Fragment
    first_words: tuple[str, ...] = ()


def best_ids(
    context: CatalogueContext, questions: Sequence[Question], *, limit: int
) -> list[list[int]]:
    """Return for each question the best-selling products that the customer can buy, products in
    stock first.

    One query for every fifty questions, none without questions.
    """
    found: list[list[int]] = [[] for _ in questions]
    for start in range(0, len(questions), BRANCHES):
        branches = [
            _branch(context, question, number, limit)
            for number, question in enumerate(questions[start : start + BRANCHES], start)
        ]
        sql = " UNION ALL ".join(branch.sql for branch in branches)
        for number, pk in rows(sql, [value for branch in branches for value in branch.parameters]):
            found[number].append(pk)
    return found


def _branch(context: CatalogueContext, question: Question, number: int, limit: int) -> Fragment:
    where = all_of([question.where, *for_sale(context, "p")])
    position = "strpos" if connection.vendor == "postgresql" else "instr"
    words = list(question.first_words)
    named = (
        (
            f"CASE WHEN {' AND '.join([f'{position}(p.name_key, %s) > 0'] * len(words))} THEN 0 "
            "ELSE 1 END, "
        )
        if words
        else ""
    )
    order = f"{named}CASE WHEN p.stock > p.reserved THEN 0 ELSE 1 END, p.sales_count DESC, p.id"
    sql = (
        f"SELECT * FROM (SELECT {number} AS number, p.id FROM catalog_product p WHERE {where.sql} "
        f"ORDER BY {order} LIMIT {limit}) b{number}"
    )
    return Fragment(sql, [*where.parameters, *words])
