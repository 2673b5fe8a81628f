"""Prices typed in the back office and imported from a sheet above the limit of one person."""

from __future__ import annotations

import re
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from auditlog.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.catalog.models import Product
from apps.catalog.services.imports import SheetFile
from apps.catalog.services.imports.run import import_hold, list_cancellable_imports
from apps.catalog.tests.factories import PriceListFactory, PriceListItemFactory, ProductFactory
from apps.common.background.delivery import outbox_deliver
from apps.common.errors import Stale
from apps.common.models import ImportRun
from apps.common.models.import_run import ImportState
from apps.common.services.import_run import import_run_cancel
from apps.common.tenancy import no_scope, platform_scope
from apps.common.testing.faults import at_statement
from apps.dual_control.models import ActLimit, Proposal
from apps.dual_control.services.proposals import act_submit, proposal_release
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office
from apps.pricing.errors import PriceRowGone, PriceRowMoved
from apps.pricing.models import PriceListItem, PriceMove
from apps.pricing.models.tiers import PriceTier, get_tiers
from apps.pricing.selectors.price_changes import PriceRow, get_changed_today
from apps.pricing.services.controlled_acts import SET_PRICES, build_price_rows_parameters
from apps.pricing.services.price_sheet import held_sheet_submit

ITEMS = "/admin/pricing/pricelistitem/"
CHUNK_READ = 'SELECT "common_importchunk"'


@pytest.fixture
def item(db: None) -> PriceListItem:
    """A price of 8.00 元."""
    price_list = PriceListFactory(code="PL")
    return PriceListItemFactory(price_list=price_list, product=ProductFactory(), price=Decimal(8))


@pytest.fixture
def limits(db: None) -> None:
    """商品 changes prices by 2.00 元 a day alone."""
    with platform_scope(reason="test"):
        for kind in (
            "pricing.set_prices",
            "pricing.import_prices",
            "pricing.delete_prices",
            "pricing.set_market_price",
            "pricing.change_prices",
        ):
            ActLimit.objects.update_or_create(
                kind=kind, job="商品", defaults={"alone": Decimal(2), "release": None}
            )


def get_type_price(person: Account, item: PriceListItem, price: str, **tiers: str) -> str:
    """Type a price, and tiers, on the page of the item, and return the next page."""
    form = {
        "price_list": item.price_list_id,
        "product": item.product_id,
        "price": price,
        "customer_name": "",
        "customer_code": "",
        **tiers,
    }
    with no_scope():
        answer = open_office(person).post(f"{ITEMS}{item.pk}/change/", form, follow=True)
    return answer.content.decode()


def get_price_now() -> str:
    return str(PriceListItem.objects.get().price)


def test_small_changes_of_a_day_together_need_a_second_person(
    item: PriceListItem, limits: None
) -> None:
    first, second = create_staff("商品"), create_staff("商品")
    get_type_price(first, item, "7.00")
    get_type_price(first, item, "6.00")
    page = get_type_price(first, item, "5.99")

    assert "金额 ¥2.01（含此前单人变动 ¥2.00）超过您的单人上限，已提交复核、尚未生效" in page
    assert "成功修改" not in page
    assert get_price_now() == "6.00"

    with platform_scope(reason="test"):
        proposal_release(actor=second, proposal_id=Proposal.objects.get().pk)
        # What two people did is no change that the person made alone.
        assert get_changed_today(person=first) == Decimal(2)
    assert get_price_now() == "5.99"
    entry = LogEntry.objects.get_for_object(item).latest("id")
    assert entry.actor_id == first.pk
    assert entry.changes_dict["price"] == ["6.00", "5.99"]
    assert entry.changes_dict["released_by"] == ["", str(second)]


def test_second_proposal_for_a_price_is_refused_in_the_form(
    item: PriceListItem, limits: None
) -> None:
    person = create_staff("商品")
    get_type_price(person, item, "1.00")
    page = get_type_price(person, item, "0.50")
    assert "“设置协议价”正在等待复核" in page
    assert 'value="0.50"' in page


