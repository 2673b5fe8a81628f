"""Price moves record the old price of every change, whichever way it is made. A large change
within a month opens an alarm.
"""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from apps.catalog.models import Product
from apps.catalog.services.imports import import_apply
from apps.catalog.services.products import product_save
from apps.catalog.tests.factories import PriceListFactory, PriceListItemFactory, ProductFactory
from apps.catalog.tests.sheets import Rows
from apps.common.testing import assert_queries
from apps.inquiries.tests.inquiry_stories import create_inquiry, quote_inquiry
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office
from apps.pricing.enums import AlarmKind, PriceRuleKind
from apps.pricing.models import PriceAlarm, PriceList, PriceListItem, PriceMove
from apps.pricing.selectors.price_plan import PriceChoice, PriceRule, get_price_plan
from apps.pricing.services.price_alarms import (
    price_alarm_confirm,
    price_alarms_find,
    price_move_alarms_raise,
)
from apps.pricing.services.price_moves import PriceChange, price_moves_purge, price_moves_record
from apps.pricing.services.prices import price_batch_apply, price_batch_undo, price_item_save

PAGE = "/admin/pricing/pricealarm/"
LIST = ("编码", "商品编码", "协议价", "客户品名", "客户物料编码")


@pytest.fixture
def item(platform: None) -> PriceListItem:
    """A list price of 8.00 元 for a product with a market price of 10.00 元."""
    item: PriceListItem = PriceListItemFactory(
        price_list=PriceListFactory(code="PL"),
        product=ProductFactory(code="110001"),
        price=Decimal("8.00"),
    )
    return item


def list_moves() -> list[tuple[bool, str, str]]:
    """Return (is it an agreed price, before, after) for all price moves, oldest first."""
    return [
        (item is not None, str(old), str(new))
        for item, old, new in PriceMove.objects.values_list("item", "before", "after")
    ]


def move(item: PriceListItem, price: str, *, days_ago: int = 0) -> None:
    """Set the price of the row through the back-office service, some days ago."""
    item.price = Decimal(price)
    price_item_save(actor=None, item=item)
    PriceMove.objects.filter(pk=PriceMove.objects.latest("pk").pk).update(
        at=timezone.now() - timedelta(days=days_ago)
    )


def list_alarms() -> list[tuple[str, str]]:
    """Return (before, now) for each open alarm."""
    rows = PriceAlarm.objects.filter(kind=AlarmKind.MOVED, seen_at__isnull=True).order_by("pk")
    return [
        (str(before), str(price)) for before, price in rows.values_list("price_before", "price")
    ]


class TestWhoWrites:
    def test_the_back_offices_form_of_a_row(self, item: PriceListItem) -> None:
        price_item_save(actor=None, item=item)
        move(item, "9.00")
        PriceListItemFactory(
            price_list=item.price_list, product=ProductFactory(code="110002"), price=None
        )

        assert list_moves() == [(True, "8.00", "9.00")]

    def test_a_price_that_begins_or_ends_has_not_moved(self, item: PriceListItem) -> None:
        item.price = None
        price_item_save(actor=None, item=item)
        item.price = Decimal("9.00")
        price_item_save(actor=None, item=item)

        assert list_moves() == []

    def test_the_back_offices_form_of_a_product(self, item: PriceListItem, staff: Account) -> None:
        product = Product.objects.get(pk=item.product_id)
        product.market_price = Decimal("12.00")
        product_save(actor=staff, product=product)
        product_save(actor=staff, product=product)

        assert list_moves() == [(False, "10.00", "12.00")]

    def test_a_batch_and_its_undoing(self, item: PriceListItem, staff: Account) -> None:
        choice, rule = PriceChoice(item.price_list), PriceRule(PriceRuleKind.PERCENT, Decimal(5))
        batch = price_batch_apply(
            actor=staff,
            choice=choice,
            rule=rule,
            digest=get_price_plan(choice=choice, rule=rule).digest,
        )
        price_batch_undo(actor=staff, batch_id=batch.pk)

        assert list_moves() == [(True, "8.00", "8.40"), (True, "8.40", "8.00")]

    def test_a_sheet_of_prices(self, item: PriceListItem) -> None:
        rows = (LIST, ("PL", "110001", "9.90", "", ""), ("PL", "110002", "5.00", "", ""))
        ProductFactory(code="110002")
        import_apply(actor=None, kind="price_items", source=Rows(*rows))

        assert list_moves() == [(True, "8.00", "9.90")]

    def test_a_sheet_of_products(self, item: PriceListItem) -> None:
        import_apply(
            actor=None, kind="products", source=Rows(("商品编码", "市场价"), ("110001", "11.00"))
        )

        assert list_moves() == [(False, "10.00", "11.00")]

    def test_a_second_quote(self, buyer: Account, staff: Account) -> None:
        product = ProductFactory(code="700001", market_price=Decimal("10.00"))
        for price in ("7.50", "6.00"):
            quote_inquiry(create_inquiry(buyer), staff, product=product, price=price)

        assert list_moves() == [(True, "7.50", "6.00")]


