"""The history page (历史) of a price and of a product. It lists mass changes and links to the
batch or to the price move.
"""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from django.db.models import Model
from django.test import Client

from apps.catalog.enums import ProductStatus
from apps.catalog.services.products import products_set_status
from apps.catalog.services.stock import StockCount, stock_count_record
from apps.catalog.tests.factories import PriceListItemFactory, ProductFactory
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office
from apps.pricing.enums import PriceRuleKind
from apps.pricing.models import PriceBatch, PriceListItem, PriceMove
from apps.pricing.selectors.price_plan import PriceChoice, PriceRule, get_price_plan
from apps.pricing.services.price_moves import PriceChange, price_moves_record
from apps.pricing.services.prices import price_batch_apply, price_batch_undo


@pytest.fixture
def item(platform: None) -> PriceListItem:
    """A list price of 8 元 for a product with a market price of 10 元."""
    item: PriceListItem = PriceListItemFactory(
        product=ProductFactory(code="110001"), price=Decimal("8.00")
    )
    return item


@pytest.fixture
def person(item: PriceListItem) -> Account:
    return create_staff("商品")


@pytest.fixture
def desk(person: Account) -> Client:
    return open_office(person)


def batch_of(person: Account, item: PriceListItem) -> PriceBatch:
    choice, rule = (
        PriceChoice(item.price_list),
        PriceRule(PriceRuleKind.PERCENT, Decimal(5), Decimal("0.01")),
    )
    return price_batch_apply(
        actor=person,
        choice=choice,
        rule=rule,
        digest=get_price_plan(choice=choice, rule=rule).digest,
    )


def list_history(client: Client, row: Model) -> list[tuple[str, str]]:
    """Return the entries of the history page that do not come from its own form: (text, link)."""
    page = client.get(
        f"/admin/{row._meta.label_lower.replace('.', '/')}/{row.pk}/history/"
    ).content.decode()
    short = r'<td class="is-short">'
    rows = re.findall(
        rf"<tr>{short}[^<]+</td><td>(.*?)</td>{short}.*?</td>{short}(.*?)</td></tr>", page
    )
    return [(what, "".join(re.findall(r'href="([^"]+)"', link))) for what, link in rows]


def test_a_mass_change_and_its_undoing_lead_to_the_batch(
    desk: Client, person: Account, item: PriceListItem
) -> None:
    batch = batch_of(person, item)
    price_batch_undo(actor=person, batch_id=batch.pk)
    page = f"/admin/pricing/pricebatch/{batch.pk}/change/"

    assert list_history(desk, item) == [
        (f"撤销批量调价（批次 {batch.pk}）：¥8.40 → ¥8.00", page),
        (f"批量调价（批次 {batch.pk}，现价 +5%）：¥8.00 → ¥8.40", page),
    ]


def test_imported_price_appears_in_the_history_through_its_price_move(
    desk: Client, item: PriceListItem
) -> None:
    price_moves_record([PriceChange(item.pk, item.product_id, Decimal("8.00"), Decimal("9.00"))])
    move = PriceMove.objects.get()

    assert list_history(desk, item) == [
        ("协议价变动：¥8.00 → ¥9.00", f"/admin/pricing/pricemove/{move.pk}/change/")
    ]


def test_product_history_shows_price_stock_and_status_changes(
    desk: Client, person: Account, item: PriceListItem
) -> None:
    product = item.product
    price_moves_record([PriceChange(None, product.pk, Decimal("10.00"), Decimal("12.00"))])
    stock_count_record([StockCount(product.pk, 5, 8)])
    products_set_status(actor=person, product_ids=[product.pk], status=ProductStatus.OFF_SALE)
    move, stock = (
        PriceMove.objects.get(),
        f"/admin/catalog/stockmovement/?product__id__exact={product.pk}",
    )

    assert list_history(desk, product) == [
        ("状态：在售 → 下架", ""),
        ("库存盘点 +3（导入）", stock),
        ("市场价变动：¥10.00 → ¥12.00", f"/admin/pricing/pricemove/{move.pk}/change/"),
        ("库存盘点 +100（期初）", stock),
    ]


def test_empty_history_page_links_to_the_other_logs(
    desk: Client, staff: Account, item: PriceListItem
) -> None:
    pages = [
        client.get(f"/admin/pricing/pricelistitem/{item.pk}/history/").content.decode()
        for client in (desk, open_office(staff))
    ]
    log = f"/admin/auditlog/logentry/?kind=pricing.pricelistitem&amp;object_pk__exact={item.pk}"

    assert "没有在本页保存过。导入、批量操作和系统任务的修改不记在这里。" in pages[0]
    assert f"/admin/pricing/pricemove/?product__id__exact={item.product_id}" in pages[0]
    assert [log in page for page in pages] == [False, True]


def test_history_link_filters_the_log_by_its_row(item: PriceListItem, person: Account) -> None:
    other = ProductFactory()
    products_set_status(
        actor=person, product_ids=[item.product_id, other.pk], status=ProductStatus.OFF_SALE
    )
    system = open_office(create_staff("系统"))
    query = {"kind": "catalog.product", "object_pk__exact": str(other.pk), "action": "1"}

    rows = system.get("/admin/auditlog/logentry/", query).context["cl"].result_list
    assert [row.object_pk for row in rows] == [str(other.pk)]
