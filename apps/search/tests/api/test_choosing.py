"""Product comparison, product documents, and the customer's own name and code of a product."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from apps.catalog.models import CatalogChange, Product, ProductDocument
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListItemFactory,
    ProductFactory,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient, assert_queries
from apps.org.models import Account, Group
from apps.pricing.models import OwnName

OWN = "/api/Product/110001/OwnName"


@pytest.fixture
def pen(group: Group) -> Product:
    """A pen with the customer name 集采中性笔 and the customer code MAT-7 in the agreement."""
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    create_customer_agreement(group, agreement)
    product: Product = ProductFactory(
        code="110001", name="卓砚中性笔", attributes={"颜色": "黑色"}, selling_points="顺滑;速干"
    )
    PriceListItemFactory(
        price_list=agreement.price_list,
        product=product,
        customer_name="集采中性笔",
        customer_code="MAT-7",
    )
    return product


def get_words(account: Account | None, code: str = "110001") -> tuple[str, str]:
    body = ApiClient(account).get(f"/api/Product/{code}").body
    return body["CustomerProductName"], body["CustomerCode"]


def set_own_name(account: Account, name: str, code: str, at: str = OWN) -> str:
    return ApiClient(account).patch(at, {"CustomerProductName": name, "CustomerCode": code}).message


def test_comparison_keeps_the_requested_order_and_omits_invisible_products(
    pen: Product, buyer: Account, ga: Account
) -> None:
    ProductFactory(code="110002", status="off")

    body = ApiClient(buyer).get("/api/Product/Compare", {"Code": ["110002", "999", "110001"]}).body

    assert [row["ProductCode"] for row in body] == ["110002", "110001"]
    assert body[1]["Attributes"] == [{"Name": "颜色", "Value": "黑色"}]
    assert (body[1]["SellingPoints"], body[1]["CustomerPrice"]) == (["顺滑", "速干"], "8.00")


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        ([], "请选择要对比的商品"),
        (["1", "2", "3", "4", "5"], "一次最多对比 4 件商品"),
        (["x"], "数字"),
    ],
)
def test_a_comparison_holds_one_to_four_codes(
    db: None, api: ApiClient, codes: list[str], message: str
) -> None:
    assert message in str(api.get("/api/Product/Compare", {"Code": codes}).body)


def test_a_comparison_costs_three_queries(pen: Product, buyer: Account) -> None:
    client = ApiClient(buyer)
    client.get("/api/Product/Compare", {"Code": "110001"})
    with assert_queries(3):
        client.get("/api/Product/Compare", {"Code": ["110001", "110002"]})


def test_the_groups_own_words_stand_before_the_agreements_for_all_of_it(
    pen: Product, ga: Account, buyer: Account
) -> None:
    assert set_own_name(ga, "签字笔（黑）", "WL-0001") == "自有品名与物料号已更新"

    assert get_words(buyer) == ("签字笔（黑）", "WL-0001")
    assert list(CatalogChange.objects.values_list("kind", flat=True)) == ["price"]


def test_an_own_code_alone_leaves_the_agreements_name(pen: Product, ga: Account) -> None:
    set_own_name(ga, "", "WL-0001")

    assert get_words(ga) == ("集采中性笔", "WL-0001")
    detail = ApiClient(ga).get("/api/Product/110001").body
    assert (detail["OwnName"], detail["OwnCode"]) == ("", "WL-0001")


def test_an_own_name_alone_leaves_the_agreements_code(pen: Product, ga: Account) -> None:
    ApiClient(ga).patch(OWN, {"CustomerProductName": "签字笔"})

    assert get_words(ga) == ("签字笔", "MAT-7")
    assert ApiClient(ga).get("/api/Product", {"Keyword": "MAT-7"}).body["Total"] == 1


def test_empty_words_give_the_agreements_again(pen: Product, ga: Account) -> None:
    set_own_name(ga, "签字笔", "WL-0001")

    assert set_own_name(ga, " ", "") == "已恢复为协议中的品名与物料号"
    assert (get_words(ga), OwnName.objects.count()) == (("集采中性笔", "MAT-7"), 0)


def test_omitted_own_name_field_keeps_its_value(pen: Product, ga: Account) -> None:
    set_own_name(ga, "签字笔", "WL-0001")

    ApiClient(ga).patch(OWN, {"CustomerCode": "WL-0002"})
    ApiClient(ga).patch(OWN, {})

    assert get_words(ga) == ("签字笔", "WL-0002")


def test_another_group_never_sees_them(pen: Product, ga: Account, other_ga: Account) -> None:
    set_own_name(ga, "签字笔", "WL-0001")

    assert get_words(other_ga) == ("卓砚中性笔", "")
    assert ApiClient(other_ga).get("/api/Product", {"Keyword": "WL-0001"}).body["Total"] == 0


@pytest.mark.parametrize("keyword", ["WL-0001", "wl-0001", "签字笔（黑）"])
def test_a_product_is_found_by_the_groups_own_words(
    pen: Product, ga: Account, buyer: Account, keyword: str
) -> None:
    set_own_name(ga, "签字笔（黑）", "WL-0001")

    assert [
        row["ProductCode"]
        for row in ApiClient(buyer).get("/api/Product", {"Keyword": keyword}).body["Items"]
    ] == ["110001"]


@pytest.mark.parametrize(
    "keyword", ["测试自有", "自有品名笔", "品名", "测试 名笔", "WLTEST1", "wl test 1", "wl-test-1"]
)
def test_parts_of_an_own_name_and_a_code_without_dashes_find_it(
    pen: Product, ga: Account, buyer: Account, other_ga: Account, keyword: str
) -> None:
    set_own_name(ga, "测试自有品名笔", "WL-TEST-1")

    assert [
        row["ProductCode"]
        for row in ApiClient(buyer).get("/api/Product", {"Keyword": keyword}).body["Items"]
    ] == ["110001"]
    assert ApiClient(other_ga).get("/api/Product", {"Keyword": keyword}).body["Items"] == []


def test_a_part_of_an_own_name_is_no_exact_hit(pen: Product, ga: Account) -> None:
    ProductFactory(code="110009", name="品名 马克杯", market_price=Decimal("0.10"))
    set_own_name(ga, "测试自有品名笔", "")

    rows = ApiClient(ga).get("/api/Product", {"Keyword": "品名", "Sort": "price"}).body["Items"]
    assert [row["ProductCode"] for row in rows] == ["110009", "110001"]


@pytest.mark.parametrize("typed_text", ["自有", "测试自", "WLT", "wl-te"])
def test_own_name_or_material_code_prefix_suggests_its_product(
    pen: Product, ga: Account, buyer: Account, other_ga: Account, typed_text: str
) -> None:
    set_own_name(ga, "测试自有品名笔", "WL-TEST-1")

    answers = [
        ApiClient(who).post("/api/Product/Search", {"Key": typed_text}).body
        for who in (buyer, other_ga)
    ]
    assert [[row["ProductCode"] for row in answer] for answer in answers] == [["110001"], []]


def test_material_code_is_unique_per_group(pen: Product, ga: Account, other_ga: Account) -> None:
    ProductFactory(code="110002")
    set_own_name(ga, "", "WL-0001")

    assert (
        set_own_name(ga, "", "WL-0001", "/api/Product/110002/OwnName")
        == "该物料号已用于商品 110001，请核对后重新填写"
    )
    assert (
        set_own_name(other_ga, "", "WL-0001", "/api/Product/110002/OwnName")
        == "自有品名与物料号已更新"
    )


def test_own_name_change_requires_group_management(pen: Product, limited: Account) -> None:
    answer = ApiClient(limited).patch(OWN, {"CustomerProductName": "笔", "CustomerCode": ""})

    assert (answer.status, OwnName.objects.count()) == (403, 0)


@pytest.fixture
def manual(pen: Product) -> ProductDocument:
    path = default_storage.save("documents/manual.pdf", ContentFile(b"%PDF-1.4\n%%EOF"))
    document: ProductDocument = ProductDocument.objects.create(
        product=pen,
        kind="manual",
        title="使用说明书",
        path=path,
        content_type="application/pdf",
        size=14,
    )
    return document


def test_a_products_documents_are_listed_and_read(manual: ProductDocument, buyer: Account) -> None:
    client = ApiClient(buyer)

    assert client.get("/api/Product/110001").body["Documents"] == [
        {"Id": str(manual.pk), "Kind": "使用说明", "Title": "使用说明书", "Size": 14}
    ]
    answer = client.get(f"/api/Product/110001/Document/{manual.pk}")
    assert answer.body == b"%PDF-1.4\n%%EOF"
    assert "filename*=UTF-8''%E4%BD%BF" in answer.response["Content-Disposition"]


def test_document_of_an_invisible_product_is_not_found(
    manual: ProductDocument, api: ApiClient
) -> None:
    other = ProductFactory(code="110002")
    with platform_scope(reason="test"):
        Product.objects.filter(pk=manual.product_id).update(is_public=False)

    assert api.get(f"/api/Product/110001/Document/{manual.pk}").status == 404
    assert api.get(f"/api/Product/{other.code}/Document/{manual.pk}").status == 404