def test_a_new_price_is_compared_with_the_market_price(limits: None) -> None:
    price_list, product = PriceListFactory(code="PL"), ProductFactory(market_price=Decimal(10))
    form = {"price_list": price_list.pk, "product": product.pk, "price": "7.99"}
    with no_scope():
        office = open_office(create_staff("商品"))
        page = office.post(f"{ITEMS}add/", form, follow=True).content.decode()
    assert "金额 ¥2.01 超过您的单人上限" in page
    assert not PriceListItem.objects.exists()


def test_rows_of_a_price_list_count_together(item: PriceListItem, limits: None) -> None:
    other = PriceListItemFactory(
        price_list=item.price_list, product=ProductFactory(), price=Decimal(8)
    )
    path = f"/admin/pricing/pricelist/{item.price_list_id}/change/"
    with no_scope():
        office = open_office(create_staff("商品"))
        formsets: Any = office.get(path).context["inline_admin_formsets"]
        sent = {"code": "PL", "name": "新名称", "kind": item.price_list.kind}
        for formset in formsets:
            for field in formset.formset.management_form:
                sent[field.html_name] = field.value()
            for row in formset.formset.initial_forms:
                values = {field.html_name: field.value() or "" for field in row}
                sent |= {**values, f"{row.prefix}-price": "6.50"}
        page = office.post(path, sent, follow=True).content.decode()
    assert "2 个价目：金额 ¥3.00 超过您的单人上限" in page
    item.price_list.refresh_from_db()
    assert item.price_list.name == "新名称"
    assert {row.price for row in PriceListItem.objects.filter(pk__in=[item.pk, other.pk])} == {
        Decimal(8)
    }


def test_a_sheet_above_the_limit_waits_and_is_written_once(
    item: PriceListItem, limits: None
) -> None:
    first, second = create_staff("商品"), create_staff("商品")
    sheet = SimpleUploadedFile(
        "价目.csv", f"编码,商品编码,协议价\nPL,{item.product.code},5.99\n".encode()
    )
    path = f"{ITEMS}import/"
    with no_scope():
        office = open_office(first)
        page = office.post(path, {"kind": "price_items", "file": sheet}).content.decode()
        token = re.search(r'name="token" value="([^"]+)"', page)
        assert token is not None
        sent = {"kind": "price_items", "token": token.group(1)}
        assert "金额 ¥2.01 超过您的单人上限" in office.post(path, sent).content.decode()
        assert "这份表格已提交复核、尚未生效" in office.post(path, sent).content.decode()
    assert (get_price_now(), ImportRun.objects.get().state) == ("8.00", "held")

    with platform_scope(reason="test"):
        proposal_release(actor=second, proposal_id=Proposal.objects.get().pk)
        outbox_deliver()
    assert (get_price_now(), ImportRun.objects.get().state) == ("5.99", "done")
    with no_scope():
        assert "导入完成" in office.post(path, sent).content.decode()


def import_price(person: Account, item: PriceListItem, price: str) -> str:
    """Upload a sheet with this price, confirm it, and return the next page."""
    content = f"编码,商品编码,协议价\nPL,{item.product.code},{price}\n".encode()
    path = f"{ITEMS}import/"
    with no_scope():
        office = open_office(person)
        sent: dict[str, Any] = {
            "kind": "price_items",
            "file": SimpleUploadedFile("价目.csv", content),
        }
        token = re.search(r'name="token" value="([^"]+)"', office.post(path, sent).content.decode())
        assert token is not None
        page = office.post(path, {"kind": "price_items", "token": token.group(1)})
    with platform_scope(reason="test"):
        outbox_deliver()
    return page.content.decode()


def lower_by_batch(person: Account, item: PriceListItem, amount: str) -> str:
    """Lower the prices of the item's list by a batch, and return the next page."""
    path = "/admin/pricing/pricebatch/new/"
    form = {
        "price_list": str(item.price_list_id),
        "kind": "amount",
        "figure": f"-{amount}",
        "step": "0.01",
    }
    with no_scope():
        office = open_office(person)
        page = office.post(path, {**form, "preview": "1"}).content.decode()
        digest = re.search(r'name="digest" value="(\w+)"', page)
        assert digest is not None
        sent = {**form, "confirm": "1", "digest": digest[1]}
        return office.post(path, sent, follow=True).content.decode()


