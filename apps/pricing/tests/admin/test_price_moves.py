"""The list of price moves (价格变动): search and filters, read-only."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from apps.catalog.models import Product
from apps.catalog.tests.factories import PriceListItemFactory, ProductFactory
from apps.org.tests.office import create_staff, open_office
from apps.pricing.models import PriceMove

LIST = "/admin/pricing/pricemove/"


def create_move(product: Product, before: str, after: str, item: object = None) -> PriceMove:
    row: PriceMove = PriceMove.objects.create(
        product=product, item=item, before=Decimal(before), after=Decimal(after), at=timezone.now()
    )
    return row


@pytest.fixture
def desk(platform: None) -> Client:
    return open_office(create_staff("商品"))


def list_moves(desk: Client, **parameters: str) -> list[PriceMove]:
    return list(desk.get(LIST, parameters).context["cl"].result_list)


def test_changes_are_listed_newest_first_searched_and_filtered(desk: Client) -> None:
    pen, desk_lamp = (
        ProductFactory(code="110001", name="中性笔"),
        ProductFactory(code="110002", name="台灯"),
    )
    item = PriceListItemFactory(product=desk_lamp)
    up, down = create_move(pen, "10.00", "12.00"), create_move(desk_lamp, "20.00", "15.00", item)

    assert list_moves(desk) == [down, up]
    assert list_moves(desk, q="110001") == list_moves(desk, q="中性笔") == [up]
    assert list_moves(desk, q=item.price_list.code) == [down]
    assert list_moves(desk, way="up") == list_moves(desk, price="market") == [up]
    assert list_moves(desk, way="down") == list_moves(desk, price="agreed") == [down]
    assert list_moves(desk, way="foo") == [down, up]
    page = desk.get(LIST).content.decode()
    assert all(text in page for text in ("¥10.00", "¥12.00", "+20.0%", "-25.0%", "市场价"))


def test_a_change_is_looked_at_and_never_written(desk: Client) -> None:
    move = create_move(ProductFactory(), "10.00", "12.00")
    assert desk.get(f"{LIST}{move.pk}/change/").status_code == 200
    assert desk.post(f"{LIST}{move.pk}/change/", {"after": "1"}).status_code == 403
    assert desk.get(f"{LIST}add/").status_code == 403
    assert desk.get(f"{LIST}{move.pk}/delete/").status_code == 403
    assert PriceMove.objects.get().after == Decimal("12.00")
