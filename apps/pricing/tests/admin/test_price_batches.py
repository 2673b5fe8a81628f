"""Bulk price changes (批量调价) in the back office: preview, confirm, undo."""

from __future__ import annotations

import re
from decimal import Decimal
from io import BytesIO

import pytest
from auditlog.models import LogEntry
from django.test import Client
from python_calamine import CalamineWorkbook

from apps.catalog.tests.factories import AgreementFactory, PriceListItemFactory, ProductFactory
from apps.common.tenancy import platform_scope
from apps.dual_control.models import ActLimit, Proposal
from apps.org.tests.office import create_staff, open_office
from apps.pricing.models import Agreement, PriceBatch, PriceListItem
from apps.pricing.services.controlled_acts import CHANGE_PRICES

NEW = "/admin/pricing/pricebatch/new/"


@pytest.fixture
def item(platform: None) -> PriceListItem:
    """A list price of 8 元 for a product with a market price of 10 元."""
    item: PriceListItem = PriceListItemFactory(
        product=ProductFactory(code="110001"), price=Decimal("8.00")
    )
    return item


@pytest.fixture
def desk(item: PriceListItem) -> Client:
    return open_office(create_staff("商品"))


def build_body(item: PriceListItem, **more: str) -> dict[str, str]:
    return {
        "price_list": str(item.price_list_id),
        "kind": "percent",
        "figure": "5",
        "step": "0.01",
        **more,
    }


def preview(desk: Client, item: PriceListItem, **more: str) -> str:
    return desk.post(NEW, build_body(item, preview="1", **more)).content.decode()


def confirm_batch(desk: Client, item: PriceListItem) -> PriceBatch:
    match = re.search(r'name="digest" value="(\w+)"', preview(desk, item))
    assert match is not None
    assert desk.post(NEW, build_body(item, confirm="1", digest=match[1])).status_code == 302
    return PriceBatch.objects.get()


def get_price() -> Decimal | None:
    return PriceListItem.objects.get().price


def test_price_batch_preview_shows_old_and_new_prices_and_writes_nothing(
    desk: Client, item: PriceListItem
) -> None:
    page = preview(desk, item)

    assert (
        '<td class="is-number">¥8.00</td><td class="is-number">¥8.40</td><td '
        'class="is-number">+5.0%</td>'
    ) in page
    assert "确认调整 1 个价目" in page
    assert get_price() == Decimal("8.00")


def test_confirmed_price_batch_is_written_and_logged_with_its_actor(
    desk: Client, item: PriceListItem
) -> None:
    batch = confirm_batch(desk, item)

    assert get_price() == Decimal("8.40")
    assert LogEntry.objects.get(content_type__model="pricebatch").actor == batch.made_by


def test_price_batch_confirmation_without_its_preview_writes_nothing(
    desk: Client, item: PriceListItem
) -> None:
    page = desk.post(NEW, build_body(item, confirm="1", digest="0")).content.decode()

    assert "预览之后价格有变化" in page
    assert get_price() == Decimal("8.00")


def test_batches_of_a_day_count_together(desk: Client, item: PriceListItem) -> None:
    """0.40 元 and 0.40 元 are within a limit of 0.50 元, together they are not."""
    ActLimit.objects.update_or_create(
        kind=CHANGE_PRICES, job="商品", defaults={"alone": Decimal("0.50")}
    )
    confirm_batch(desk, item)
    item.price_list.items.update(price=Decimal("8.00"))
    digest = re.search(r'name="digest" value="(\w+)"', preview(desk, item))
    assert digest is not None

    body = build_body(item, confirm="1", digest=digest[1])
    page = desk.post(NEW, body, follow=True).content.decode()

    assert "金额 ¥0.80（含此前单人变动 ¥0.40）超过您的单人上限" in page
    assert get_price() == Decimal("8.00")
    assert Proposal.objects.get().amount == Decimal("0.80")


