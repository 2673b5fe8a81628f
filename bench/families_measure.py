"""The measurements of the benchmark `families`: the product list with one card for each family
beside the list of single products, by turns. Runs in its own process on the database in
DATABASE_URL; prints JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from bench.catalogue_measure import p50
from bench.in_process import print_measure
from bench.scale import size

ROUNDS = size(30, 1)
LISTS: dict[str, dict[str, str]] = {
    "whole list": {},
    "price filter": {"MinPrice": "5", "MaxPrice": "80"},
    "attribute filter": {"Attr": "颜色:黑色"},
    "keyword": {"Keyword": "中性笔"},
    "by price": {"Sort": "price"},
    "by price, highest first": {"Sort": "-price"},
    "page 40": {"PageIndex": "40"},
}
# The others order or cut cards, which costs more than products, and have no gate.
GATED_LISTS = ("whole list", "price filter", "attribute filter", "keyword")


def measure() -> dict[str, float]:
    """Return the median milliseconds of each list, with families and without."""
    from apps.common.tenancy import platform_scope
    from apps.common.testing import ApiClient
    from apps.org.models import Account
    from conftest import mint

    ApiClient.mint = staticmethod(mint)
    with platform_scope(reason="bench"):
        client = ApiClient(Account.objects.get(username="buyer"))

    def get(query: dict[str, str], _number: int) -> Any:
        answer = client.get("/api/Product", {**query, "Variants": "1"})
        if not answer.ok:
            raise SystemExit(f"{query}: {answer.message}")
        return answer

    result: dict[str, float] = {}
    for name, query in LISTS.items():
        calls: list[Callable[[int], Any]] = [
            partial(get, query),
            partial(get, {**query, "Group": "family"}),
        ]
        result[f"{name}, products"], result[f"{name}, families"] = p50(*calls, rounds=ROUNDS)
    return result


if __name__ == "__main__":
    print_measure(measure, in_place=True)
