"""The judged queries of bench/search: there are enough, a third is held out, and the demo's
sheets can answer each.
"""

from __future__ import annotations

import csv
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from bench.search.judge import Judged, compute_ndcg, read_queries

SHEETS = Path(__file__).resolve().parents[2] / "demo" / "catalogue"
QUERIES = read_queries()


def build_sheet(name: str) -> list[dict[str, str]]:
    with (SHEETS / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def products() -> list[Judged]:
    """The products visible to a visitor."""
    brands = {row["编码"]: row["名称"] for row in build_sheet("brands")}
    return [
        Judged(
            code=row["商品编码"],
            category=row["三级分类编码"],
            brand=brands[row["品牌编码"]],
            model=row["型号"],
            name=row["名称"],
            values=tuple(pair.split(":", 1)[1] for pair in row["属性"].split(";") if pair),
            price=Decimal(row["市场价"]),
        )
        for row in build_sheet("products")
        if (row["状态"], row["是否公开"]) == ("在售", "是")
    ]


# The classes of which none may be hidden in the mean, and the least number of queries of each.
CLASSES = (
    "joined",
    "units",
    "price",
    "negation",
    "attributes",
    "part numbers",
    "typo",
    "pinyin",
    "long phrases",
)
LEAST_OF_A_CLASS = 30


def test_there_are_enough_queries_of_each_class_and_a_third_is_held_out() -> None:
    held = sum(query.is_held_out for query in QUERIES)
    counts = Counter(query.kind for query in QUERIES)

    assert len(QUERIES) >= 500
    assert [name for name in CLASSES if counts[name] < LEAST_OF_A_CLASS] == []
    assert 0.30 <= held / len(QUERIES) <= 0.36


def test_every_query_has_exact_products_except_absent_ones(
    products: list[Judged],
) -> None:
    wrong = [
        query.text
        for query in QUERIES
        if any(query.grade(product) == 3 for product in products) == (query.kind == "absent")
    ]

    assert wrong == []


def test_the_best_order_scores_one_and_the_worst_place_less() -> None:
    assert compute_ndcg([3, 2, 1], [1, 3, 2]) == 1
    assert compute_ndcg([0, 3], [3]) == pytest.approx(0.6309, abs=1e-4)
    assert compute_ndcg([], [3]) == 0
