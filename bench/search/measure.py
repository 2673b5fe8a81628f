"""Run every judged query against the catalogue in DATABASE_URL: python -m bench.search.measure
[each] prints JSON.

`each` prints the tuning part's queries one by one, worst first. The held-out part is only shown as
a total.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from statistics import mean
from typing import Any

from bench.scale import size
from bench.search.judge import TOP, Judged, Query, compute_ndcg, read_queries

NOTHING_TO_FIND = "absent"


@dataclass(frozen=True, slots=True)
class Answered:
    """A query with the answered names, their grades and nDCG@10."""

    query: Query
    names: tuple[str, ...]
    grades: tuple[int, ...]
    score: float


def answers() -> list[Answered]:
    """Return the answer to every query in its caller's view. Labels cover everything that the
    caller can see.
    """
    from apps.search.query import CatalogQuery
    from apps.search.selectors.product_list import product_list

    rows = []
    for query in read_queries()[:: size(1, 3)]:
        page = product_list(
            actor=_account(query.who),
            query=CatalogQuery(
                keyword=query.text, page_size=TOP, with_total=False, with_facets=False
            ),
        )
        visible = _visible(query.who)
        products = [visible[offer.product.pk] for offer in page.offers]
        grades = tuple(query.grade(product) for product in products)
        score = compute_ndcg(grades, (query.grade(product) for product in visible.values()))
        rows.append(Answered(query, tuple(product.name for product in products), grades, score))
    return rows


def figures(found: list[Answered]) -> dict[str, Any]:
    """Return nDCG@10 and the share without results overall and for each class, in both parts."""
    parts: dict[str, list[Answered]] = defaultdict(list)
    for answer in found:
        if answer.query.kind == NOTHING_TO_FIND:
            parts["absent"].append(answer)
            continue
        part = "held" if answer.query.is_held_out else "tuned"
        parts[part].append(answer)
        parts[f"{part} {answer.query.kind}"].append(answer)
    return {
        name: {
            "queries": len(part),
            "ndcg": mean(a.score for a in part),
            "empty": mean(not a.names for a in part),
        }
        for name, part in parts.items()
    }


@lru_cache
def _account(username: str) -> Any:
    from apps.org.models import Account

    return Account.objects.get(username=username) if username else None


@lru_cache
def _visible(username: str) -> dict[int, Judged]:
    """Return the products visible to the caller, by key."""
    from apps.catalog.models import Product
    from apps.pricing.selectors.context import get_catalogue_context
    from apps.pricing.selectors.offers import get_offers

    context = get_catalogue_context(actor=_account(username))
    offers = get_offers(context=context, product_ids=Product.objects.values_list("pk", flat=True))
    seen = [pk for pk, offer in offers.items() if offer.visible and offer.is_on_sale]
    return {
        product.pk: _judged(product, offers[product.pk].price)
        for product in Product.objects.select_related("brand", "l3").filter(pk__in=seen)
    }


def _judged(product: Any, price: Decimal) -> Judged:
    return Judged(
        code=product.code,
        category=product.l3.code,
        brand=product.brand.name,
        model=product.model_code,
        name=product.name,
        values=tuple(str(value) for value in product.attributes.values()),
        price=price,
    )


def _printed_each(found: list[Answered]) -> None:
    for answer in sorted(found, key=lambda answer: answer.score):
        if not answer.query.is_held_out and answer.query.kind != NOTHING_TO_FIND:
            print(
                f"{answer.score:.3f} {answer.query.kind} 「{answer.query.text}」 "
                f"{list(answer.grades)} {' | '.join(answer.names[:4])}"
            )


def main() -> None:
    """Measure and print."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mall.settings.test")
    import django

    django.setup()
    from apps.common.tenancy import platform_scope

    with platform_scope(reason="bench: judged queries"):
        result = answers()
    if "each" in sys.argv[1:]:
        _printed_each(result)
    else:
        json.dump(figures(result), sys.stdout)


if __name__ == "__main__":
    main()