def test_a_sheet_after_a_batch_counts_together_with_it(item: PriceListItem, limits: None) -> None:
    person = create_staff("商品")

    lower_by_batch(person, item, "1.50")
    page = import_price(person, item, "5.99")

    assert "金额 ¥2.01（含此前单人变动 ¥1.50）超过您的单人上限" in page
    assert get_price_now() == "6.50"
    assert Proposal.objects.get().amount == Decimal("2.01")
    with platform_scope(reason="test"):
        assert get_changed_today(person=person) == Decimal("1.50")


def test_a_batch_after_a_sheet_and_a_typed_price_counts_together_with_them(
    item: PriceListItem, limits: None
) -> None:
    person = create_staff("商品")

    import_price(person, item, "7.00")
    get_type_price(person, item, "6.50")
    page = lower_by_batch(person, item, "0.51")

    assert "金额 ¥2.01（含此前单人变动 ¥1.50）超过您的单人上限" in page
    assert get_price_now() == "6.50"


def test_a_cancelled_sheet_counts_if_its_prices_stay(item: PriceListItem, limits: None) -> None:
    """He changes each written price by 0.01 元 and cancels the sheet: it restores no price that was
    changed since.
    """
    person = create_staff("商品")
    others = PriceListItemFactory.create_batch(100, price_list=item.price_list, price=Decimal(8))
    lines = "".join(f"PL,{row.product.code},8.00,甲\n" for row in others)
    content = f"编码,商品编码,协议价,客户品名\nPL,{item.product.code},6.10,\n{lines}".encode()
    source = SheetFile(lambda: BytesIO(content))
    run = import_hold(actor=person, kind="price_items", source=source, upload="a.csv")
    assert isinstance(run, ImportRun)

    def touch_and_cancel() -> None:
        get_type_price(person, item, "6.09")
        import_run_cancel(
            runs=list_cancellable_imports(staff=person, kind="price_items"), run_id=run.pk
        )

    with platform_scope(reason="test"), at_statement(CHUNK_READ, 2, touch_and_cancel):
        held_sheet_submit(actor=person, run=run)
        outbox_deliver()

    item.refresh_from_db()
    run.refresh_from_db()
    assert (item.price, run.state, run.report["rows_left"]) == (
        Decimal("6.09"),
        ImportState.TAKEN_BACK,
        1,
    )
    with platform_scope(reason="test"):
        assert get_changed_today(person=person) == Decimal("1.91")


def test_a_released_sheet_replaces_no_later_price(item: PriceListItem, limits: None) -> None:
    """A colleague changes the price after the release, before the background job writes it."""
    first, second = create_staff("商品"), create_staff("商品")
    sheet = SimpleUploadedFile(
        "价目.csv", f"编码,商品编码,协议价\nPL,{item.product.code},5.99\n".encode()
    )
    path = f"{ITEMS}import/"
    with no_scope():
        office = open_office(first)
        page = office.post(path, {"kind": "price_items", "file": sheet}).content.decode()
        token = re.search(r'name="token" value="([^"]+)"', page)
        assert token is not None
        office.post(path, {"kind": "price_items", "token": token.group(1)})
    with platform_scope(reason="test"):
        proposal_release(actor=second, proposal_id=Proposal.objects.get().pk)
        PriceListItem.objects.update(price=Decimal("7.50"))
        outbox_deliver()

    assert get_price_now() == "7.50"
    run = ImportRun.objects.get()
    assert run.state == "taken_back"
    assert run.report["refusals"] == [[2, "", "核对之后有人改过该行的价格，请重新上传核对"]]


