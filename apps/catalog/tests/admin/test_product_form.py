"""The form of a product: attributes of the category, tax rates, third-level categories and uploaded
pictures.
"""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from apps.catalog.models import Category, Product
from apps.catalog.selectors.attributes import (
    UsualAttribute,
    list_attribute_names,
    list_usual_attributes,
)
from apps.catalog.tests.factories import ProductFactory, create_category_path
from apps.common.models import OutboxMessage
from apps.common.tenancy import no_scope
from apps.org.tests.office import create_staff, open_office
from tests.contracts.test_stale_forms import open_form


@pytest.fixture
def office(platform: None) -> Client:
    return open_office(create_staff("商品"))


def save(client: Client, product: Product, **fields: Any) -> str:
    path = f"/admin/catalog/product/{product.pk}/change/"
    form = {**open_form(client, path), **fields}
    with no_scope():
        return client.post(path, form, follow=True).content.decode()


def build_png(width: int = 8, height: int = 8) -> SimpleUploadedFile:
    content = io.BytesIO()
    Image.new("RGB", (width, height), "#1456d9").save(content, "PNG")
    return SimpleUploadedFile("主图.png", content.getvalue(), "image/png")


def build_picture_bomb() -> SimpleUploadedFile:
    """Return a PNG of 100 bytes that claims 60,000 × 60,000 pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    content = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"0"))
    return SimpleUploadedFile("炸弹.png", content + chunk(b"IEND", b""), "image/png")


def test_usual_attributes_occur_in_a_fifth_of_the_category(platform: None) -> None:
    leaf = create_category_path()
    for number in range(6):
        ProductFactory(category=leaf, attributes={"颜色": "黑色" if number else "红色"})
    ProductFactory(category=leaf, attributes={"颜色": "黑色", "罕见": "一次"})
    ProductFactory(attributes={"别的类目": "是"})

    assert list_usual_attributes(category_id=leaf.pk) == [UsualAttribute("颜色", ("黑色", "红色"))]
    assert list_attribute_names(category_id=leaf.pk) == ["颜色", "罕见"]


def test_product_form_offers_category_attributes_and_saves_filled_ones(
    office: Client,
) -> None:
    leaf = create_category_path()
    ProductFactory(category=leaf, attributes={"笔尖": "0.5mm"})
    product = ProductFactory(category=leaf, attributes={"颜色": "黑色"})
    form = open_form(office, f"/admin/catalog/product/{product.pk}/change/")

    names = [form[f"attributes-{number}-name"] for number in range(3)]
    save(office, product, **{"attributes-0-value": "红色", "attributes-2-name": "没有值"})

    assert names == ["颜色", "笔尖", ""]
    product.refresh_from_db()
    assert product.attributes == {"颜色": "红色"}


@pytest.mark.parametrize(
    ("fields", "error_text"),
    [
        ({"attributes-1-name": "", "attributes-1-value": "黑"}, "请填写“黑”的属性名"),
        ({"attributes-1-name": "颜色", "attributes-1-value": "白"}, "“颜色”填写了两次"),
        ({"attributes-1-name": "长" * 31, "attributes-1-value": "白"}, "属性名最多 30 个字"),
    ],
)
def test_attributes_that_cannot_be_saved_are_refused(
    office: Client, fields: dict[str, str], error_text: str
) -> None:
    product = ProductFactory(attributes={"颜色": "黑色"})

    assert error_text in save(office, product, **fields)
    product.refresh_from_db()
    assert product.attributes == {"颜色": "黑色"}


def test_a_chosen_category_answers_with_its_attributes(office: Client) -> None:
    product = ProductFactory(attributes={"颜色": "黑色"})
    path = "/admin/catalog/product/attributes/"
    with no_scope():
        answers = [
            office.get(path, {"category": key}).json() for key in (product.category_id, "x", "")
        ]

    assert answers == [
        {"attributes": [{"name": "颜色", "values": ["黑色"]}], "names": ["颜色"]},
        {"attributes": [], "names": []},
        {"attributes": [], "names": []},
    ]


def test_the_picker_of_the_category_offers_third_levels_only_with_their_paths(
    office: Client,
) -> None:
    product = ProductFactory(category=create_category_path("文具", "文具笔", "文具中性笔"))
    ask = {
        "app_label": "catalog",
        "model_name": "product",
        "field_name": "category",
        "term": "文具",
    }
    with no_scope():
        answer = office.get("/admin/autocomplete/", {**ask, "of_level": "3"}).json()
        page = office.get("/admin/catalog/product/add/").content.decode()
        present = office.get(f"/admin/catalog/product/{product.pk}/change/").content.decode()

    assert [each["text"] for each in answer["results"]] == ["文具 / 文具笔 / 文具中性笔"]
    assert "/admin/autocomplete/?of_level=3" in page
    assert ">文具 / 文具笔 / 文具中性笔</option>" in present
    assert Category.objects.filter(name__startswith="文具").count() == 3


def test_tax_rate_must_be_listed_but_an_existing_rate_stays(office: Client) -> None:
    product = ProductFactory(tax_rate="0.05")

    assert "请选择税率：13%、9%、6%、3%、1%、0%" in save(office, product, tax_rate="0.07")
    save(office, product, name="改名")

    product.refresh_from_db()
    assert (product.name, str(product.tax_rate)) == ("改名", "0.05")


def test_an_uploaded_picture_becomes_the_main_or_a_further_picture(office: Client) -> None:
    product = ProductFactory(code="110001", image="")
    row = {"images-TOTAL_FORMS": "1", "images-0-upload": build_png(9), "images-0-position": "2"}
    save(office, product, upload=build_png(), **row)

    product.refresh_from_db()
    further = product.images.get()
    assert product.image.startswith("products/110001-")
    assert further.path.startswith("products/110001-")
    assert further.path != product.image
    assert default_storage.exists(product.image)
    messages = OutboxMessage.objects.filter(topic="pictures.stored")
    stored = [message.payload["Paths"] for message in messages]
    assert [product.image] in stored
    assert [further.path] in stored


@pytest.mark.parametrize(
    ("upload", "error_text"),
    [
        (build_picture_bomb(), "图片像素过大"),
        (SimpleUploadedFile("a.png", b"no picture"), "请上传 JPG、PNG、WebP 或 GIF 图片"),
        (SimpleUploadedFile("a.png", b"\x89PNG\r\n\x1a\n" + bytes(5 << 20)), "不能超过 5MB"),
    ],
    ids=["bomb", "no picture", "large"],
)
def test_product_upload_other_than_a_picture_is_refused_and_nothing_is_saved(
    office: Client, upload: SimpleUploadedFile, error_text: str
) -> None:
    product = ProductFactory(image="", name="原名")

    assert error_text in save(office, product, upload=upload, name="新名")
    assert Product.objects.values_list("image", "name").get(pk=product.pk) == ("", "原名")


def test_a_further_picture_needs_an_upload_or_a_path(office: Client) -> None:
    product = ProductFactory(image="")
    row = {"images-TOTAL_FORMS": "1", "images-0-position": "2"}

    assert "请上传图片，或填写已上传图片的路径" in save(office, product, **row)


def test_contents_that_the_pack_contradicts_are_refused_at_their_field(office: Client) -> None:
    product = ProductFactory(unit="盒", pack="12支/盒")

    refused = save(office, product, base_unit="支", contents="10")
    incomplete = save(office, product, base_unit="支")
    save(office, product, base_unit="支", contents="12")

    assert "写明一盒有 12支，与内含数量 10支不一致" in refused
    assert incomplete.count("基本单位与内含数量须同时填写，或都留空") == 1
    product.refresh_from_db()
    assert (product.base_unit, product.contents) == ("支", 12)
