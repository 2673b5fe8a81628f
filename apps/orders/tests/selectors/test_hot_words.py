"""POST /api/Product/SupposeCategory also counts ordered products."""

from __future__ import annotations

from apps.common.testing import ApiClient
from apps.orders.models import Order
from apps.org.models import Account


def list_words(account: Account) -> list[str]:
    return [
        row["Keywords"]
        for row in ApiClient(account).post("/api/Product/SupposeCategory", {"TopN": 8}).body
    ]


def test_the_categories_of_the_groups_orders_are_hot(placed_order: Order, shopper: Account) -> None:
    assert list_words(shopper) == [placed_order.lines.get().product.l3.name]


def test_hot_words_ignore_orders_of_another_group(placed_order: Order, other_ga: Account) -> None:
    assert list_words(other_ga) == []