def test_price_row_cannot_move_to_another_product(item: PriceListItem, limits: None) -> None:
    """The same price would be no change, and far below the market price of the other product. The
    page does not offer it, and the act refuses it.
    """
    person, old = create_staff("商品"), item.product_id
    with no_scope():
        page = open_office(person).get(f"{ITEMS}{item.pk}/change/")
        rows = open_office(person).get(f"/admin/pricing/pricelist/{item.price_list_id}/change/")
    assert not {"price_list", "product"} & set(page.context["adminform"].form.fields)
    stored = rows.context["inline_admin_formsets"][0].formset.forms[0]
    assert stored.fields["product"].disabled

    item.product = ProductFactory(market_price=Decimal(9_000))
    get_type_price(person, item, "8.00")
    assert PriceListItem.objects.get().product_id == old
    row = PriceRow.from_item(item)
    with platform_scope(reason="test"), pytest.raises(PriceRowMoved):
        act_submit(
            actor=person,
            kind=SET_PRICES,
            parameters=build_price_rows_parameters(rows=[row], earlier=Decimal(0)),
        )


def test_a_release_undoes_no_later_change_of_a_name(item: PriceListItem, limits: None) -> None:
    get_type_price(create_staff("商品"), item, "1.00")
    PriceListItem.objects.update(customer_name="黑笔")
    with platform_scope(reason="test"), pytest.raises(Stale, match="其他变动由 无 变为 1 个"):
        proposal_release(actor=create_staff("商品"), proposal_id=Proposal.objects.get().pk)


def test_a_price_of_a_deleted_list_is_not_released(item: PriceListItem, limits: None) -> None:
    get_type_price(create_staff("商品"), item, "1.00")
    with platform_scope(reason="test"):
        item.price_list.delete()
        with pytest.raises(PriceRowGone):
            proposal_release(actor=create_staff("商品"), proposal_id=Proposal.objects.get().pk)


def test_a_deleted_price_above_the_limit_waits(item: PriceListItem, limits: None) -> None:
    """Without the price of 8.00 元 customers pay 10.01 元."""
    Product.objects.update(market_price=Decimal("10.01"))
    first, second = create_staff("商品"), create_staff("商品")
    with no_scope():
        page = open_office(first).post(f"{ITEMS}{item.pk}/delete/", {"post": "yes"}, follow=True)
    text = page.content.decode()
    assert "删除 1 个价目：金额 ¥2.01 超过您的单人上限，已提交复核、尚未生效" in text
    assert "成功删除" not in text
    assert get_price_now() == "8.00"

    with platform_scope(reason="test"):
        proposal_release(actor=second, proposal_id=Proposal.objects.get().pk)
    assert not PriceListItem.objects.exists()
    entry = LogEntry.objects.filter(action=LogEntry.Action.DELETE).get()
    assert (entry.actor_id, entry.changes["price"]) == (first.pk, ["8.00", ""])


def test_the_tiers_of_a_deleted_price_count(item: PriceListItem, limits: None) -> None:
    """The market price is the price of one; from 2 pieces customers paid 2.01 元 less."""
    Product.objects.update(market_price=Decimal(8))
    PriceListItem.objects.update(tier1_quantity=2, tier1_price=Decimal("5.99"))
    with no_scope():
        page = open_office(create_staff("商品")).post(
            f"{ITEMS}{item.pk}/delete/", {"post": "yes"}, follow=True
        )
    assert "金额 ¥2.01 超过您的单人上限" in page.content.decode()
    assert PriceListItem.objects.exists()


def test_deleted_rows_of_a_list_count_with_the_next_change(
    item: PriceListItem, limits: None
) -> None:
    other = PriceListItemFactory(
        price_list=item.price_list, product=ProductFactory(), price=Decimal(9)
    )
    person = create_staff("商品")
    with no_scope():
        open_office(person).post(
            ITEMS,
            {"action": "delete_selected", "_selected_action": [item.pk], "post": "yes"},
            follow=True,
        )
    assert list(PriceListItem.objects.all()) == [other]
    with platform_scope(reason="test"):
        assert get_changed_today(person=person) == Decimal(2)
    page = get_type_price(person, other, "8.99")
    assert "金额 ¥2.01（含此前单人变动 ¥2.00）超过您的单人上限" in page


