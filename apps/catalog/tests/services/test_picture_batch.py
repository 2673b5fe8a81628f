"""Bulk upload of pictures, matched to products by file name: staging, check, write."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from auditlog.models import LogEntry
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from apps.catalog.errors import PictureBatchAlreadyWritten, PictureBatchFull, PictureBatchWaits
from apps.catalog.models import CatalogChange, PictureBatch, Product, ProductImage
from apps.catalog.selectors.pictures import parse_file_name
from apps.catalog.services import picture_batch_add as adding
from apps.catalog.services.picture_batch_add import (
    FOLDER,
    picture_batch_add,
    picture_batch_check,
)
from apps.catalog.services.picture_batch_write import (
    picture_batch_forget,
    picture_batch_write,
    picture_batches_forget,
)
from apps.catalog.services.product_files import get_final_path
from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import FileRefused
from apps.common.models import OutboxMessage
from apps.common.tests.test_files import build_empty_png
from apps.org.models import Account
from apps.search.models import PictureVector

Committed = Callable[..., Any]


def draw_picture(colour: str = "red", form: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(buffer, form)
    return buffer.getvalue()


def file(name: str, content: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, draw_picture() if content is None else content)


def list_staged_files() -> list[str]:
    return default_storage.listdir(FOLDER)[1] if default_storage.exists(FOLDER) else []


@pytest.fixture
def pen(platform: None) -> Product:
    # Earlier tests roll back their rows but leave their files.
    for name in list_staged_files():
        default_storage.delete(f"{FOLDER}/{name}")
    pen: Product = ProductFactory(code="110001", image="products/110001.svg")
    return pen


def add_pictures(staff: Account, *uploads: SimpleUploadedFile) -> PictureBatch:
    batch = picture_batch_add(actor=staff, uploads=uploads)
    assert picture_batch_check(batch_id=batch.pk, seconds=60) == 0
    return batch


def list_rows(batch: PictureBatch) -> list[tuple[str, str, str]]:
    return [(row.file_name, row.state, row.reason) for row in batch.rows.order_by("pk")]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("110001.jpg", ("110001", 1)),
        ("110001-1.PNG", ("110001", 1)),
        ("110001-2.jpg", ("110001", 2)),
        ("110001_20.webp", ("110001", 20)),
        (" １１０００１－２ .jpg", ("110001", 2)),
        ("0012.gif", ("0012", 1)),
    ],
)
def test_a_name_is_a_code_and_a_position(name: str, place: tuple[str, int]) -> None:
    file_name = parse_file_name(name)
    assert (file_name.code, file_name.position, file_name.refusal) == (*place, "")


@pytest.mark.parametrize(
    "name",
    [
        "笔.jpg",
        "110001",
        "110001-.jpg",
        "110001-0.jpg",
        "110001-21.jpg",
        "110001 (2).jpg",
        ".jpg",
        "1-2-3.jpg",
        "９" * 19 + ".jpg",
    ],
)
def test_unsupported_picture_name_gives_a_reason(name: str) -> None:
    assert parse_file_name(name).refusal


def test_picture_batch_preview_reports_each_result_and_changes_no_product(
    staff: Account, pen: Product
) -> None:
    batch = add_pictures(
        staff,
        file("110001.png"),
        file("110001-2.png"),
        file("999.png"),
        file("笔.png"),
        file("110001-3.png", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        file("110001-1.png", draw_picture("blue")),
    )

    assert list_rows(batch) == [
        ("110001.png", "ready", ""),
        ("110001-2.png", "ready", ""),
        ("999.png", "unknown", "没有编码为 999 的商品"),
        (
            "笔.png",
            "unknown",
            "文件名应为“商品编码”或“商品编码-序号”，例如 110001.jpg、110001-2.jpg",
        ),
        ("110001-3.png", "refused", "请上传 JPG、PNG、WebP 或 GIF 图片"),
        ("110001-1.png", "refused", "与 110001.png 是同一商品的同一张，只能保留一个"),
    ]
    assert list(batch.rows.filter(state="ready").values_list("before", flat=True)) == [
        "products/110001.svg",
        "",
    ]
    pen.refresh_from_db()
    assert (pen.image, ProductImage.objects.count()) == ("products/110001.svg", 0)


def test_written_picture_batch_updates_product_pictures_and_variants(
    staff: Account, pen: Product, django_capture_on_commit_callbacks: Committed
) -> None:
    PictureVector.objects.create(product=pen, path=pen.image, embedder="x", vector=b"")
    batch = add_pictures(
        staff, file("110001.png"), file("110001-2.jpg", draw_picture("blue", "JPEG"))
    )
    CatalogChange.objects.all().delete()
    OutboxMessage.objects.all().delete()

    with django_capture_on_commit_callbacks(execute=True):
        picture_batch_write(actor=staff, batch_id=batch.pk)

    pen.refresh_from_db()
    second = ProductImage.objects.get()
    assert Image.open(default_storage.open(pen.image)).getpixel((0, 0)) == (255, 0, 0)
    assert (second.position, second.path.endswith(".jpg"), default_storage.exists(second.path)) == (
        2,
        True,
        True,
    )
    assert list(CatalogChange.objects.values_list("kind", "key")) == [("product", "110001")]
    assert sorted(OutboxMessage.objects.values_list("topic", flat=True)) == [
        "pictures.stored",
        "pictures.stored",
        "search.pictures",
    ]
    assert PictureVector.objects.get().path == ""
    assert list_staged_files() == []


def test_picture_batch_log_names_the_uploader_and_the_writer(staff: Account, pen: Product) -> None:
    batch = add_pictures(staff, file("110001.png"))
    picture_batch_write(actor=staff, batch_id=batch.pk)

    entries = LogEntry.objects.filter(content_type__model="picturebatch").order_by("pk")
    assert list(entries.values_list("action", flat=True)) == [
        LogEntry.Action.CREATE,
        LogEntry.Action.UPDATE,
    ]
    batch.refresh_from_db()
    assert (batch.made_by, batch.written_by) == (staff, staff)


def test_repeated_picture_upload_changes_nothing(staff: Account, pen: Product) -> None:
    uploads = [("110001.png", draw_picture()), ("110001-2.png", draw_picture("blue"))]
    picture_batch_write(
        actor=staff, batch_id=add_pictures(staff, *(file(*each) for each in uploads)).pk
    )
    CatalogChange.objects.all().delete()

    again = add_pictures(staff, *(file(*each) for each in uploads))
    picture_batch_write(actor=staff, batch_id=again.pk)

    assert [state for _name, state, _reason in list_rows(again)] == ["same", "same"]
    assert (CatalogChange.objects.count(), ProductImage.objects.count()) == (0, 1)


def test_replaced_picture_gets_a_new_path_and_the_old_file_stays(
    staff: Account, pen: Product
) -> None:
    picture_batch_write(actor=staff, batch_id=add_pictures(staff, file("110001-2.png")).pk)
    old = ProductImage.objects.get().path

    picture_batch_write(
        actor=staff, batch_id=add_pictures(staff, file("110001-2.png", draw_picture("blue"))).pk
    )

    new = ProductImage.objects.get().path
    assert new != old
    assert default_storage.exists(old)


def test_picture_changed_since_the_preview_is_skipped_and_the_rest_written(
    staff: Account, pen: Product
) -> None:
    batch = add_pictures(staff, file("110001.png"), file("110001-2.png"))
    Product.objects.update(image="products/other.png")

    picture_batch_write(actor=staff, batch_id=batch.pk)

    assert [state for _name, state, _reason in list_rows(batch)] == ["moved", "written"]
    pen.refresh_from_db()
    assert pen.image == "products/other.png"


def test_half_written_file_of_a_killed_process_is_replaced(staff: Account, pen: Product) -> None:
    batch = add_pictures(staff, file("110001.png"))
    path = get_final_path("110001", batch.rows.get().digest, "png")
    default_storage.delete(path)
    default_storage.save(path, ContentFile(b"half"))
    picture_batch_write(actor=staff, batch_id=batch.pk)

    pen.refresh_from_db()
    assert Image.open(default_storage.open(pen.image)).size == (8, 8)


def test_a_batch_is_written_once(staff: Account, pen: Product) -> None:
    batch = add_pictures(staff, file("110001.png"))
    picture_batch_write(actor=staff, batch_id=batch.pk)

    with pytest.raises(PictureBatchAlreadyWritten):
        picture_batch_write(actor=staff, batch_id=batch.pk)
    with pytest.raises(PictureBatchAlreadyWritten):
        picture_batch_add(actor=staff, uploads=[file("110001-2.png")], batch_id=batch.pk)
    with pytest.raises(PictureBatchAlreadyWritten):
        picture_batch_forget(batch_id=batch.pk)


def test_picture_batch_cannot_be_written_before_all_checks_end(
    staff: Account, pen: Product
) -> None:
    batch = picture_batch_add(actor=staff, uploads=[file("110001.png")])
    with pytest.raises(PictureBatchWaits):
        picture_batch_write(actor=staff, batch_id=batch.pk)


def test_a_check_without_time_still_does_one(staff: Account, pen: Product) -> None:
    batch = picture_batch_add(
        actor=staff, uploads=[file(f"110001-{number}.png") for number in range(1, 4)]
    )

    assert [picture_batch_check(batch_id=batch.pk, seconds=0) for _ in range(4)] == [2, 1, 0, 0]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (
            build_empty_png(13_300, 13_300),
            "图片像素过大，请缩小到 1200 万像素（WebP 为 500 万）以内后重试",
        ),
        (draw_picture()[:40], "图片已损坏或格式不正确，请重新选择"),
        (b"\x89PNG\r\n\x1a\n<svg/>", "图片已损坏或格式不正确，请重新选择"),
        (b"%PDF-1.4 %%EOF", "请上传 JPG、PNG、WebP 或 GIF 图片"),
        (b"", "请上传 JPG、PNG、WebP 或 GIF 图片"),
        (draw_picture() + b"\x00" * 5_300_000, "文件大小不能超过 5MB"),
    ],
    ids=["bomb", "cut", "svg", "pdf", "empty", "large"],
)
def test_invalid_picture_is_refused_and_not_staged(
    staff: Account, pen: Product, content: bytes, reason: str
) -> None:
    batch = add_pictures(staff, file("110001.png", content))
    assert list_rows(batch) == [("110001.png", "refused", reason)]
    assert list_staged_files() == []


def test_data_appended_to_a_picture_is_not_stored(staff: Account, pen: Product) -> None:
    batch = add_pictures(staff, file("110001.png", draw_picture() + b"<script>alert(1)</script>"))
    picture_batch_write(actor=staff, batch_id=batch.pk)

    pen.refresh_from_db()
    with default_storage.open(pen.image) as stored:
        assert b"script" not in stored.read()


def zip_pictures(*entries: tuple[str, bytes]) -> SimpleUploadedFile:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return file("图片.zip", buffer.getvalue())


def test_a_zip_is_its_files(staff: Account, pen: Product) -> None:
    batch = add_pictures(
        staff,
        zip_pictures(
            ("夹/110001.png", draw_picture()), ("夹/110001-2.png", b"no"), ("__MACOSX/x", b"x")
        ),
        file("110001-3.png"),
    )

    assert [(name, state) for name, state, _reason in list_rows(batch)] == [
        ("110001.png", "ready"),
        ("110001-2.png", "refused"),
        ("110001-3.png", "ready"),
    ]


def test_a_zip_without_files_and_no_file_at_all_are_refused(staff: Account, pen: Product) -> None:
    with pytest.raises(FileRefused, match="压缩包中没有文件"):
        picture_batch_add(actor=staff, uploads=[zip_pictures(("夹/", b""))])
    with pytest.raises(FileRefused, match="请选择图片"):
        picture_batch_add(actor=staff, uploads=[])


def test_a_zip_in_a_zip_is_no_picture(staff: Account, pen: Product) -> None:
    inner = zip_pictures(("110001.png", draw_picture())).read()
    batch = add_pictures(staff, zip_pictures(("110001.zip", inner)))
    assert list_rows(batch) == [("110001.zip", "refused", "请上传 JPG、PNG、WebP 或 GIF 图片")]


def test_zip_is_unpacked_only_up_to_the_limit(
    staff: Account, pen: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding, "MAX_UNPACKED", 10)
    batch = add_pictures(
        staff, zip_pictures(("110001.png", draw_picture()), ("110001-2.png", draw_picture()))
    )

    assert [reason for _name, _state, reason in list_rows(batch)] == [
        "",
        "压缩包解压后过大，请分成几个上传",
    ]


def test_a_batch_has_a_bound_over_all_its_uploads(
    staff: Account, pen: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding, "MAX_FILES", 2)
    batch = picture_batch_add(actor=staff, uploads=[file("110001.png"), file("110001-2.png")])

    with pytest.raises(PictureBatchFull, match="一批最多 2 个文件，现有 2 个，不能再加 1 个"):
        picture_batch_add(actor=staff, uploads=[file("110001-3.png")], batch_id=batch.pk)


def test_unwritten_picture_batch_is_deleted_after_a_day(
    staff: Account, pen: Product, django_capture_on_commit_callbacks: Committed
) -> None:
    old, new, written = (
        add_pictures(staff, file("110001.png", draw_picture(colour)))
        for colour in ("red", "blue", "green")
    )
    picture_batch_write(actor=staff, batch_id=written.pk)
    for batch in (old, written):
        PictureBatch.objects.filter(pk=batch.pk).update(
            made_at=batch.made_at - timedelta(days=1, minutes=1)
        )

    with django_capture_on_commit_callbacks(execute=True):
        assert picture_batches_forget() == 1

    assert set(PictureBatch.objects.all()) == {new, written}
    assert default_storage.exists(new.rows.get().path)
    assert default_storage.exists(Product.objects.get().image)
