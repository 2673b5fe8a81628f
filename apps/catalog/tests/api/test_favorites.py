"""POST /api/Favorite/Add, GET /api/Favorite, DELETE /api/Favorite/{TargetId}."""

from __future__ import annotations

from typing import Any

import pytest

from apps.catalog.models import Favorite, Product
from apps.catalog.services import favorites
from apps.catalog.tests.factories import ProductFactory
from apps.common.testing import ApiClient, assert_queries
from apps.org.models import Account


@pytest.fixture
def pen(db: None) -> Product:
    product: Product = ProductFactory(code="110001")
    return product


def kept(client: ApiClient, kind: int = 1) -> list[str]:
    return [row["TargetId"] for row in client.get("/api/Favorite", {"Type": str(kind)}).body["Items"]]


@pytest.mark.parametrize(("kind", "message"), [(1, "添加收藏成功"), (2, "")])
def test_a_favourite_is_announced_and_a_browse_record_is_silent(pen: Product, buyer: Account, kind: int, message: str) -> None:
    client = ApiClient(buyer)

    assert client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": kind}).message == message
    assert (kept(client, kind), kept(client, 3 - kind)) == (["110001"], [])


def test_keeping_it_twice_moves_it_to_the_top(pen: Product, buyer: Account) -> None:
    ProductFactory(code="110002")
    client = ApiClient(buyer)
    for code in ("110001", "110002", "110001"):
        client.post("/api/Favorite/Add", {"TargetId": code, "Type": 1})

    assert kept(client) == ["110001", "110002"]


def test_the_detail_knows_that_it_is_kept(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1})

    assert client.get("/api/Product/110001").body["IsFavorite"] is True


def test_what_is_off_sale_stays_with_the_reason(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1})
    Product.objects.update(status="off")

    row = client.get("/api/Favorite").body["Items"][0]

    assert (row["Valid"], row["Problem"]) == (False, {"Code": "off_sale", "Message": "该商品已下架，请更换其他商品"})


def test_what_may_not_be_seen_any_more_stays_without_its_price(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1})
    Product.objects.update(is_public=False)

    row = client.get("/api/Favorite").body["Items"][0]

    assert (row["CustomerPrice"], row["MallPrice"], row["Problem"]["Code"]) == (None, None, "not_in_catalogue")


def test_it_can_be_dropped_once(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1})

    assert [client.delete("/api/Favorite/110001?Type=1").status for _ in range(2)] == [200, 404]
    assert kept(client) == []


def test_a_colleagues_favourite_is_his_own(pen: Product, buyer: Account, approver: Account) -> None:
    ApiClient(approver).post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1})
    client = ApiClient(buyer)

    assert kept(client) == []
    assert client.delete("/api/Favorite/110001").status == 404


def test_what_may_not_be_seen_is_not_kept(pen: Product, buyer: Account) -> None:
    Product.objects.update(is_public=False)

    assert ApiClient(buyer).post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1}).status == 404
    assert not Favorite.objects.exists()


def test_the_oldest_browse_records_go(pen: Product, buyer: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(favorites, "MAX_BROWSED", 1)
    ProductFactory(code="110002")
    client = ApiClient(buyer)
    for code in ("110001", "110002"):
        client.post("/api/Favorite/Add", {"TargetId": code, "Type": 2})

    assert kept(client, 2) == ["110002"]


@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "TargetId"), ({"TargetId": "x1"}, "TargetId"), ({"TargetId": "1", "Type": 3}, "Type"), ({"TargetId": "1", "Note": ""}, "Note")],
)
def test_a_bad_body_is_refused_by_name(buyer: Account, body: dict[str, Any], field: str) -> None:
    assert list(ApiClient(buyer).post("/api/Favorite/Add", body).errors) == [field]


def test_visitors_are_asked_to_sign_in(db: None, api: ApiClient) -> None:
    assert (api.get("/api/Favorite").status, api.post("/api/Favorite/Add", {}).status) == (401, 401)


def test_a_page_costs_five_queries(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post("/api/Favorite/Add", {"TargetId": "110001", "Type": 1})

    with assert_queries(5):
        kept(client)
