"""Private files over HTTP."""

from __future__ import annotations

import io
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signing import TimestampSigner
from django.utils import timezone

from apps.common.files import file_url
from apps.common.models import StoredFile
from apps.common.testing import Answer, ApiClient
from apps.common.tests.test_files import PDF_BYTES, draw_picture
from apps.org.models import Account

EXECUTE = "/api/File/Execute"


def upload(
    account: Account, name: str = "图.png", content: bytes | None = None, **fields: Any
) -> Answer:
    return ApiClient(account).upload(
        EXECUTE, {"file": SimpleUploadedFile(name, content or draw_picture()), **fields}
    )


def test_upload_returns_a_readable_address(buyer: Account) -> None:
    answer = upload(buyer)
    assert answer.ok
    assert answer.body["Name"] == "图.png"
    assert set(answer.body) == {"FileId", "Name", "Size", "Url"}
    assert (
        ApiClient().get(answer.body["Url"]).body
        == default_storage.open(StoredFile.objects.get().path).read()
    )


def test_upload_accepts_any_field_name_and_ignores_other_fields(buyer: Account) -> None:
    answer = ApiClient(buyer).upload(
        EXECUTE,
        {"upload": SimpleUploadedFile("a.png", draw_picture()), "path": "null", "extra": "1"},
    )
    assert answer.ok


def test_stored_path_does_not_contain_the_file_name(buyer: Account) -> None:
    upload(buyer, "secret-plan.png")
    assert "secret" not in StoredFile.objects.get().path


def test_an_upload_needs_a_login(db: None) -> None:
    answer = ApiClient().upload(EXECUTE, {"file": io.BytesIO(b"x")})
    assert (answer.status, answer.code) == (401, "not_logged_in")


def test_refused_file_is_not_stored(buyer: Account) -> None:
    answer = upload(buyer, "a.svg", b"<svg/>")
    assert (answer.status, answer.code, answer.message) == (200, "file_refused", "不支持的文件类型")
    assert StoredFile.objects.count() == 0


def test_too_large_file_is_refused_with_the_limit(buyer: Account) -> None:
    answer = upload(buyer, "a.pdf", b"x" * (20 * 1024 * 1024 + 1))
    assert (answer.code, answer.message) == ("file_refused", "文件大小不能超过 20MB")


def test_upload_without_a_file_or_with_two_files_is_refused(buyer: Account) -> None:
    assert ApiClient(buyer).upload(EXECUTE, {"path": "x"}).message == "请选择一个文件"
    assert (
        upload(buyer, second=SimpleUploadedFile("b.png", draw_picture())).message
        == "一次只能上传一个文件"
    )


def test_file_response_headers_prevent_execution(buyer: Account) -> None:
    response = ApiClient().get(upload(buyer, "合同.pdf", PDF_BYTES).body["Url"]).response
    assert response["Content-Disposition"] == "attachment; filename*=UTF-8''%E5%90%88%E5%90%8C.pdf"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response["Content-Security-Policy"]
    assert response["Cache-Control"] == "private, max-age=240"


def test_file_without_a_valid_signature_is_not_found(buyer: Account) -> None:
    url = upload(buyer).body["Url"]
    for bad in (
        url[:-1] + ("a" if url[-1] != "a" else "b"),
        f"/api/File/{uuid.uuid4()}?{url.partition('?')[2]}",
    ):
        answer = ApiClient(buyer).get(bad)
        assert (answer.status, answer.code) == (404, "not_found")


def test_uploader_reads_the_file_with_his_bearer(buyer: Account) -> None:
    address = upload(buyer).body["Url"].partition("?")[0]
    assert (
        ApiClient(buyer).get(address).body
        == default_storage.open(StoredFile.objects.get().path).read()
    )


def test_file_without_a_signature_is_not_found_for_other_accounts(
    buyer: Account, ga: Account, other_ga: Account
) -> None:
    address = upload(buyer).body["Url"].partition("?")[0]
    missing = ApiClient(other_ga).get(f"/api/File/{uuid.uuid4()}")
    for answer in (
        ApiClient(ga).get(address),
        ApiClient(other_ga).get(address),
        ApiClient().get(address),
    ):
        assert (answer.status, answer.code, answer.message) == (404, missing.code, missing.message)


def test_file_with_missing_bytes_answers_404(buyer: Account) -> None:
    url = upload(buyer).body["Url"]
    default_storage.delete(StoredFile.objects.get().path)
    assert ApiClient().get(url).status == 404


def test_an_address_is_good_for_five_minutes(
    buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(buyer)
    stored = StoredFile.objects.get()
    past = timezone.now().timestamp() - timedelta(seconds=301).total_seconds()
    with monkeypatch.context() as clock:
        clock.setattr("django.core.signing.time.time", lambda: past)
        url = file_url(stored, account=buyer)
    assert ApiClient().get(url).status == 404


def test_signed_address_of_another_account_is_not_found(buyer: Account, other_ga: Account) -> None:
    url = upload(buyer).body["Url"]
    assert ApiClient(other_ga).get(url).status == 404


def test_the_address_of_a_disabled_account_is_dead(buyer: Account) -> None:
    url = upload(buyer).body["Url"]
    buyer.is_active = False
    buyer.save()
    assert ApiClient().get(url).status == 404


def test_file_response_delegates_to_the_proxy(buyer: Account, settings: Any) -> None:
    url = upload(buyer).body["Url"]
    settings.X_ACCEL_PREFIX = "/_private/"
    response = ApiClient().get(url).response
    assert response["X-Accel-Redirect"] == f"/_private/{StoredFile.objects.get().path}"


def test_signature_of_another_purpose_is_not_accepted(buyer: Account) -> None:
    upload(buyer)
    stored = StoredFile.objects.get()
    forged = (
        TimestampSigner()
        .sign(f"{stored.public_id.hex}.{buyer.pk}.{stored.group_id}")
        .partition(".")[2]
    )
    assert ApiClient().get(f"/api/File/{stored.public_id}?sig={forged}").status == 404
