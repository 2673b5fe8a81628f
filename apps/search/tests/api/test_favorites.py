"""POST /api/Favorite/Add, GET /api/Favorite, DELETE /api/Favorite/{TargetId}."""

from __future__ import annotations

from typing import Any

import pytest

from apps.catalog.models import Product
from apps.catalog.tests.factories import BrandFactory, ProductFactory, create_category_path
from apps.common.testing import ApiClient, assert_queries
from apps.org.models import Account
from apps.pricing.models import OwnName
from apps.search.enums import FavoriteType
from apps.search.models import Favorite
from apps.search.services import favorites


@pytest.fixture
def pen(db: None) -> Product:
    product: Product = ProductFactory(code="110001")
    return product


def list_favorite_ids(client: ApiClient, kind: int = 1) -> list[str]:
    return [
        row["TargetId"] for row in client.get("/api/Favorite", {"Type": str(kind)}).body["Items"]
    ]


@pytest.mark.parametrize(("kind", "message"), [(1, "添加收藏成功"), (2, "")])
def test_a_favourite_is_announced_and_a_browse_record_is_silent(
    pen: Product, buyer: Account, kind: int, message: str
) -> None:
    client = ApiClient(buyer)

    assert client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": kind}).message == message
    assert (list_favorite_ids(client, kind), list_favorite_ids(client, 3 - kind)) == (
        ["110001"],
        [],
    )


def test_keeping_it_twice_moves_it_to_the_top(pen: Product, buyer: Account) -> None:
    ProductFactory(code="110002")
    client = ApiClient(buyer)
    for code in ("110001", "110002", "110001"):
        client.post("/api/Favorite/Add", {"TargetId": code, "Type": 1})

    assert list_favorite_ids(client) == ["110001", "110002"]


def test_the_detail_knows_that_it_is_kept(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1})

    assert client.get("/api/Product/110001").body["IsFavorite"] is True


def test_off_sale_favorite_stays_with_its_problem(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1})
    Product.objects.update(status="off")

    row = client.get("/api/Favorite").body["Items"][0]

    assert (row["Valid"], row["Problem"]) == (
        False,
        {"Code": "off_sale", "Message": "该商品已下架，请更换其他商品"},
    )


def test_invisible_favorite_stays_without_its_price(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1})
    Product.objects.update(is_public=False)

    row = client.get("/api/Favorite").body["Items"][0]

    assert (row["CustomerPrice"], row["MallPrice"], row["Problem"]["Code"]) == (
        None,
        None,
        "not_in_catalogue",
    )


def test_favourite_can_be_removed_once(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1})

    assert [client.delete("/api/Favorite/110001?Type=1").status for _ in range(2)] == [200, 404]
    assert list_favorite_ids(client) == []


def test_a_colleagues_favourite_is_his_own(pen: Product, buyer: Account, approver: Account) -> None:
    ApiClient(approver).post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1})
    client = ApiClient(buyer)

    assert list_favorite_ids(client) == []
    assert client.delete("/api/Favorite/110001").status == 404


def test_invisible_product_cannot_become_a_favorite(pen: Product, buyer: Account) -> None:
    Product.objects.update(is_public=False)

    assert (
        ApiClient(buyer).post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1}).status == 404
    )
    assert not Favorite.objects.exists()


def test_the_oldest_browse_records_go(
    pen: Product, buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(favorites, "MAX_BROWSED", 1)
    ProductFactory(code="110002")
    client = ApiClient(buyer)
    for code in ("110001", "110002"):
        client.post("/api/Favorite/Add", {"TargetId": code, "Type": 2})

    assert list_favorite_ids(client, 2) == ["110002"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "TargetId"),
        ({"TargetId": "x1"}, "TargetId"),
        ({"TargetId": "1", "Type": 3}, "Type"),
        ({"TargetId": "1", "Note": ""}, "Note"),
    ],
)
def test_a_bad_body_is_refused_by_name(buyer: Account, body: dict[str, Any], field: str) -> None:
    assert list(ApiClient(buyer).post("/api/Favorite/Add", body).errors) == [field]


def get_page(client: ApiClient, **parameters: str) -> dict[str, Any]:
    body: dict[str, Any] = client.get("/api/Favorite", parameters).body
    return body


def find_favorite_ids(client: ApiClient, **parameters: str) -> list[str]:
    return sorted(row["TargetId"] for row in get_page(client, **parameters)["Items"])


def keep(client: ApiClient, *codes: str, kind: int = 1) -> None:
    for code in codes:
        client.post("/api/Favorite/Add", {"TargetId": code, "Type": kind})


