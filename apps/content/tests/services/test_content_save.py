"""Validation of content."""

from __future__ import annotations

import io

import pytest
from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError
from PIL import Image

from apps.common.background.delivery import outbox_deliver
from apps.common.errors import FileRefused
from apps.content.models import ContentStamp, check_address
from apps.content.services import content_picture_store
from apps.content.tests.factories import create_banner, create_setting

BAD = [
    "javascript:alert(1)",
    "/.//evil.example",
    "https://user:word@evil.example/",
    "http://evil.example:99999/",
    "//evil.example/",
    "/\\evil.example",
    "data:text/html,x",
    "www.wencai.example",
    "",
    "/a b",
    "ftp://a.example/",
]


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/product/index?Sort=new",
        "https://www.wencai.example/a?b=c",
        "http://en.wencai.example/",
    ],
)
def test_paths_and_web_addresses_may_be_linked(address: str) -> None:
    check_address(address)


@pytest.mark.parametrize("address", BAD)
def test_unsupported_link_address_is_refused(address: str) -> None:
    with pytest.raises(ValidationError):
        check_address(address)


@pytest.mark.django_db
def test_picture_is_stored_under_a_generated_name() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (4, 4)).save(buffer, "PNG")
    path = content_picture_store(upload=SimpleUploadedFile("广告.png", buffer.getvalue()))

    assert path.startswith("content/")
    assert "广告" not in path
    assert default_storage.exists(path)


@pytest.mark.django_db
def test_a_stored_picture_gets_its_widths_in_the_background() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (1000, 500)).save(buffer, "PNG")
    path = content_picture_store(upload=SimpleUploadedFile("广告.png", buffer.getvalue()))
    assert not default_storage.exists(f"{path}.400.webp")

    outbox_deliver()

    assert default_storage.exists(f"{path}.400.webp")


def test_file_other_than_a_picture_is_refused() -> None:
    with pytest.raises(FileRefused, match="请上传图片文件"):
        content_picture_store(upload=SimpleUploadedFile("a.svg", b"<svg onload=alert(1)>"))


@pytest.mark.django_db
def test_the_stamp_is_one_row_that_every_save_moves() -> None:
    create_banner()
    first = ContentStamp.objects.get().moved_at
    create_setting(slogan="二")

    assert ContentStamp.objects.get().moved_at > first
    with pytest.raises(IntegrityError):
        ContentStamp.objects.create(pk=2, moved_at=first)
