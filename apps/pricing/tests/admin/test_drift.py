"""A save that changes a price by a large percentage shows a warning immediately. The threshold
is the same as in the scheduled job.
"""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.test import Client
from pytest_django import Settings

from apps.catalog.tests.factories import PriceListItemFactory, ProductFactory
from apps.org.tests.office import create_staff, open_office
from apps.pricing.models import PriceAlarm, PriceListItem
from apps.pricing.services.price_alarms import price_alarm_confirm, price_move_alarms_raise
from apps.pricing.services.prices import price_item_save


@pytest.fixture
def item(platform: None, settings: Settings) -> PriceListItem:
    """A list price of 10 元. Changes of more than 20% cause a warning."""
    settings.PRICE_MOVE_PERCENT = 20
    item: PriceListItem = PriceListItemFactory(
        product=ProductFactory(code="110001"), price=Decimal("10.00")
    )
    return item


@pytest.fixture
def desk(item: PriceListItem) -> Client:
    return open_office(create_staff("商品"))


def save_price(desk: Client, item: PriceListItem, price: str, name: str = "") -> list[str]:
    """Save the form of the row with this price and customer name. Return the warnings of the
    page.
    """
    body = {
        "price_list": item.price_list_id,
        "product": item.product_id,
        "price": price,
        "customer_name": name,
        "customer_code": "",
    }
    answer = desk.post(f"/admin/pricing/pricelistitem/{item.pk}/change/", body, follow=True)
    texts = list(answer.context["messages"])
    assert "success" in [each.level_tag for each in texts]
    return [str(each) for each in texts if each.level_tag == "warning"]


def test_price_save_above_the_limit_warns_with_the_percentage(
    desk: Client, item: PriceListItem
) -> None:
    assert save_price(desk, item, "12.00") == []
    assert save_price(desk, item, "12.01") == [
        "110001 协议价 30 天内涨 ¥2.01（20.1%）。超过 20%，将列入价格预警，如填写有误请改回"
    ]


def test_small_steps_count_together_and_going_back_is_no_news(
    desk: Client, item: PriceListItem
) -> None:
    assert [len(save_price(desk, item, price)) for price in ("11.50", "13.00", "10.00")] == [
        0,
        1,
        0,
    ]


def test_confirmed_alarm_restarts_the_price_move_comparison(
    desk: Client, item: PriceListItem
) -> None:
    item.price = Decimal("15.00")
    price_item_save(actor=None, item=item)
    price_move_alarms_raise()
    price_alarm_confirm(
        actor=create_staff("商品"),
        alarm_id=PriceAlarm.objects.get(kind="moved").pk,
        note="原材料涨价",
    )

    assert save_price(desk, item, "16.00") == []
    assert len(save_price(desk, item, "19.00")) == 1


def test_price_save_warning_matches_the_alarm_of_the_job(desk: Client, item: PriceListItem) -> None:
    assert len(save_price(desk, item, "7.90")) == 1
    assert price_move_alarms_raise() == 1


def test_saving_another_field_repeats_no_price_warning(desk: Client, item: PriceListItem) -> None:
    save_price(desk, item, "15.00")
    assert save_price(desk, item, "15.00", name="A4 纸") == []


def test_inline_price_change_shows_the_price_warning(desk: Client, item: PriceListItem) -> None:
    page = f"/admin/pricing/pricelist/{item.price_list_id}/change/"
    prices = item.price_list
    body = {
        "code": prices.code,
        "name": prices.name,
        "kind": prices.kind,
        "items-TOTAL_FORMS": "1",
        "items-INITIAL_FORMS": "1",
    }
    row = {
        "id": item.pk,
        "price_list": prices.pk,
        "product": item.product_id,
        "price": "7.50",
        "customer_name": "",
        "customer_code": "",
    }
    answer = desk.post(
        page, {**body, **{f"items-0-{name}": value for name, value in row.items()}}, follow=True
    )

    assert "110001 协议价 30 天内降 ¥2.50（25.0%）" in answer.content.decode()
