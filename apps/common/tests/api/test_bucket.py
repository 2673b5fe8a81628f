"""Files in a bucket (STORAGE_URL) are uploaded and downloaded through the mall, as with a local
disk.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import boto3
import environ
import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from moto.server import ThreadedMotoServer

from apps.common.models import StoredFile
from apps.common.testing import Answer, ApiClient
from apps.common.tests.test_files import PDF_BYTES
from apps.org.models import Account
from mall.settings.storage import build_storages


@pytest.fixture(scope="module")
def endpoint() -> Generator[str]:
    """An S3 server on a free port."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(endpoint: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A bucket on that server. STORAGE_URL alone makes the mall store its files there."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("STORAGE_URL", f"s3://mall-files?endpoint={endpoint}&region=us-east-1")
    bucket = boto3.resource("s3", endpoint_url=endpoint, region_name="us-east-1").Bucket(
        "mall-files"
    )
    bucket.create()
    settings.STORAGES = {**settings.STORAGES, "default": build_storages(environ.Env())["default"]}
    yield bucket
    bucket.objects.all().delete()
    bucket.delete()


def upload(account: Account) -> Answer:
    return ApiClient(account).upload(
        "/api/File/Execute", {"file": SimpleUploadedFile("合同.pdf", PDF_BYTES)}
    )


def test_upload_is_stored_in_the_bucket_under_a_neutral_name(bucket: Any, buyer: Account) -> None:
    assert upload(buyer).ok
    (stored,) = bucket.objects.all()
    assert stored.key == StoredFile.objects.get().path
    assert (stored.get()["Body"].read(), "合同" in stored.key) == (PDF_BYTES, False)


def test_its_bytes_pass_through_the_mall_without_a_redirect(bucket: Any, buyer: Account) -> None:
    url = upload(buyer).body["Url"]
    assert url.startswith("/api/File/")
    answer = ApiClient().get(url)
    assert (answer.status, answer.body) == (200, PDF_BYTES)
    assert (
        answer.response["Content-Disposition"]
        == "attachment; filename*=UTF-8''%E5%90%88%E5%90%8C.pdf"
    )
    assert answer.response["Content-Length"] == str(len(PDF_BYTES))


def test_a_foreign_customer_finds_no_file_in_the_bucket_either(
    bucket: Any, buyer: Account, other_ga: Account
) -> None:
    url = upload(buyer).body["Url"]
    assert ApiClient(other_ga).get(url).status == 404


def test_file_missing_in_the_bucket_answers_404(bucket: Any, buyer: Account) -> None:
    url = upload(buyer).body["Url"]
    bucket.objects.all().delete()
    assert ApiClient().get(url).status == 404


def test_public_pictures_come_from_the_bucket_too(bucket: Any, api: ApiClient, db: None) -> None:
    bucket.put_object(Key="products/a.png", Body=b"png")
    assert api.get("/media/products/a.png").body == b"png"
    assert api.get("/media/products/b.png").status == 404
    assert api.get("/media/files/2026/01/a.pdf").status == 404


def test_a_bucket_is_not_waited_for_for_ever(bucket: Any) -> None:
    storage: Any = default_storage
    config = storage.client_config
    assert (config.connect_timeout, config.read_timeout) == (5, 30)