def test_refused_price_batch_names_the_reason_and_offers_no_confirmation(
    desk: Client, item: PriceListItem
) -> None:
    page = preview(desk, item, figure="30")

    assert "新价高于市场价 ¥10.00" in page
    assert "确认调整" not in page


def test_codes_without_a_price_on_the_list_are_named(desk: Client, item: PriceListItem) -> None:
    page = preview(desk, item, codes="110001 110002，999999")

    assert "价目表里没有这些商品的价格：110002、999999；请更正或删去" in page
    assert "确认调整" not in page
    assert "确认调整 1 个价目" in preview(desk, item, codes="110001")


def test_the_whole_preview_is_a_sheet(desk: Client, item: PriceListItem) -> None:
    answer = desk.post(NEW, build_body(item, sheet="1"))

    rows = (
        CalamineWorkbook.from_filelike(BytesIO(b"".join(answer))).get_sheet_by_index(0).to_python()
    )
    assert rows[1][:5] == ["110001", item.product.name, 8.0, 8.4, 5.0]


def test_prices_of_quotes_are_not_changed_in_bulk(desk: Client, item: PriceListItem) -> None:
    AgreementFactory(price_list=item.price_list)
    Agreement.objects.update(is_addition=True)

    assert "询价专属价目表由报价维护" in preview(desk, item)


def test_undone_on_its_page_and_only_once(desk: Client, item: PriceListItem) -> None:
    undo = f"/admin/pricing/pricebatch/{confirm_batch(desk, item).pk}/undo/"

    first = desk.post(undo, follow=True).content.decode()

    assert "已恢复 1 个价目的原价" in first
    assert "撤销本批调价" not in first
    assert get_price() == Decimal("8.00")
    assert desk.post(undo).status_code in (302, 403, 404)
    assert get_price() == Decimal("8.00")


def test_price_batch_undo_names_prices_changed_since(desk: Client, item: PriceListItem) -> None:
    PriceListItemFactory(
        price_list=item.price_list, product=ProductFactory(code="110002"), price=Decimal("6.00")
    )
    batch = confirm_batch(desk, item)
    PriceListItem.objects.filter(pk=item.pk).update(price=Decimal("9.00"))

    page = desk.post(f"/admin/pricing/pricebatch/{batch.pk}/undo/", follow=True).content.decode()

    assert "1 个价目在调价后又被修改或删除，未恢复：110001" in page
    assert [f"{row.price}" for row in PriceListItem.objects.order_by("pk")] == ["9.00", "6.00"]


def test_overtaken_price_batch_undo_names_the_later_batches(
    desk: Client, item: PriceListItem
) -> None:
    batch = confirm_batch(desk, item)
    PriceListItem.objects.update(price=Decimal("9.00"))

    page = desk.post(f"/admin/pricing/pricebatch/{batch.pk}/undo/", follow=True).content.decode()

    assert "没有可以恢复的；如需恢复，请先撤销之后的批次" in page
    assert get_price() == Decimal("9.00")


def test_read_only_staff_cannot_create_a_price_batch(item: PriceListItem) -> None:
    looking = open_office(create_staff("客服"))

    with platform_scope(reason="test"):
        assert looking.get(NEW).status_code == 403
        assert looking.get("/admin/pricing/pricebatch/").status_code == 200


def test_market_filter_lists_only_agreed_prices_above_the_market(
    desk: Client, item: PriceListItem
) -> None:
    PriceListItemFactory(
        price_list=item.price_list, product=ProductFactory(code="220002"), price=Decimal("10.01")
    )

    page = desk.get("/admin/pricing/pricelistitem/?market=above").content.decode()

    assert "220002" in page
    assert "110001" not in page


def test_an_empty_list_names_the_way_on(desk: Client) -> None:
    assert "“新的调价”后显示在这里" in desk.get("/admin/pricing/pricebatch/").content.decode()