def test_price_change_counts_after_the_deletion_of_its_row(
    item: PriceListItem, limits: None
) -> None:
    """The tier alone has changed, by 2.00 元 at 10 pieces. The deletion by two people is no change
    that the person made alone.
    """
    first, second = create_staff("商品"), create_staff("商品")
    PriceListItem.objects.update(tier1_quantity=10, tier1_price=Decimal("7.50"))
    get_type_price(first, item, "8.00", tier1_quantity="10", tier1_price="5.50")
    with no_scope():
        open_office(first).post(f"{ITEMS}{item.pk}/delete/", {"post": "yes"}, follow=True)
    with platform_scope(reason="test"):
        proposal_release(actor=second, proposal_id=Proposal.objects.get().pk)
        assert not PriceListItem.objects.exists()
        assert get_changed_today(person=first) == Decimal(2)


def open_product_page(person: Account, product: Product, **form_fields: object) -> str:
    """Change fields on the page of the product, and return the next page."""
    path = f"/admin/catalog/product/{product.pk}/change/"
    with no_scope():
        office = open_office(person)
        page = office.get(path)
        sent = {
            name: page.context["adminform"].form[name].value()
            for name in page.context["adminform"].form.fields
            if name not in ("upload", "attributes")
        }
        for formset in page.context["inline_admin_formsets"]:
            form = formset.formset.management_form
            sent |= {field.html_name: field.value() for field in form}
        sent = {name: "" if value is None else value for name, value in sent.items()}
        sent |= {"initial-stock": product.stock, "attributes": "{}", **form_fields}
        return office.post(path, sent, follow=True).content.decode()


def test_a_market_price_above_the_limit_waits_and_the_rest_is_saved(limits: None) -> None:
    product = ProductFactory(market_price=Decimal(10))
    first, second = create_staff("商品"), create_staff("商品")
    page = open_product_page(first, product, market_price="12.01", name="新名称")
    assert "市场价 ¥12.01：金额 ¥2.01 超过您的单人上限，已提交复核、尚未生效" in page
    stored = Product.objects.get()
    assert (stored.name, stored.market_price) == ("新名称", Decimal(10))

    with platform_scope(reason="test"):
        proposal_release(actor=second, proposal_id=Proposal.objects.get().pk)
        assert get_changed_today(person=first) == Decimal(0)
    assert Product.objects.get().market_price == Decimal("12.01")
    assert PriceMove.objects.get().after == Decimal("12.01")


def test_market_prices_of_a_day_count_together(limits: None) -> None:
    product = ProductFactory(market_price=Decimal(10))
    person = create_staff("商品")
    assert "成功修改" in open_product_page(person, product, market_price="12.00")
    assert Product.objects.get().market_price == Decimal(12)
    product.refresh_from_db()
    page = open_product_page(person, product, market_price="11.99")
    assert "金额 ¥2.01（含此前单人变动 ¥2.00）超过您的单人上限" in page
    assert Product.objects.get().market_price == Decimal(12)


def import_product_sheet(person: Account, product: Product, price: str) -> str:
    """Upload and confirm a sheet with a name and a market price, and return the next page."""
    sheet = SimpleUploadedFile(
        "商品.csv", f"商品编码,名称,市场价\n{product.code},新名称,{price}\n".encode()
    )
    path = "/admin/catalog/product/import/"
    with no_scope():
        office = open_office(person)
        page = office.post(path, {"kind": "products", "file": sheet}).content.decode()
        token = re.search(r'name="token" value="([^"]+)"', page)
        assert token is not None
        answer = office.post(path, {"kind": "products", "token": token.group(1)}, follow=True)
        return str(answer.content.decode())


def test_low_market_price_in_a_sheet_waits_for_a_second_person(limits: None) -> None:
    """0.60 元 less is within the limit of 2.00 元, and two thirds of the price."""
    product = ProductFactory(market_price=Decimal("0.90"))

    page = import_product_sheet(create_staff("商品"), product, "0.30")

    assert "有价格低于现价七成或市场价五成，须两人完成" in page
    assert Product.objects.get().market_price == Decimal("0.90")


