"""Stock movements: reserve, release, ship, receive."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.catalog.errors import StockShort
from apps.catalog.models import Product, StockMovement
from apps.catalog.services.stock import stock_receive, stock_release, stock_reserve, stock_ship
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import assert_queries
from apps.common.testing.faults import at_statement


@pytest.fixture
def pen(db: None) -> Product:
    product: Product = ProductFactory(name="中性笔", stock=7)
    return product


def get_figures(product: Product) -> tuple[int, int]:
    product.refresh_from_db()
    return product.stock, product.reserved


def test_reservation_keeps_the_stock_and_reduces_the_available_quantity(pen: Product) -> None:
    stock_reserve(lines={pen.pk: 5}, reference="SO1")

    assert get_figures(pen) == (7, 5)
    assert pen.available == 2


def test_short_stock_is_refused_by_name_and_nothing_is_reserved(pen: Product) -> None:
    other = ProductFactory(stock=50)

    with pytest.raises(StockShort, match="库存不足：中性笔（剩余 7）") as refused:
        stock_reserve(lines={pen.pk: 8, other.pk: 1}, reference="SO1")

    assert refused.value.body == {"Products": [{"ProductCode": pen.code, "Available": 7}]}
    assert (get_figures(pen), get_figures(other)) == ((7, 0), (50, 0))
    assert not StockMovement.objects.exclude(reference="期初").exists()


def test_reserved_stock_is_unavailable_to_the_next_order(pen: Product) -> None:
    stock_reserve(lines={pen.pk: 7}, reference="SO1")

    with pytest.raises(StockShort):
        stock_reserve(lines={pen.pk: 1}, reference="SO2")


def test_stock_sold_between_check_and_reservation_is_refused(pen: Product) -> None:
    """SQLite has no row locks, and staff's SQL takes none: the move looks again."""

    def sell() -> None:
        Product.objects.filter(pk=pen.pk).update(stock=4)

    with at_statement("UPDATE catalog_product AS p", 1, sell), pytest.raises(StockShort):
        stock_reserve(lines={pen.pk: 5}, reference="SO1")

    assert get_figures(pen)[1] == 0


def test_release_returns_the_reserved_stock(pen: Product) -> None:
    stock_reserve(lines={pen.pk: 5}, reference="SO1")
    stock_release(lines={pen.pk: 3}, reference="SO1")

    assert get_figures(pen) == (7, 2)


def test_a_shipment_takes_stock_and_reservation_and_counts_as_sold(pen: Product) -> None:
    stock_reserve(lines={pen.pk: 5}, reference="SO1")
    stock_ship(lines={pen.pk: 5}, reference="SO1")

    assert get_figures(pen) == (2, 0)
    assert pen.sales_count == 5


def test_return_increases_the_stock(pen: Product) -> None:
    stock_receive(lines={pen.pk: 2}, reference="RO1", kind=StockMovement.Kind.RETURN)

    assert get_figures(pen) == (9, 0)


@pytest.mark.parametrize("move", [stock_release, stock_ship])
def test_more_than_is_reserved_cannot_leave(pen: Product, move: object) -> None:
    with pytest.raises(ValueError, match="than is reserved"):
        move(lines={pen.pk: 1}, reference="SO1")  # type: ignore[operator]

    assert get_figures(pen) == (7, 0)


def test_every_move_leaves_a_movement(pen: Product) -> None:
    stock_receive(lines={pen.pk: 1}, reference="PO1")
    stock_reserve(lines={pen.pk: 4}, reference="SO1")
    stock_release(lines={pen.pk: 1}, reference="SO1")
    stock_ship(lines={pen.pk: 3}, reference="SO1")

    assert list(
        StockMovement.objects.exclude(reference="期初")
        .order_by("pk")
        .values_list("kind", "quantity", "reference")
    ) == [
        ("receive", 1, "PO1"),
        ("reserve", 4, "SO1"),
        ("release", 1, "SO1"),
        ("ship", 3, "SO1"),
    ]


def test_ten_lines_cost_three_queries(db: None) -> None:
    lines = {product.pk: 1 for product in ProductFactory.create_batch(10)}

    with assert_queries(3):
        stock_reserve(lines=lines, reference="SO1")


def test_stock_lock_permits_foreign_keys_to_the_product(pen: Product) -> None:
    with CaptureQueriesContext(connection) as run:
        stock_reserve(lines={pen.pk: 1}, reference="SO1")

    locks = [
        query["sql"].rpartition(" FOR ")[2]
        for query in run.captured_queries
        if " FOR " in query["sql"]
    ]
    assert locks == (["NO KEY UPDATE"] if connection.vendor == "postgresql" else [])


@pytest.mark.parametrize("quantity", [0, -1])
def test_stock_movement_requires_at_least_one_piece(pen: Product, quantity: int) -> None:
    with pytest.raises(ValueError, match="at least one piece"):
        stock_reserve(lines={pen.pk: quantity}, reference="SO1")
    assert get_figures(pen) == (7, 0)