def test_the_price_then_is_kept_and_held_against_todays(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    keep(client, "110001")
    Product.objects.update(market_price="8.50")

    row = get_page(client)["Items"][0]

    assert (row["AddedPrice"], row["CustomerPrice"], row["PriceChange"]) == (
        "10.00",
        "8.50",
        "-1.50",
    )


def test_keeping_it_again_takes_todays_price(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    keep(client, "110001")
    Product.objects.update(market_price="8.50")
    keep(client, "110001")

    assert get_page(client)["Items"][0]["PriceChange"] == "0.00"


def test_the_list_is_narrowed_by_words_category_price_and_stock(
    pen: Product, buyer: Account
) -> None:
    ProductFactory(code="110002", name="硒鼓 CF-228_A", market_price="300.00", stock=0)
    client = ApiClient(buyer)
    keep(client, "110001", "110002")
    Product.objects.filter(code="110002").update(market_price="250.00")

    assert find_favorite_ids(client, Keyword="cf-228_a") == ["110002"]
    assert find_favorite_ids(client, Keyword="%") == []
    assert (
        find_favorite_ids(client, Cid=str(pen.l1_id))
        == find_favorite_ids(client, Cid=str(pen.l3_id))
        == ["110001"]
    )
    assert find_favorite_ids(client, Dropped="1") == ["110002"]
    assert find_favorite_ids(client, InStock="1") == ["110001"]
    assert get_page(client, Keyword="硒鼓")["Total"] == 1


def test_a_name_of_the_customers_own_is_found(pen: Product, buyer: Account) -> None:
    OwnName.objects.create(product=pen, name="前台签字笔", code="WL-7")
    client = ApiClient(buyer)
    keep(client, "110001")

    assert (
        find_favorite_ids(client, Keyword="前台")
        == find_favorite_ids(client, Keyword="wl-7")
        == ["110001"]
    )


def test_favorite_summary_counts_all_favorites_despite_filters(
    pen: Product, buyer: Account
) -> None:
    ProductFactory(code="110002", stock=0)
    client = ApiClient(buyer)
    keep(client, "110001", "110002")
    Product.objects.filter(code="110001").update(market_price="9.99")

    summary = get_page(client, Keyword="没有")["Summary"]

    assert (summary["Total"], summary["Dropped"], summary["InStock"]) == (2, 1, 1)
    assert sum(row["Count"] for row in summary["Categories"]) == 2


def test_full_favorites_refuse_a_new_product_but_accept_a_listed_one(
    pen: Product, buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(favorites, "MAX_FAVORITES", 1)
    ProductFactory(code="110002")
    client = ApiClient(buyer)
    keep(client, "110001")

    assert client.post("/api/Favorite/Add", {"TargetId": "110002", "Type": 1}).code == "too_large"
    assert client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1}).ok
    assert get_page(client)["MaxRows"] == 500


def test_a_hundred_browse_records_are_kept(buyer: Account) -> None:
    codes = [f"12{number:04d}" for number in range(102)]
    category, brand = create_category_path(), BrandFactory()
    for code in codes:
        ProductFactory(code=code, category=category, brand=brand)
        favorites.favorite_add(actor=buyer, code=code, kind=FavoriteType.BROWSE)

    rows = ApiClient(buyer).get("/api/Favorite", {"Type": "2", "PageSize": "1000"}).body

    assert [row["TargetId"] for row in rows["Items"]] == codes[:1:-1]
    assert (rows["Total"], rows["MaxRows"]) == (100, 100)


def test_many_are_dropped_at_once_from_ones_own_list_only(
    pen: Product, buyer: Account, approver: Account
) -> None:
    ProductFactory(code="110002")
    mine, his = ApiClient(buyer), ApiClient(approver)
    for client in (mine, his):
        keep(client, "110001", "110002")

    answer = mine.post(
        "/api/Favorite/Remove", {"TargetIds": ["110001", "110002", "999999"], "Type": 1}
    )

    assert (answer.body, answer.message) == (2, "已移除 2 种商品")
    assert (list_favorite_ids(mine), len(list_favorite_ids(his))) == ([], 2)


def test_clearing_the_browse_record_leaves_the_favourites(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    keep(client, "110001", kind=1)
    keep(client, "110001", kind=2)

    assert client.post("/api/Favorite/Clear", {"Type": 2}).body == 1
    assert (list_favorite_ids(client, 1), list_favorite_ids(client, 2)) == (["110001"], [])


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("Remove", {}, "TargetIds"),
        ("Remove", {"TargetIds": []}, "TargetIds"),
        ("Remove", {"TargetIds": ["1"] * 501}, "TargetIds"),
        ("Clear", {}, "Type"),
    ],
)
def test_a_bad_batch_is_refused_by_name(
    buyer: Account, path: str, body: dict[str, Any], field: str
) -> None:
    assert list(ApiClient(buyer).post(f"/api/Favorite/{path}", body).errors) == [field]


def test_favorites_require_a_login(db: None, api: ApiClient) -> None:
    assert (api.get("/api/Favorite").status, api.post("/api/Favorite/Add", {}).status) == (401, 401)


def test_a_page_costs_five_queries(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1})

    with assert_queries(5):
        list_favorite_ids(client)


def test_a_narrowed_page_costs_six_queries(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    keep(client, "110001")

    with assert_queries(6):
        find_favorite_ids(client, Keyword="商品", InStock="1")