def test_a_series_of_lower_market_prices_ends_at_half(limits: None) -> None:
    """1.00 → 0.71 → 0.51 → 0.37, each above 70 % of the present price and together 0.63 元."""
    product, person = ProductFactory(market_price=Decimal("1.00")), create_staff("商品")
    for price in ("0.71", "0.51"):
        product.refresh_from_db()
        assert "成功修改" in open_product_page(person, product, market_price=price)

    product.refresh_from_db()
    low = "有价格低于现价七成或市场价五成，须两人完成"
    assert low in open_product_page(person, product, market_price="0.37")
    assert low in import_product_sheet(person, product, "0.37")
    assert Product.objects.get().market_price == Decimal("0.51")


def test_a_sheet_of_products_is_judged_by_its_market_prices(limits: None) -> None:
    product = ProductFactory(market_price=Decimal(10))
    first, second = create_staff("商品"), create_staff("商品")
    page = import_product_sheet(first, product, "12.01")
    assert "金额 ¥2.01 超过您的单人上限" in page
    proposal = Proposal.objects.get()
    assert ["部分变动", f"{product.code} 10.00 → 12.01"] in proposal.facts

    with platform_scope(reason="test"):
        proposal_release(actor=second, proposal_id=proposal.pk)
        outbox_deliver()
    stored = Product.objects.get()
    assert (stored.name, stored.market_price) == ("新名称", Decimal("12.01"))


def test_a_tier_counts_as_a_price(item: PriceListItem, limits: None) -> None:
    """From 10 pieces 1.00 元 less and from 50 pieces 1.01 元 less: 2.01 元."""
    first, second = create_staff("商品"), create_staff("商品")
    tiers = {
        "tier1_quantity": "10",
        "tier1_price": "7.00",
        "tier2_quantity": "50",
        "tier2_price": "6.99",
    }
    page = get_type_price(first, item, "8.00", **tiers)
    assert "金额 ¥2.01 超过您的单人上限，已提交复核、尚未生效" in page
    assert not get_tiers(PriceListItem.objects.get())

    with platform_scope(reason="test"):
        proposal_release(actor=second, proposal_id=Proposal.objects.get().pk)
    assert get_tiers(PriceListItem.objects.get()) == (
        PriceTier(10, Decimal("7.00")),
        PriceTier(50, Decimal("6.99")),
    )
    changes = LogEntry.objects.get_for_object(item).latest("id").changes_dict
    assert changes["tier2_price"] == ["None", "6.99"]
    assert "price" not in changes


def test_tiers_of_a_day_count_together(item: PriceListItem, limits: None) -> None:
    person = create_staff("商品")
    get_type_price(person, item, "8.00", tier1_quantity="10", tier1_price="6.50")
    with platform_scope(reason="test"):
        assert get_changed_today(person=person) == Decimal("1.50")
    page = get_type_price(person, item, "8.00", tier1_quantity="10", tier1_price="5.99")
    assert "金额 ¥2.01（含此前单人变动 ¥1.50）超过您的单人上限" in page


def test_a_wrong_tier_is_refused_at_its_field(item: PriceListItem, limits: None) -> None:
    page = get_type_price(
        create_staff("商品"), item, "8.00", tier1_quantity="10", tier1_price="8.01"
    )
    assert "阶梯1单价须大于 0，且不高于协议价 ¥8.00" in page
    assert not get_tiers(PriceListItem.objects.get())


def test_the_tiers_of_a_sheet_count_as_prices(item: PriceListItem, limits: None) -> None:
    sheet = SimpleUploadedFile(
        "价目.csv",
        f"编码,商品编码,协议价,阶梯1数量,阶梯1单价\nPL,{item.product.code},8.00,10,5.99\n".encode(),
    )
    path = f"{ITEMS}import/"
    with no_scope():
        office = open_office(create_staff("商品"))
        page = office.post(path, {"kind": "price_items", "file": sheet}).content.decode()
        token = re.search(r'name="token" value="([^"]+)"', page)
        assert token is not None
        sent = {"kind": "price_items", "token": token.group(1)}
        assert "金额 ¥2.01 超过您的单人上限" in office.post(path, sent).content.decode()
    facts, key = dict(Proposal.objects.get().facts), f"PL:{item.product.code}"
    assert facts["部分变动"] == f"{key} 阶梯1数量 （空） → 10；{key} 阶梯1单价 （空） → 5.99"
