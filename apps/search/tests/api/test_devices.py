"""The finder of consumables, and devices and other brands' part numbers in the search."""

from __future__ import annotations

from typing import Any

import pytest

from apps.catalog.indexing.dictionary import dictionary_load
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory, create_category_path
from apps.common.testing import ApiClient, assert_queries
from apps.finders.models import Device
from apps.finders.selectors.devices import Reference, find_references
from apps.finders.tests.factories import (
    DeviceBrandFactory,
    DeviceFactory,
    create_cross_reference,
    fit,
)
from apps.search.selectors.named import find_references_by_word

pytestmark = pytest.mark.django_db


@pytest.fixture
def m1005(platform: None) -> Device:
    device: Device = DeviceFactory(model="LaserJet M1005 MFP", aliases="M1005；1005")
    return device


@pytest.fixture
def toner(m1005: Device) -> Product:
    category = create_category_path("打印耗材", "硒鼓", "硒鼓粉盒")
    toner: Product = ProductFactory(name="易加粉硒鼓 黑色", model_code="VY-2104", category=category)
    ProductFactory(name="大容量硒鼓 黑色", category=category)
    ProductFactory(name="复印纸 A4 500张")
    fit(m1005, toner)
    dictionary_load()
    return toner


def ask(keyword: str, **query: Any) -> dict[str, Any]:
    answer: dict[str, Any] = ApiClient().get("/api/Product", {"Keyword": keyword, **query}).body
    return answer


def list_codes(body: dict[str, Any]) -> list[str]:
    return [row["ProductCode"] for row in body["Items"]]


LABEL = "适用机型 惠普 LaserJet M1005 MFP"


@pytest.mark.parametrize(
    ("keyword", "rest"),
    [
        ("M1005 硒鼓", "硒鼓"),
        ("m1005硒鼓", "硒鼓"),
        ("惠普M1005硒鼓", "硒鼓"),
        ("惠普 M1005 打印机用的硒鼓", "硒鼓"),
        ("HP M1005 硒鼓", "硒鼓"),
        ("hpm1005 硒鼓", "硒鼓"),
        ("HP LaserJet M1005 MFP 硒鼓", "硒鼓"),
        ("适用于惠普M1005的硒鼓", "硒鼓"),
        ("硒鼓 M1005", "硒鼓"),
        ("惠普1005硒鼓", "硒鼓"),
        ("惠普M1005", ""),
        ("M1005", ""),
    ],
)
def test_a_device_in_the_phrase_leads_to_its_products(
    keyword: str, rest: str, toner: Product
) -> None:
    body = ask(keyword)

    assert list_codes(body) == [toner.code]
    assert body["Phrase"] == [{"Kind": "device", "Label": LABEL, "Keyword": rest}]


@pytest.mark.parametrize("keyword", ["M1005 复印纸", "1005 复印纸", "A4 复印纸", "500张 复印纸"])
def test_a_model_that_fits_none_of_the_products_is_a_plain_word(
    keyword: str, toner: Product
) -> None:
    body = ask(keyword)

    assert [row["CustomerProductName"] for row in body["Items"]] == ["复印纸 A4 500张"]
    assert "device" not in [part["Kind"] for part in body.get("Phrase", [])]


def test_filter_without_results_keeps_the_device(toner: Product) -> None:
    body = ask("M1005 硒鼓", MinPrice="500")

    assert (body["Total"], body["Phrase"][0]["Kind"]) == (0, "device")


def test_a_price_beside_the_device_stays_a_part_of_its_own(toner: Product) -> None:
    body = ask("M1005 20元以下的硒鼓")

    assert list_codes(body) == [toner.code]
    assert body["Phrase"] == [
        {"Kind": "device", "Label": LABEL, "Keyword": "20元以下的硒鼓"},
        {"Kind": "price", "Label": "价格 ≤ 20 元", "Keyword": "M1005 硒鼓"},
    ]


