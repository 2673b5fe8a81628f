"""POST /api/Product/ImageSearch and the product list for its key (spec sections 5, 7, 9)."""

from __future__ import annotations

import io
import struct
import zlib
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from PIL import Image, ImageDraw

from apps.catalog.enums import ProductStatus
from apps.catalog.models import Product
from apps.catalog.tests.factories import (
    AgreementFactory,
    PriceListItemFactory,
    ProductFactory,
    create_category_path,
    create_customer_agreement,
    include_in_assortment,
)
from apps.common.testing import ApiClient, assert_queries
from apps.org.models import Account, Group
from apps.search.models import ImageSearch
from apps.search.services.image_search import image_searches_purge
from apps.search.services.picture_index import pictures_index

PATH = "/api/Product/ImageSearch"


def draw_picture(
    shape: str, *, colour: str = "#b03030", ground: str = "white", size: int = 240
) -> Image.Image:
    """Return a picture of one solid shape."""
    image = Image.new("RGB", (size, size), ground)
    draw = ImageDraw.Draw(image)
    box = (size * 0.2, size * 0.25, size * 0.8, size * 0.75)
    if shape == "box":
        draw.rectangle(box, fill=colour)
        draw.rectangle((size * 0.3, size * 0.4, size * 0.7, size * 0.6), fill="white")
    elif shape == "disc":
        draw.ellipse((size * 0.2, size * 0.2, size * 0.8, size * 0.8), fill=colour)
        draw.ellipse((size * 0.4, size * 0.4, size * 0.6, size * 0.6), fill=ground)
    else:
        draw.line(
            (size * 0.15, size * 0.85, size * 0.85, size * 0.15), fill=colour, width=size // 14
        )
    return image


def encode_png(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def upload_picture(client: ApiClient, content: bytes, name: str = "a.png") -> Any:
    return client.upload(PATH, {"files": SimpleUploadedFile(name, content)})


@pytest.fixture
def shelf(db: None) -> dict[str, Product]:
    """A box, a disc and a rod in three categories. The vectors of their pictures are in the
    index.
    """
    result: dict[str, Any] = {}
    for number, shape in enumerate(("box", "disc", "rod")):
        path = default_storage.save(
            f"products/shelf-{shape}.png", ContentFile(encode_png(draw_picture(shape)))
        )
        leaf = create_category_path("一级", "二级", f"{shape}类")
        result[shape] = ProductFactory(
            code=f"7100{number}", name=f"商品{shape}", image=path, category=leaf
        )
    assert pictures_index(seconds=60)
    return result


def list_codes(body: dict[str, Any]) -> list[str]:
    return [row["ProductCode"] for row in body["Items"]]


def test_a_picture_taken_otherwise_finds_its_product_first(
    api: ApiClient, shelf: dict[str, Product]
) -> None:
    body = upload_picture(
        api,
        encode_png(
            draw_picture("disc", colour="#a83838", ground="#e8eef4", size=400).rotate(
                8, fillcolor="#e8eef4"
            )
        ),
    ).body

    assert list_codes(body)[0] == "71001"
    assert body["Items"][0]["Score"] > 0.8
    assert (body["Items"][0]["CustomerPrice"], body["Items"][0]["CustomerProductName"]) == (
        "10.00",
        "商品disc",
    )
    assert body["Categories"][0]["Name"] == "disc类"


def test_image_key_lists_the_similar_products_in_the_same_order(
    api: ApiClient, shelf: dict[str, Product]
) -> None:
    body = upload_picture(api, encode_png(draw_picture("box"))).body
    page = api.get("/api/Product", {"ImageKey": body["ImageKey"]}).body

    assert list_codes(page) == list_codes(body)
    assert page["Total"] == body["Total"] == page["ImageSearch"]["Total"]
    assert page["ImageSearch"]["Picture"].startswith("data:image/webp;base64,")
    assert page["ImageSearch"]["Categories"] == body["Categories"]


def test_the_list_of_a_picture_is_filtered_sorted_and_counted_like_any(
    api: ApiClient, shelf: dict[str, Product]
) -> None:
    key = upload_picture(api, encode_png(draw_picture("box"))).body["ImageKey"]
    ImageSearch.objects.filter(key=key).update(
        found=[[shelf[shape].pk, 0.9] for shape in ("rod", "box", "disc")]
    )
    Product.objects.filter(pk=shelf["rod"].pk).update(market_price=9900)

    assert list_codes(api.get("/api/Product", {"ImageKey": key}).body) == [
        "71002",
        "71000",
        "71001",
    ]
    assert (
        list_codes(
            api.get("/api/Product", {"ImageKey": key, "PageSize": 10, "Sort": "-price"}).body
        )[0]
        == "71002"
    )
    page = api.get("/api/Product", {"ImageKey": key, "Cid": str(shelf["box"].category_id)}).body
    assert list_codes(page) == ["71000"]
    assert [row["Count"] for row in page["Facets"]["Brands"]] == [1]


def test_product_taken_off_sale_leaves_the_image_results(
    api: ApiClient, shelf: dict[str, Product]
) -> None:
    key = upload_picture(api, encode_png(draw_picture("box"))).body["ImageKey"]
    Product.objects.filter(pk=shelf["box"].pk).update(status=ProductStatus.OFF_SALE)
    assert "71000" not in list_codes(api.get("/api/Product", {"ImageKey": key}).body)
    assert "71000" not in list_codes(upload_picture(api, encode_png(draw_picture("box"))).body)


def test_a_customer_finds_only_his_own_catalogue_at_his_own_price(
    shelf: dict[str, Product], buyer: Account, group: Group, api: ApiClient
) -> None:
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment, shelf["disc"].category)
    create_customer_agreement(group, agreement)
    PriceListItemFactory(price_list=agreement.price_list, product=shelf["disc"], price="8.00")
    Product.objects.filter(pk=shelf["disc"].pk).update(is_public=False)

    body = upload_picture(ApiClient(buyer), encode_png(draw_picture("disc"))).body
    assert [(row["ProductCode"], row["CustomerPrice"]) for row in body["Items"]] == [
        ("71001", "8.00")
    ]
    assert "71001" not in list_codes(upload_picture(api, encode_png(draw_picture("disc"))).body)


