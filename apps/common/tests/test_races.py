"""Rules that must hold under concurrency. These tests use threads; tests/gauntlet uses
processes.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from apps.common.background import outbox as outbox_module
from apps.common.background.delivery import outbox_deliver
from apps.common.background.leases import lease_take
from apps.common.background.outbox import outbox_publish, register_outbox_handler
from apps.common.limits.counters import add_hits
from apps.common.models import IdempotencyRecord
from apps.common.testing import ApiClient
from apps.org.models import Account, Department

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(count: int, act: Callable[[int], Any]) -> list[Any]:
    """Run `act(0)` … `act(count - 1)` in threads that start together and return the results."""
    barrier = Barrier(count)

    def run(number: int) -> Any:
        try:
            barrier.wait()
            return act(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_concurrent_hits_are_all_counted(settings: Any) -> None:
    settings.CACHE_URL = ""
    counts = at_once(
        8,
        lambda _number: [add_hits(name="x", limit=1000, window_seconds=60) for _ in range(10)],
    )
    assert sorted(count for batch in counts for count in batch) == list(range(1, 81))


def test_concurrent_takers_of_a_lease_leave_one_holder() -> None:
    outcomes = at_once(
        8, lambda number: lease_take(name="x", holder=str(number), duration=timedelta(minutes=1))
    )
    assert outcomes.count(True) == 1


def test_expired_lease_is_taken_over_by_one_of_many() -> None:
    lease_take(name="x", holder="dead", duration=timedelta(0))
    outcomes = at_once(
        8, lambda number: lease_take(name="x", holder=str(number), duration=timedelta(minutes=1))
    )
    assert outcomes.count(True) == 1


def test_many_deliverers_deliver_each_message_once() -> None:
    handled: list[str] = []
    register_outbox_handler("test.race")(lambda key, _payload: handled.append(key))
    for number in range(20):
        outbox_publish(topic="test.race", key=str(number))
    at_once(4, lambda _number: outbox_deliver())
    outbox_module._handlers.pop("test.race")
    assert sorted(handled, key=int) == [str(number) for number in range(20)]


@pytest.mark.urls("apps.common.tests.wire_urls")
def test_twenty_concurrent_calls_with_one_key_have_one_effect_and_answer(buyer: Account) -> None:
    bearer = ApiClient(buyer).bearer
    answers = at_once(
        20,
        lambda _number: ApiClient(bearer=bearer).post(
            "/api/Wish/keep", {"a": 1}, key="key-00000001"
        ),
    )
    assert {(answer.ok, answer.body["Times"], answer.message) for answer in answers} == {
        (True, 1, "好")
    }
    assert Department.objects.filter(name="kept").count() == 1
    assert IdempotencyRecord.objects.count() == 1
