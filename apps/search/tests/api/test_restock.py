"""Substitutes by the rules of their category, and 到货提醒: told once when stock is back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.catalog.models import Product
from apps.catalog.services.stock import stock_receive
from apps.catalog.tests.factories import BrandFactory, ProductFactory, create_category_path
from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient, assert_queries
from apps.finders.models import ExpectedArrival, SubstituteRule
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory
from apps.search.models import RestockReminder
from apps.search.services.restock import TOPIC, restock_reminders_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def buyer(platform: None) -> Account:
    account: Account = AccountFactory()
    return account


@pytest.fixture
def pens(platform: None) -> dict[str, Product]:
    """A pen without stock, and others: same, other colour, other nib, other pack."""
    category, brand = create_category_path("办公", "书写", "中性笔"), BrandFactory(name="墨岚")

    def pen(nib: str, colour: str, pack: str, **values: Any) -> Product:
        product: Product = ProductFactory(
            category=category,
            brand=values.pop("brand", brand),
            pack=pack,
            attributes={"线幅": nib, "颜色": colour},
            **values,
        )
        return product

    rows = {
        "own": pen("0.5mm", "黑色", "12支/盒", stock=0),
        "same": pen("0.5mm", "黑色", "36支/盒", brand=BrandFactory(name="卓砚"), stock=5),
        "colour": pen("0.5mm", "蓝色", "12支/盒"),
        "nib": pen("0.38mm", "黑色", "12支/盒"),
    }
    for attribute, match in (("线幅", "must"), ("颜色", "must"), ("包装规格", "may")):
        SubstituteRule.objects.create(category=category, attribute=attribute, match=match)
    return rows


def list_substitutes(body: dict[str, Any]) -> list[str]:
    return [row["ProductCode"] for row in body["Substitutes"]]


def test_substitute_matches_required_attributes_and_lists_its_differences(
    pens: dict[str, Product],
) -> None:
    body = ApiClient().get(f"/api/Product/{pens['own'].code}").body

    assert list_substitutes(body) == [pens["same"].code]
    assert body["Substitutes"][0]["Differences"] == [
        {"Name": "包装规格", "Value": "36支/盒", "Own": "12支/盒"},
        {"Name": "品牌", "Value": "卓砚", "Own": "墨岚"},
    ]


def test_rules_of_the_nearest_category_count_and_without_rules_the_category_is_enough(
    pens: dict[str, Product],
) -> None:
    own = pens["own"]
    SubstituteRule.objects.update(category=own.l1)
    assert list_substitutes(ApiClient().get(f"/api/Product/{own.code}").body) == [pens["same"].code]
    SubstituteRule.objects.create(category=own.l3, attribute="颜色", match="must")
    assert set(list_substitutes(ApiClient().get(f"/api/Product/{own.code}").body)) == {
        pens["same"].code,
        pens["nib"].code,
    }
    SubstituteRule.objects.all().delete()
    assert len(list_substitutes(ApiClient().get(f"/api/Product/{own.code}").body)) == 3


def test_a_shortage_names_the_arrival_and_substitutes_with_enough_pieces(
    pens: dict[str, Product],
) -> None:
    own, day = pens["own"], timezone.localdate() + timedelta(days=7)
    ExpectedArrival.objects.create(product=own, date=day, quantity=200)
    path = f"/api/Product/{own.code}/Shortage"

    body = ApiClient().get(path, {"Quantity": 5}).body

    assert (body["ArrivesOn"], body["Arriving"], body["IsReminded"]) == (
        day.isoformat(),
        200,
        False,
    )
    assert list_substitutes(body) == [pens["same"].code]
    assert list_substitutes(ApiClient().get(path, {"Quantity": 6}).body) == []
    ExpectedArrival.objects.update(date=timezone.localdate() - timedelta(days=1))
    assert ApiClient().get(path).body["ArrivesOn"] is None


def test_the_shortages_of_many_lines_cost_as_many_queries_as_those_of_one(
    pens: dict[str, Product], buyer: Account
) -> None:
    own, colour, client = pens["own"], pens["colour"], ApiClient(buyer)
    client.post("/api/RestockReminder", {"ProductCode": own.code})
    hidden = ProductFactory(is_public=False)
    SubstituteRule.objects.filter(attribute="颜色").delete()
    items = [f"{own.code}:6", f"{colour.code}:5", f"{hidden.code}:1"]

    with assert_queries(8):
        answer = client.get("/api/Product/Shortages", {"Item": items})

    assert [
        (row["Product"]["ProductCode"], row["IsReminded"], list_substitutes(row))
        for row in answer.body
    ] == [
        (own.code, True, [colour.code]),
        (colour.code, False, [pens["same"].code]),
    ]
    refused = client.get("/api/Product/Shortages", {"Item": [f"{own.code}:0"]})
    assert refused.code == "validation"


def test_a_substitute_in_another_pack_takes_the_place_of_as_many_pieces(
    pens: dict[str, Product],
) -> None:
    """2 盒 of 12 支 are 24 支, of which 23 are too few."""
    own = pens["own"]
    Product.objects.filter(pk=own.pk).update(base_unit="支", contents=12)
    single = Product.objects.filter(pk=pens["same"].pk)
    single.update(base_unit="支", contents=1, step_quantity=5, min_quantity=5, stock=25)
    path = f"/api/Product/{own.code}/Shortage"

    [row] = ApiClient().get(path, {"Quantity": 2}).body["Substitutes"]

    assert (row["ProductCode"], row["Quantity"]) == (pens["same"].code, 25)
    single.update(stock=23)
    assert ApiClient().get(path, {"Quantity": 2}).body["Substitutes"] == []


def test_a_pack_of_thousands_in_a_full_store_is_compared(pens: dict[str, Product]) -> None:
    """999,999 包 of 2,500 张 are more than a whole number of four bytes holds."""
    ids = [pens["own"].pk, pens["same"].pk]
    Product.objects.filter(pk__in=ids).update(base_unit="张", contents=2_500)
    Product.objects.filter(pk=pens["same"].pk).update(stock=999_999)
    path = f"/api/Product/{pens['own'].code}/Shortage"

    [row] = ApiClient().get(path, {"Quantity": 999_999}).body["Substitutes"]

    assert row["Quantity"] == 999_999


@pytest.mark.parametrize(
    ("stock", "step", "wanted"),
    [
        pytest.param(3, 2, 3, id="the legal quantity is not there"),
        pytest.param(20_000_000, 1, 100_000, id="the legal quantity is too high for a line"),
    ],
)
def test_a_substitute_without_a_legal_quantity_for_the_need_is_not_offered(
    pens: dict[str, Product], stock: int, step: int, wanted: int
) -> None:
    Product.objects.filter(pk=pens["own"].pk).update(base_unit="支", contents=12)
    Product.objects.filter(pk=pens["same"].pk).update(
        base_unit="支",
        contents=1 if step == 1 else 12,
        stock=stock,
        min_quantity=step,
        step_quantity=step,
    )
    path = f"/api/Product/{pens['own'].code}/Shortage"

    assert list_substitutes(ApiClient().get(path, {"Quantity": wanted}).body) == []
    assert list_substitutes(ApiClient().get(path, {"Quantity": 1}).body) == [pens["same"].code]


def test_a_substitute_below_its_own_minimum_is_not_offered(pens: dict[str, Product]) -> None:
    Product.objects.filter(pk=pens["same"].pk).update(min_quantity=6, step_quantity=6)

    assert list_substitutes(ApiClient().get(f"/api/Product/{pens['own'].code}/Shortage").body) == []
    assert list_substitutes(ApiClient().get(f"/api/Product/{pens['own'].code}").body) == []


def run() -> int:
    with platform_scope(reason="test"):
        return restock_reminders_run()


def list_messages() -> list[dict[str, Any]]:
    with platform_scope(reason="test"):
        return [row.payload for row in OutboxMessage.objects.filter(topic=TOPIC)]


def add_stock(product: Product, pieces: int) -> None:
    stock_receive(lines={product.pk: pieces}, reference="入库")


def test_restock_reminder_is_sent_once_when_stock_returns(
    pens: dict[str, Product], buyer: Account
) -> None:
    own, client = pens["own"], ApiClient(buyer)
    for _ in range(2):
        assert client.post("/api/RestockReminder", {"ProductCode": own.code}).ok
    assert client.get(f"/api/Product/{own.code}/Shortage").body["IsReminded"] is True
    assert (run(), list_messages()) == (0, [])

    add_stock(own, 3)

    assert [run(), run()] == [1, 0]
    [message] = list_messages()
    assert (message["To"], message["Title"], message["Link"]) == (
        [buyer.pk],
        f"“{own.name}”到货了",
        f"/{own.code}.html",
    )
    [row] = client.get("/api/RestockReminder").body["Items"]
    assert (row["ProductCode"], row["ToldAt"] is None) == (own.code, False)


def test_reminder_is_refused_for_a_product_in_stock_and_not_sent_after_cancellation(
    pens: dict[str, Product], buyer: Account
) -> None:
    own, client = pens["own"], ApiClient(buyer)
    refused = client.post("/api/RestockReminder", {"ProductCode": pens["same"].code})
    assert refused.code == "wrong_state"
    client.post("/api/RestockReminder", {"ProductCode": own.code})
    assert client.delete(f"/api/RestockReminder/{own.code}").ok

    add_stock(own, 3)

    assert (run(), client.get("/api/RestockReminder").body["Items"]) == (0, [])


@pytest.mark.parametrize(
    "change",
    [
        {"status": "off"},
        {"is_public": False},
        {"min_quantity": 5},
    ],
)
def test_restocked_product_that_cannot_be_bought_sends_no_reminder(
    change: dict[str, Any], pens: dict[str, Product], buyer: Account
) -> None:
    own = pens["own"]
    ApiClient(buyer).post("/api/RestockReminder", {"ProductCode": own.code})
    add_stock(own, 3)
    Product.objects.filter(pk=own.pk).update(**change)

    assert run() == 0
    with platform_scope(reason="test"):
        assert RestockReminder.objects.get().told_at is None


def test_a_product_out_of_the_catalogue_takes_no_reminder(
    pens: dict[str, Product], buyer: Account
) -> None:
    hidden = ProductFactory(is_public=False, stock=0)

    assert ApiClient(buyer).post("/api/RestockReminder", {"ProductCode": hidden.code}).status == 404


def list_reminders(client: ApiClient, **query: Any) -> list[tuple[str, bool]]:
    """Return the listed products with whether each was told."""
    rows = client.get("/api/RestockReminder", query).body["Items"]
    return [(row["ProductCode"], row["ToldAt"] is not None) for row in rows]


def test_the_list_has_pages_and_tabs_with_the_open_reminders_first(
    pens: dict[str, Product], buyer: Account
) -> None:
    own, client = pens["own"], ApiClient(buyer)
    client.post("/api/RestockReminder", {"ProductCode": own.code})
    RestockReminder.objects.bulk_create(
        RestockReminder(
            group_id=buyer.group_id, account=buyer, product=pens["nib"], told_at=timezone.now()
        )
        for _ in range(10)
    )

    body = client.get("/api/RestockReminder", {"PageSize": 10}).body

    assert [(tab["Code"], tab["Count"]) for tab in body["Tabs"]] == [
        ("", 11),
        ("waiting", 1),
        ("told", 10),
    ]
    assert (body["Total"], body["WaitingCount"], body["MaxCount"]) == (11, 1, 100)
    assert list_reminders(client, PageSize=10) == [
        (own.code, False),
        *[(pens["nib"].code, True)] * 9,
    ]
    assert list_reminders(client, PageSize=10, PageIndex=2) == [(pens["nib"].code, True)]
    assert list_reminders(client, Status="waiting") == [(own.code, False)]


def test_a_reminder_of_a_product_that_left_the_catalogue_is_listed_without_price_and_removed(
    pens: dict[str, Product], buyer: Account
) -> None:
    own, client = pens["own"], ApiClient(buyer)
    client.post("/api/RestockReminder", {"ProductCode": own.code})
    Product.objects.filter(pk=own.pk).update(is_public=False)

    [row] = client.get("/api/RestockReminder").body["Items"]

    assert (row["ProductCode"], row["CustomerPrice"], row["Problem"]["Code"]) == (
        own.code,
        None,
        "not_in_catalogue",
    )
    assert client.delete(f"/api/RestockReminder/{own.code}").ok
    assert list_reminders(client) == []


def test_new_reminder_replaces_a_sent_one_and_a_sent_one_can_be_deleted(
    pens: dict[str, Product], buyer: Account
) -> None:
    own, client = pens["own"], ApiClient(buyer)
    client.post("/api/RestockReminder", {"ProductCode": own.code})
    RestockReminder.objects.update(told_at=timezone.now())

    client.post("/api/RestockReminder", {"ProductCode": own.code})
    assert list_reminders(client) == [(own.code, False)]

    RestockReminder.objects.update(told_at=timezone.now())
    client.delete(f"/api/RestockReminder/{own.code}")
    assert list_reminders(client) == []
