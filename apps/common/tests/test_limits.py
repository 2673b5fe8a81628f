"""Rate counters in the table, and in Redis if the suite has one."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.common.limits import counters as limits
from apps.common.limits.counters import add_hits, forget, peek, purge_counters
from apps.common.limits.rules import BatchedTally
from apps.common.models import RateCounter
from apps.common.tests.redis_stand_in import RedisStandIn

pytestmark = pytest.mark.django_db


def list_hits(times: int, **options: Any) -> list[int]:
    return [
        add_hits(**{"name": "x", "limit": 3, "window_seconds": 60, **options}) for _ in range(times)
    ]


def test_hits_are_counted_up_to_one_above_the_limit() -> None:
    assert list_hits(6) == [1, 2, 3, 4, 4, 4]
    assert peek(name="x") >= 4


def test_names_are_counted_apart() -> None:
    list_hits(2)
    assert add_hits(name="y", limit=3, window_seconds=60) == 1


def test_expired_window_counts_from_one(settings: Any) -> None:
    settings.CACHE_URL = ""
    list_hits(5)
    RateCounter.objects.update(expires_at=timezone.now())
    assert peek(name="x") == 0
    assert list_hits(2) == [1, 2]


def test_first_hit_opens_the_window_and_later_hits_keep_its_end(settings: Any) -> None:
    settings.CACHE_URL = ""
    list_hits(1)
    RateCounter.objects.update(expires_at=timezone.now() + timedelta(seconds=5))
    list_hits(1)
    assert RateCounter.objects.get().expires_at < timezone.now() + timedelta(seconds=6)


def test_forgotten_hits_count_no_more() -> None:
    list_hits(3)
    forget(name="x")
    assert peek(name="x") == 0


def test_expired_counters_are_purged(settings: Any) -> None:
    settings.CACHE_URL = ""
    list_hits(1)
    add_hits(name="y", limit=3, window_seconds=60)
    RateCounter.objects.filter(name="x").update(expires_at=timezone.now())
    assert purge_counters() == 1
    assert RateCounter.objects.get().name == "y"


def test_when_redis_is_away_the_table_counts_and_redis_rests(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CACHE_URL = "redis://127.0.0.1:1/0"
    settings.CACHES = {
        "default": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}
    }
    monkeypatch.setattr(limits, "_redis_back_at", 0.0)
    assert list_hits(2) == [1, 2]
    assert RateCounter.objects.get().count == 2
    assert limits._get_redis() is None


def test_processes_share_their_batched_counts(settings: Any) -> None:
    settings.CACHE_URL = ""
    first, second = BatchedTally(), BatchedTally()
    for _ in range(40):
        first.count(name="api:1.2.3.4", limit=40, window_seconds=60)
    assert [second.count(name="api:1.2.3.4", limit=40, window_seconds=60) for _ in range(3)] == [
        1,
        41,
        42,
    ]


def test_batched_count_takes_one_write_per_thirty_calls(
    settings: Any, django_assert_num_queries: Any
) -> None:
    settings.CACHE_URL = ""
    tally = BatchedTally()
    with django_assert_num_queries(20):
        for _ in range(600):
            tally.count(name="api:1.2.3.4", limit=600, window_seconds=60)


def test_tally_starts_at_one_in_a_new_window(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CACHE_URL = ""
    tally = BatchedTally()
    assert [tally.count(name="x", limit=100, window_seconds=60) for _ in range(3)] == [1, 2, 3]
    later = time.monotonic() + 61
    monkeypatch.setattr("apps.common.limits.rules.time.monotonic", lambda: later)
    assert tally.count(name="x", limit=100, window_seconds=60) == 1


def test_limit_continues_in_the_database_when_redis_stops(redis: RedisStandIn) -> None:
    assert list_hits(2) == [1, 2]
    assert not RateCounter.objects.exists()
    redis.stop()
    assert list_hits(3) == [3, 4, 4]
    assert RateCounter.objects.get().count == 4
    redis.start()


def test_limit_continues_from_the_database_when_redis_returns(redis: RedisStandIn) -> None:
    redis.stop()
    assert list_hits(2) == [1, 2]
    redis.start()
    assert list_hits(2) == [3, 4]


def test_forgotten_counter_stays_at_zero_when_redis_stops(redis: RedisStandIn) -> None:
    list_hits(3)
    forget(name="x")
    redis.stop()
    assert list_hits(1) == [1]
    redis.start()
