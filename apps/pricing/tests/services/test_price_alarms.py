"""Price alarms (价格预警): an agreed price above the market price is reported once. Staff close the
alarm with a note.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from apps.catalog.tests.factories import PriceListItemFactory, ProductFactory
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office
from apps.pricing.errors import AlarmSeen
from apps.pricing.models import PriceAlarm, PriceListItem
from apps.pricing.services.price_alarms import price_alarm_confirm, price_alarms_find


@pytest.fixture
def dear(platform: None) -> PriceListItem:
    """A price of 12 元 by agreement, 10 元 on the market. A second price is below the market
    price.
    """
    PriceListItemFactory(price=Decimal("9.00"))
    dear: PriceListItem = PriceListItemFactory(
        product=ProductFactory(code="110001"), price=Decimal("12.00")
    )
    return dear


def test_price_above_the_market_raises_one_alarm(dear: PriceListItem) -> None:
    assert [price_alarms_find(), price_alarms_find()] == [1, 0]
    assert PriceAlarm.objects.get().item == dear


def test_confirmed_alarm_returns_only_for_another_price(
    dear: PriceListItem, staff: Account
) -> None:
    price_alarms_find()
    price_alarm_confirm(actor=staff, alarm_id=PriceAlarm.objects.get().pk, note="含安装")
    assert price_alarms_find() == 0

    PriceListItem.objects.filter(pk=dear.pk).update(price=Decimal("13.00"))

    assert price_alarms_find() == 1


def test_open_alarm_is_removed_when_the_price_is_corrected(dear: PriceListItem) -> None:
    price_alarms_find()
    PriceListItem.objects.filter(pk=dear.pk).update(price=Decimal("10.00"))
    price_alarms_find()

    assert not PriceAlarm.objects.exists()


def test_an_alarm_is_closed_once(dear: PriceListItem, staff: Account) -> None:
    price_alarms_find()
    alarm = price_alarm_confirm(actor=staff, alarm_id=PriceAlarm.objects.get().pk, note="含安装")

    with pytest.raises(AlarmSeen):
        price_alarm_confirm(actor=staff, alarm_id=alarm.pk, note="再来一次")


def test_price_alarm_on_the_admin_home_is_closed_with_a_note(dear: PriceListItem) -> None:
    price_alarms_find()
    desk, alarm = open_office(create_staff("商品")), PriceAlarm.objects.get()
    assert "比市场价高 ¥2.00" in desk.get("/admin/").content.decode()

    refused = desk.post(f"/admin/pricing/pricealarm/{alarm.pk}/see/", {"note": ""}).content.decode()
    desk.post(f"/admin/pricing/pricealarm/{alarm.pk}/see/", {"note": "含安装"})

    assert "请填写说明" in refused
    alarm.refresh_from_db()
    assert (alarm.note, alarm.seen_by is not None) == ("含安装", True)
    assert "比市场价高 ¥2.00" not in desk.get("/admin/").content.decode()
    assert desk.get("/admin/pricing/pricealarm/?state=seen").status_code == 200