def test_the_finder_leads_from_the_brand_over_the_model_to_the_products(
    m1005: Device, toner: Product
) -> None:
    DeviceBrandFactory(name="佳能", english_name="Canon", position=1)
    DeviceFactory(model="LaserJet P1007")
    hidden = DeviceFactory(model="LaserJet P1008")
    fit(hidden, ProductFactory(is_public=False))
    client = ApiClient()

    brands = client.get("/api/Device/Brands").body
    assert [brand["Name"] for brand in brands] == ["惠普", "佳能"]
    devices = client.get("/api/Device", {"BrandId": brands[0]["BrandId"]}).body
    assert [device["Model"] for device in devices] == ["LaserJet M1005 MFP"]
    assert client.get("/api/Device", {"Key": "m-10"}).body == devices
    assert client.get("/api/Device", {"Key": "m11"}).body == []
    body = client.get(f"/api/Device/{m1005.pk}/Products").body
    assert body["Device"]["Brand"] == "惠普"
    row = body["Items"][0]
    assert (len(body["Items"]), row["ProductCode"], row["CompatibilityText"]) == (
        1,
        toner.code,
        "兼容",
    )
    assert row["CategoryName"] == "硒鼓粉盒"
    with assert_queries(4):
        client.get(f"/api/Device/{m1005.pk}/Products")


def test_product_lists_its_compatible_devices_only_while_visible(
    m1005: Device, toner: Product
) -> None:
    body = ApiClient().get(f"/api/Product/{toner.code}/Devices").body

    assert [(row["Device"]["Model"], row["CompatibilityText"]) for row in body] == [
        ("LaserJet M1005 MFP", "兼容")
    ]
    Product.objects.filter(pk=toner.pk).update(is_public=False)
    assert ApiClient().get(f"/api/Product/{toner.code}/Devices").status == 404
    assert ApiClient().get("/api/Device/999999/Products").status == 404


@pytest.mark.parametrize("keyword", ["Q2612A", "q2612a 硒鼓", "惠普 Q2612A", "q-2612-a"])
def test_a_part_number_of_another_brand_leads_to_our_product(keyword: str, toner: Product) -> None:
    create_cross_reference("惠普", "Q2612A", toner, kind="near", note="页产量 2000 页")

    body = ask(keyword)

    assert list_codes(body)[0] == toner.code
    assert body["CrossReferences"] == [
        {
            "Brand": "惠普",
            "PartNumber": "Q2612A",
            "Relation": "near",
            "Note": "页产量 2000 页",
            "ProductCode": toner.code,
            "ProductName": toner.name,
        }
    ]


def test_a_name_of_another_brand_leads_to_our_product_as_an_equal_one(toner: Product) -> None:
    create_cross_reference("得力", "", toner, name="大印量鼓组件")

    body = ask("大印量鼓组件")

    assert list_codes(body) == [toner.code]
    assert (body["CrossReferences"][0]["PartNumber"], body["CrossReferences"][0]["Relation"]) == (
        "大印量鼓组件",
        "equal",
    )
    assert "CrossReferences" not in ask("硒鼓")


def test_a_text_without_a_key_names_no_reference(toner: Product) -> None:
    """A row with a part number has no name, and its empty key matches nothing."""
    create_cross_reference("惠普", "Q2612A", toner)

    assert find_references_by_word(["Q2612A", "——"]).keys() == {"Q2612A"}


def test_the_references_of_many_words_are_not_compared_with_each_other(
    toner: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare, comparisons = Reference.__eq__, []

    def count(one: Reference, other: object) -> bool:
        comparisons.append(1)
        return compare(one, other)

    words = [f"QX{number:03}" for number in range(40)]
    for word in words:
        create_cross_reference("惠普", word, toner)
    monkeypatch.setattr(Reference, "__eq__", count)

    assert len(find_references_by_word(words)) == 40
    assert len(comparisons) < 40
    assert find_references(part_keys=[""], name_keys=[""]) == []


def test_a_reference_to_a_product_outside_the_catalogue_is_not_named(toner: Product) -> None:
    create_cross_reference("惠普", "Q2613A", ProductFactory(is_public=False))

    body = ask("Q2613A")

    assert (body["Items"], "CrossReferences" in body) == ([], False)


def test_device_model_also_finds_a_product_of_that_model(m1005: Device, toner: Product) -> None:
    printer: Product = ProductFactory(name="激光打印机", model_code="M1005")

    assert list_codes(ask("M1005")) == [printer.code]
    assert list_codes(ask("M1005 硒鼓")) == [toner.code]


def test_a_number_with_a_unit_is_no_device(m1005: Device, toner: Product) -> None:
    body = ask("1005页 硒鼓")

    assert all(part["Kind"] != "device" for part in body.get("Phrase") or ())