def test_the_key_of_another_person_answers_as_one_that_has_run_out(
    shelf: dict[str, Product], buyer: Account, ga: Account, other_ga: Account, api: ApiClient
) -> None:
    key = upload_picture(ApiClient(buyer), encode_png(draw_picture("box"))).body["ImageKey"]

    answers = [
        client.get("/api/Product", {"ImageKey": key})
        for client in (ApiClient(ga), ApiClient(other_ga), api)
    ]
    gone = ApiClient(buyer).get("/api/Product", {"ImageKey": "x" * 27})
    assert {(one.code, one.message) for one in (*answers, gone)} == {
        ("image_key_expired", "以图搜索的结果已失效，请重新上传图片")
    }
    assert ApiClient(buyer).get("/api/Product", {"ImageKey": key}).ok


def test_a_visitors_key_is_good_in_his_browser_alone_and_stays_his_when_he_signs_in(
    shelf: dict[str, Product], buyer: Account
) -> None:
    visitor = ApiClient()
    key = upload_picture(visitor, encode_png(draw_picture("box"))).body["ImageKey"]

    assert ApiClient().get("/api/Product", {"ImageKey": key}).code == "image_key_expired"
    assert visitor.get("/api/Product", {"ImageKey": key}).ok
    assert visitor.login_as(buyer).get("/api/Product", {"ImageKey": key}).ok


def test_a_key_ends_after_four_hours_and_is_swept_away(
    api: ApiClient, shelf: dict[str, Product]
) -> None:
    key = upload_picture(api, encode_png(draw_picture("box"))).body["ImageKey"]
    ImageSearch.objects.update(at=timezone.now() - timedelta(hours=4, minutes=1))

    assert api.get("/api/Product", {"ImageKey": key}).code == "image_key_expired"
    assert image_searches_purge() == 1


def test_image_search_without_a_match_returns_no_key(
    api: ApiClient, shelf: dict[str, Product]
) -> None:
    body = upload_picture(api, encode_png(Image.new("RGB", (300, 300), "#8090a0"))).body
    assert (body["Items"], body["Total"], body["ImageKey"]) == ([], 0, "")


def build_bomb() -> bytes:
    """Return a PNG whose header claims 13,300 × 13,300 pixels."""
    head = struct.pack(">IIBBBBB", 13_300, 13_300, 8, 2, 0, 0, 0)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 4096))
        + chunk(b"IEND", b"")
    )


def moving() -> bytes:
    buffer = io.BytesIO()
    draw_picture("box").save(buffer, "GIF", save_all=True, append_images=[draw_picture("disc")])
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"hello", "请上传图片文件"),
        ("a.png", b"", "请上传图片文件"),
        ("a.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "请上传图片文件"),
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "请上传图片文件"),
        ("a.jpg", b"\xff\xd8\xff" + b"\0" * 2000, "图片已损坏或格式不正确，请重新选择"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + b"\0" * (2 * 1024 * 1024), "图片大小不能超过2MB"),
        ("a.png", build_bomb(), "图片像素过大，请缩小到 1200 万像素（WebP 为 500 万）以内后重试"),
        ("a.gif", moving(), "无法识别动态图片，请截取其中一帧后上传"),
    ],
    ids=["text", "empty", "svg as png", "svg", "broken", "too large", "bomb", "animated"],
)
def test_file_other_than_a_picture_is_refused_with_a_hint(
    api: ApiClient, db: None, name: str, content: bytes, message: str
) -> None:
    answer = upload_picture(api, content, name)
    assert (answer.status, answer.code, answer.message) == (200, "file_refused", message)


def test_two_pictures_at_once_are_refused(api: ApiClient, db: None) -> None:
    two = [SimpleUploadedFile(f"{n}.png", encode_png(draw_picture("box"))) for n in range(2)]
    assert api.upload(PATH, {"files": two}).message == "一次只能上传一张图片，请只选择一张"


def test_no_picture_or_one_under_another_name_is_refused(api: ApiClient, db: None) -> None:
    assert api.upload(PATH, {}).message == "请上传图片文件"
    assert (
        api.upload(
            PATH, {"file": SimpleUploadedFile("a.png", encode_png(draw_picture("box")))}
        ).message
        == "请上传图片文件"
    )


def test_a_search_costs_seven_queries_and_its_list_one_more_than_any(
    shelf: dict[str, Product], buyer: Account, group: Group
) -> None:
    agreement = AgreementFactory()
    include_in_assortment(agreement.assortment)
    create_customer_agreement(group, agreement)
    client = ApiClient(buyer)
    key = upload_picture(client, encode_png(draw_picture("box"))).body["ImageKey"]
    # account, agreements, token of the vectors, assortment, categories, save, offers
    with assert_queries(7):
        upload_picture(client, encode_png(draw_picture("box")))
    with assert_queries(5):  # account, saved result, agreements, ids, offers
        client.get("/api/Product", {"ImageKey": key, "Facets": "0", "Total": "0"})
