"""Bulk upload of pictures (批量上传图片) in the back office."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from python_calamine import CalamineWorkbook

from apps.catalog.models import PictureBatch, Product
from apps.catalog.tests.factories import ProductFactory
from apps.catalog.tests.services.test_picture_batch import draw_picture
from apps.common.tenancy import platform_scope
from apps.common.testing import assert_queries
from apps.org.tests.office import create_staff, open_office

NEW = "/admin/catalog/picturebatch/new/"


@pytest.fixture
def desk(platform: None) -> Client:
    for number in range(1, 4):
        ProductFactory(code=f"11000{number}", image="")
    return open_office(create_staff("商品"))


def send_pictures(desk: Client, *names: str) -> str:
    """Upload pictures with these file names, run the check and return the URL of the batch."""
    files = [SimpleUploadedFile(name, draw_picture()) for name in names]
    answer = desk.post(NEW, {"files": files})
    assert answer.status_code == 302
    desk.post(answer["Location"], {"check": "1"})
    return str(answer["Location"])


def open_page(desk: Client, address: str) -> str:
    return desk.get(address).content.decode()


def test_picture_batch_preview_shows_products_positions_and_refusals(desk: Client) -> None:
    page = open_page(desk, send_pictures(desk, "110001.png", "110002-2.png", "777.png"))

    assert "<b>2</b> 张，2 个商品：新增 2，替换 0" in page
    assert "没有编码为 777 的商品" in page
    assert "确认写入 2 张图片" in page
    assert not Product.objects.exclude(image="").exists()


def test_confirmed_picture_batch_is_written_and_its_refusals_listed(desk: Client) -> None:
    address = send_pictures(desk, "110001.png", "777.png")

    page = desk.post(address, {"write": "1"}, follow=True).content.decode()

    assert "已写入 1 张图片" in page
    assert "没有编码为 777 的商品" in page
    assert Product.objects.get(code="110001").image.startswith("products/110001-")
    assert (
        "该批次已写入或已取消" in desk.post(address, {"write": "1"}, follow=True).content.decode()
    )


def test_preview_pictures_require_a_staff_login(desk: Client) -> None:
    address = send_pictures(desk, "110001.png")
    row = PictureBatch.objects.get().rows.get()

    answer = desk.get(f"{address}?picture={row.pk}")
    assert answer["Content-Type"] == "image/png"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert desk.get(f"{address}?picture=999999").status_code == 404
    assert Client().get(f"{address}?picture={row.pk}").status_code == 302


def test_upload_pieces_form_one_batch(desk: Client) -> None:
    first = desk.post(
        NEW,
        {"files": [SimpleUploadedFile("110001.png", draw_picture())], "piece": "1", "batch": ""},
    ).json()
    second = desk.post(
        NEW,
        {
            "files": [SimpleUploadedFile("110002.png", draw_picture())],
            "piece": "1",
            "batch": first["batch"],
        },
    ).json()
    left = desk.post(first["page"], {"check": "1", "piece": "1"}).json()

    assert (second, left) == (first, {"left": 0})
    assert PictureBatch.objects.get().rows.count() == 2


def test_broken_zip_is_refused_with_a_message(desk: Client) -> None:
    files = {"files": [SimpleUploadedFile("a.zip", b"PK")]}

    assert desk.post(NEW, files | {"piece": "1"}).json()["error"].startswith("压缩包已损坏")
    assert (
        "压缩包已损坏"
        in desk.post(
            NEW, {"files": [SimpleUploadedFile("a.zip", b"PK")]}, follow=True
        ).content.decode()
    )
    assert "请选择图片" in desk.post(NEW, {}, follow=True).content.decode()


def test_cancelled_picture_batch_is_deleted(desk: Client) -> None:
    address = send_pictures(desk, "110001.png")

    assert (
        "已取消，没有写入任何图片"
        in desk.post(address, {"forget": "1"}, follow=True).content.decode()
    )
    assert desk.get(address).status_code == 404


def test_picture_batch_sheet_lists_refusals_first(desk: Client) -> None:
    answer = desk.get(f"{send_pictures(desk, '110001.png', '777.png')}?sheet=1")

    rows = (
        CalamineWorkbook.from_filelike(BytesIO(b"".join(answer))).get_sheet_by_index(0).to_python()
    )
    assert [row[0] for row in rows] == ["文件名", "777.png", "110001.png"]
    assert rows[1][4:] == ["没有对应商品", "没有编码为 777 的商品"]


def test_picture_name_with_a_formula_or_tag_is_escaped(desk: Client) -> None:
    page = open_page(desk, send_pictures(desk, "=1+1&lt;b&gt;.png", "110001.png"))

    assert "<b>.png" not in page


def test_read_only_staff_cannot_upload_or_write_pictures(desk: Client) -> None:
    address, looking = send_pictures(desk, "110001.png"), open_office(create_staff("客服"))

    with platform_scope(reason="test"):
        assert looking.get(NEW).status_code == 403
        assert looking.get(address).status_code == 200
        assert looking.post(address, {"write": "1"}).status_code == 403
        assert open_office(create_staff("财务")).get(address).status_code == 403


def test_picture_batch_preview_takes_six_queries_for_any_number_of_pictures(desk: Client) -> None:
    one, three = (
        send_pictures(desk, "110001.png"),
        send_pictures(desk, "110001.png", "110002.png", "110003.png"),
    )
    open_page(desk, one)

    for address in (one, three):
        with assert_queries(6):
            open_page(desk, address)


def test_written_picture_batch_is_undone_after_a_confirmation(desk: Client) -> None:
    address = send_pictures(desk, "110001.png", "110002-2.png")
    assert "撤销本批" not in open_page(desk, address)
    desk.post(address, {"write": "1"})
    assert "撤销本批" in open_page(desk, address)
    assert "撤销后不能再次撤销" in open_page(desk, f"{address}?undo=1")

    page = desk.post(address, {"undo": "1"}, follow=True).content.decode()

    assert "已撤销：2 张恢复为原来的图片" in page
    assert "已恢复" in page
    assert "撤销本批" not in page
    assert not Product.objects.exclude(image="").exists()
