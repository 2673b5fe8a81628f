"""The `Idempotency-Key` header."""

from __future__ import annotations

import pytest

from apps.common.models import IdempotencyRecord
from apps.common.testing import ApiClient
from apps.org.models import Account, Department

pytestmark = pytest.mark.urls("apps.common.tests.wire_urls")
KEEP, KEY = "/api/Wish/keep", "key-00000001"


def count_departments() -> int:
    return Department.objects.filter(name="kept").count()


def test_repeated_idempotency_key_has_one_effect_and_the_same_answer(buyer: Account) -> None:
    client = ApiClient(buyer)
    first, second = (client.post(KEEP, {"a": 1}, key=KEY) for _ in range(2))
    assert (first.body, first.message) == (second.body, second.message) == ({"Times": 1}, "好")
    assert count_departments() == 1


def test_different_idempotency_keys_have_separate_effects(buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post(KEEP, key=KEY)
    assert client.post(KEEP, key="key-00000002").body == {"Times": 2}


def test_calls_without_a_key_have_separate_effects(buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post(KEEP)
    assert client.post(KEEP).body == {"Times": 2}


def test_a_different_body_under_the_same_key_is_refused(buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post(KEEP, {"a": 1}, key=KEY)
    answer = client.post(KEEP, {"a": 2}, key=KEY)
    assert (answer.status, answer.code) == (200, "idempotency_mismatch")
    assert count_departments() == 1


def test_the_order_of_keys_in_the_body_is_no_difference(buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post(KEEP, b'{"a": 1, "b": 2}', key=KEY)
    assert client.post(KEEP, b'{"b": 2, "a": 1}', key=KEY).ok


def test_idempotency_key_at_another_address_is_refused(buyer: Account) -> None:
    client = ApiClient(buyer)
    client.post(KEEP, key=KEY)
    assert client.post("/api/Wish/fail_late", key=KEY).code == "idempotency_mismatch"


def test_a_key_belongs_to_its_account(buyer: Account, approver: Account) -> None:
    ApiClient(buyer).post(KEEP, key=KEY)
    assert ApiClient(approver).post(KEEP, key=KEY).body == {"Times": 2}


def test_refused_request_writes_no_rows_and_no_idempotency_record(buyer: Account) -> None:
    answer = ApiClient(buyer).post("/api/Wish/fail_late", key=KEY)
    assert not answer.ok
    assert count_departments() == 0
    assert IdempotencyRecord.objects.count() == 0


@pytest.mark.parametrize("key", ["short", "x" * 81, "blank blank", "中文中文中文中文"])
def test_a_malformed_key_is_refused_by_name(buyer: Account, key: str) -> None:
    assert list(ApiClient(buyer).post(KEEP, key=key).errors) == ["Idempotency-Key"]
