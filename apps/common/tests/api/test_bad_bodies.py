"""Malformed request bodies are refused with status 200 and never cause a 5xx."""

from __future__ import annotations

import pytest

from apps.common.testing import ApiClient

pytestmark = [pytest.mark.urls("apps.common.tests.wire_urls"), pytest.mark.django_db]

BAD = {
    "not JSON": b"{",
    "not UTF-8": b'{"Name": "\xff"}',
    "NUL": b'{"Name": "a\\u0000"}',
    "lone surrogate": b'{"Name": "\\ud800"}',
    "NUL in a key": b'{"Na\\u0000me": 1}',
    "NaN": b'{"Name": NaN}',
    "Infinity": b'{"Name": -Infinity}',
    "a number of 5000 digits": b'{"Name": ' + b"9" * 5000 + b"}",
    "a number of 19 digits": b'{"Name": 1234567890123456789}',
    "1e400": b'{"Name": 1e400}',
    "deep arrays": b"[" * 50_000 + b"]" * 50_000,
    "deep objects": b'{"a":' * 3000 + b"1" + b"}" * 3000,
    "21 levels": b'{"a":' * 21 + b"1" + b"}" * 21,
    "many brackets": b"[" + b"[]," * 100_001 + b"[]]",
}


@pytest.mark.parametrize("body", BAD.values(), ids=BAD)
def test_malformed_body_is_refused_as_a_bad_request(api: ApiClient, body: bytes) -> None:
    answer = api.post("/api/Wish", body)
    assert (answer.status, answer.code) == (200, "bad_request")


@pytest.mark.parametrize(
    "body", [b"[]", b"null", b'"x"', b"1", b"[{}]", b'{"Name": {"a": 1}}', b'{"Name": []}', b""]
)
def test_a_wrong_shape_is_a_validation_error(api: ApiClient, body: bytes) -> None:
    answer = api.post("/api/Wish", body)
    assert (answer.status, answer.code) == (200, "validation")


def test_a_body_over_2_megabytes_is_too_large(api: ApiClient) -> None:
    answer = api.post("/api/Wish", b'{"Name": "' + b"x" * (2 * 1024 * 1024) + b'"}')
    assert (answer.status, answer.code) == (200, "too_large")


def test_a_pair_of_surrogates_is_a_letter(api: ApiClient) -> None:
    assert api.post("/api/Wish", b'{"Name": "\\ud83d\\ude00"}').body["Name"] == "😀"