class TestWhatIsTold:
    def test_price_move_above_the_percentage_raises_one_alarm(
        self, item: PriceListItem, settings: Settings
    ) -> None:
        settings.PRICE_MOVE_PERCENT = 20
        move(item, "9.60")
        assert price_move_alarms_raise() == 0  # exactly 20%

        move(item, "9.61")
        assert [price_move_alarms_raise(), price_move_alarms_raise()] == [1, 0]
        assert list_alarms() == [("8.00", "9.61")]

        move(item, "6.39")
        assert price_move_alarms_raise() == 1
        assert list_alarms() == [("8.00", "6.39")]

    def test_small_price_moves_accumulate_within_thirty_days(self, item: PriceListItem) -> None:
        move(item, "9.00", days_ago=31)
        move(item, "10.00", days_ago=29)
        assert price_move_alarms_raise() == 0

        move(item, "11.00")
        assert price_move_alarms_raise() == 1
        assert list_alarms() == [("9.00", "11.00")]

    def test_price_moved_back_raises_no_alarm(self, item: PriceListItem) -> None:
        move(item, "12.00")
        price_move_alarms_raise()
        move(item, "8.00")

        assert price_move_alarms_raise() == 0
        assert list_alarms() == []

    def test_open_price_alarm_stays_after_its_month(self, item: PriceListItem) -> None:
        move(item, "12.00")
        price_move_alarms_raise()
        PriceMove.objects.update(at=timezone.now() - timedelta(days=60))

        assert price_move_alarms_raise() == 0
        assert list_alarms() == [("8.00", "12.00")]

    def test_confirmed_price_move_is_the_base_of_the_next_comparison(
        self, item: PriceListItem, staff: Account
    ) -> None:
        move(item, "12.00")
        price_move_alarms_raise()
        price_alarm_confirm(actor=staff, alarm_id=PriceAlarm.objects.get().pk, note="原材料涨价")
        move(item, "12.10")
        assert price_move_alarms_raise() == 0

        move(item, "15.00")
        assert price_move_alarms_raise() == 1
        assert list_alarms() == [("12.00", "15.00")]

    def test_the_markets_price_too_and_no_list_that_has_ended(
        self, item: PriceListItem, staff: Account
    ) -> None:
        move(item, "12.00")
        PriceList.objects.update(valid_to=timezone.localdate() - timedelta(days=1))
        product = Product.objects.get(pk=item.product_id)
        product.market_price = Decimal("20.00")
        product_save(actor=staff, product=product)

        assert price_move_alarms_raise() == 1
        assert list_alarms() == [("10.00", "20.00")]

    def test_move_alarm_coexists_with_the_above_market_alarm(self, item: PriceListItem) -> None:
        move(item, "12.00")

        assert [
            price_alarms_find(),
            price_move_alarms_raise(),
            price_alarms_find(),
            price_move_alarms_raise(),
        ] == [1, 1, 0, 0]
        assert set(PriceAlarm.objects.values_list("kind", flat=True)) == {"above", "moved"}


def test_staff_see_both_alarm_kinds_and_close_one_with_a_note(
    item: PriceListItem, staff: Account
) -> None:
    move(item, "9.99")
    price_move_alarms_raise()
    desk, alarm = open_office(create_staff("商品")), PriceAlarm.objects.get()

    assert "30 天内涨 ¥1.99（24.9%）" in desk.get("/admin/").content.decode()
    assert "110001" in desk.get(f"{PAGE}?kind__exact=moved").content.decode()
    assert "110001" not in desk.get(f"{PAGE}?kind__exact=above").content.decode()
    desk.post(f"{PAGE}{alarm.pk}/see/", {"note": "已与客户确认"})

    assert list_alarms() == []
    assert desk.get(f"{PAGE}{alarm.pk}/change/").status_code == 200


def test_price_moves_are_purged_after_400_days_and_alarms_remain(
    item: PriceListItem,
) -> None:
    move(item, "12.00", days_ago=399)
    move(item, "13.00", days_ago=401)
    PriceAlarm.objects.create(
        kind=AlarmKind.MOVED,
        item=item,
        price=13,
        price_before=12,
        market_price=10,
        move=PriceMove.objects.latest("pk"),
    )

    assert price_moves_purge() == 1
    assert list_moves() == [(True, "8.00", "12.00")]
    assert PriceAlarm.objects.get().move is None


def test_price_move_history_and_job_take_a_constant_number_of_queries(item: PriceListItem) -> None:
    products = ProductFactory.create_batch(30)
    prices = [
        PriceChange(None, product.pk, Decimal("10.00"), Decimal("13.00")) for product in products
    ]

    with assert_queries(1):
        assert (
            price_moves_record(
                [*prices, PriceChange(None, item.product_id, Decimal(1), Decimal(1))]
            )
            == 30
        )
    with CaptureQueriesContext(
        connection,
    ) as first:
        assert price_move_alarms_raise() == 30
    with CaptureQueriesContext(connection) as second:
        assert price_move_alarms_raise() == 0

    price_moves_record(
        PriceChange(None, product.pk, Decimal("13.00"), Decimal("10.00")) for product in products
    )
    with CaptureQueriesContext(connection) as third:
        assert price_move_alarms_raise() == 0

    assert [len(first), len(second), len(third), len(list_alarms())] == [6, 5, 5, 0]
