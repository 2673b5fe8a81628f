"""Tests of the order list's keyword. It matches an order number or a part of it, a purchase
order number, and a product's name, code or customer code.
"""

from __future__ import annotations

import pytest
from django.db import connection

from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.orders.models import Order, OrderedName, OrderLine
from apps.orders.selectors.orders import OrderFilter, list_orders
from apps.orders.tests.factories import place_order
from apps.org.models import Account


def search_orders(actor: Account, keyword: str) -> list[str]:
    return [
        order.order_no for order in list_orders(actor=actor, filters=OrderFilter(keyword=keyword))
    ]


@pytest.fixture
def pens(shopper: Account) -> Order:
    """An order of pens with a purchase order number. A second order contains paper."""
    place_order(shopper, (ProductFactory(name="复印纸 A4"), 1))
    return place_order(
        shopper,
        (ProductFactory(name="中性笔 0.5mm", code="880001"), 1),
        purchase_order_no="PO-2026-7",
    )


@pytest.mark.parametrize("keyword", ["中性笔", "0.5MM", "880001", "PO-2026-7"])
def test_order_search_matches_the_order_content(
    shopper: Account, pens: Order, keyword: str
) -> None:
    assert search_orders(shopper, keyword) == [pens.order_no]


def test_order_search_matches_the_number_and_its_parts(shopper: Account, pens: Order) -> None:
    parts = [
        pens.order_no,
        pens.order_no.lower(),
        pens.order_no[2:],
        pens.order_no[-8:],
        pens.order_no[:12],
    ]
    assert all(pens.order_no in search_orders(shopper, part) for part in parts)


def test_order_number_search_is_covered_by_one_index(db: None) -> None:
    with connection.cursor() as cursor:
        known = connection.introspection.get_constraints(cursor, Order._meta.db_table)
    assert known["order_part_of_number_idx"]["columns"] == ["group_id", "order_no", "id"]


@pytest.mark.parametrize("keyword", ["没有", "88000", "PO-2026", "SO00000000000000"])
def test_order_search_without_a_match_is_empty(shopper: Account, pens: Order, keyword: str) -> None:
    assert search_orders(shopper, keyword) == []


def test_order_search_matches_the_product_name_at_purchase(shopper: Account, pens: Order) -> None:
    Product.objects.filter(code="880001").update(name="签字笔 0.5mm")
    renamed = place_order(shopper, (Product.objects.get(code="880001"), 1))
    assert (search_orders(shopper, "中性笔"), search_orders(shopper, "签字笔")) == (
        [pens.order_no],
        [renamed.order_no],
    )


def test_ordered_name_is_stored_once_per_product(shopper: Account, pens: Order) -> None:
    place_order(shopper, (Product.objects.get(code="880001"), 1))
    assert OrderedName.objects.filter(product_code="880001").count() == 1
    assert OrderLine.objects.filter(product_code="880001").count() == 2
