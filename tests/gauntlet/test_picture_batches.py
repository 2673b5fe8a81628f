"""One picture batch, filled, checked and written by several people in parallel, with real
processes.
"""

from __future__ import annotations

import io
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from apps.catalog.models import PictureBatch, Product
from apps.catalog.services.picture_batch_add import FOLDER, picture_batch_add, picture_batch_check
from apps.catalog.services.picture_batch_write import picture_batch_write
from apps.catalog.tests.factories import ProductFactory
from apps.org.models import Account
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def batch(staff: Account, settings: Any, tmp_path: Path) -> PictureBatch:
    """Ten pictures for ten products, on a disk shared by all processes."""
    disk = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": tmp_path},
    }
    settings.STORAGES = {**settings.STORAGES, "default": disk}
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(buffer, "PNG")
    codes = [ProductFactory(image="").code for _ in range(10)]
    return picture_batch_add(
        actor=staff,
        uploads=[SimpleUploadedFile(f"{code}.png", buffer.getvalue()) for code in codes],
    )


def test_checked_by_five_and_written_by_ten_at_once_it_is_written_once(
    staff: Account, batch: PictureBatch
) -> None:
    checks = run_race([partial(picture_batch_check, batch_id=batch.pk, seconds=60)] * 5)
    outcomes = run_race([partial(picture_batch_write, actor=staff, batch_id=batch.pk)] * 10)

    assert all(check.ok for check in checks)
    assert Counter(outcome.code for outcome in outcomes) == {"": 1, "wrong_state": 9}
    images = set(Product.objects.values_list("image", flat=True))
    assert len(images) == 10
    assert all(default_storage.exists(image) for image in images)
    assert Counter(batch.rows.values_list("state", flat=True)) == {"written": 10}
    assert default_storage.listdir(FOLDER)[1] == []


def add_picture(staff: Account, batch: PictureBatch, code: str, content: bytes) -> None:
    picture_batch_add(
        actor=staff, uploads=[SimpleUploadedFile(f"{code}.png", content)], batch_id=batch.pk
    )


def test_a_batch_added_to_by_many_at_once_stays_within_its_bound_and_refused_files_are_gone(
    staff: Account, batch: PictureBatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them see free room."""
    monkeypatch.setattr("apps.catalog.services.picture_batch_add.MAX_FILES", 15)
    with default_storage.open(batch.rows.first().path) as file:
        content = file.read()

    outcomes = run_race(
        [
            partial(add_picture, staff, batch, ProductFactory(image="").code, content)
            for _ in range(20)
        ]
    )

    assert Counter(outcome.ok for outcome in outcomes) == {True: 5, False: 15}
    assert batch.rows.count() == 15
    assert len(default_storage.listdir(FOLDER)[1]) == 15
