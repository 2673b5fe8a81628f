"""Counters that hold, in the table and in Redis when the suite has one (quality.md, G13)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.common import limits
from apps.common.errors import RateLimited
from apps.common.limits import check_limit, forget, hit, lift, peek, purge_counters
from apps.common.middleware.rate_limit import BatchedTally
from apps.common.models import RateCounter

pytestmark = pytest.mark.django_db


def hits(times: int, **options: Any) -> list[int]:
    return [hit(**{"name": "x", "limit": 3, "window_seconds": 60, **options}) for _ in range(times)]


def test_hits_are_counted_up_to_one_over_the_limit() -> None:
    assert hits(6) == [1, 2, 3, 4, 4, 4]
    assert peek(name="x") >= 4


def test_names_are_counted_apart() -> None:
    hits(2)
    assert hit(name="y", limit=3, window_seconds=60) == 1


def test_a_window_that_is_over_counts_from_one(settings: Any) -> None:
    settings.CACHE_URL = ""
    hits(5)
    RateCounter.objects.update(expires_at=timezone.now())
    assert peek(name="x") == 0
    assert hits(2) == [1, 2]


def test_the_first_hit_opens_the_window_and_later_ones_do_not_prolong_it(settings: Any) -> None:
    settings.CACHE_URL = ""
    hits(1)
    RateCounter.objects.update(expires_at=timezone.now() + timedelta(seconds=5))
    hits(1)
    assert RateCounter.objects.get().expires_at < timezone.now() + timedelta(seconds=6)


def test_forgotten_hits_count_no_more() -> None:
    hits(3)
    forget(name="x")
    assert peek(name="x") == 0


def test_one_too_many_is_refused_with_the_security_block_info() -> None:
    options: dict[str, Any] = {"name": "login", "limit": 1, "window_seconds": 60, "client": "1.2.3.4", "target": "/api/Account/Login"}
    check_limit(**options)
    with pytest.raises(RateLimited) as caught:
        check_limit(**options)
    body = caught.value.body
    assert (body["Ip"], body["Target"]) == ("1.2.3.4", "/api/Account/Login")
    assert set(body) == {"Ip", "CurrentTime", "Target", "Guid"}


def test_lifting_a_block_lets_the_client_in_again_but_not_others() -> None:
    for client in ("1.2.3.4", "5.6.7.8"):
        hit(name=f"login:{client}", limit=1, window_seconds=60, amount=2)
    lift("1.2.3.4")
    check_limit(name="login", limit=1, window_seconds=60, client="1.2.3.4", target="")
    with pytest.raises(RateLimited):
        check_limit(name="login", limit=1, window_seconds=60, client="5.6.7.8", target="")


def test_a_solved_captcha_does_not_lift_the_limit_of_codes() -> None:
    hit(name="code:1.2.3.4", limit=1, window_seconds=60)
    lift("1.2.3.4")
    assert peek(name="code:1.2.3.4") == 1


def test_counters_that_are_over_are_purged(settings: Any) -> None:
    settings.CACHE_URL = ""
    hits(1)
    hit(name="y", limit=3, window_seconds=60)
    RateCounter.objects.filter(name="x").update(expires_at=timezone.now())
    assert purge_counters() == 1
    assert RateCounter.objects.get().name == "y"


def test_when_redis_is_away_the_table_counts_and_redis_rests(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CACHE_URL = "redis://127.0.0.1:1/0"
    settings.CACHES = {"default": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": "redis://127.0.0.1:1/0"}}
    monkeypatch.setattr(limits, "_redis_back_at", 0.0)
    assert hits(2) == [1, 2]
    assert RateCounter.objects.get().count == 2
    assert limits._redis() is None


def test_the_general_limit_answers_429_in_the_envelope(client: Client, settings: Any) -> None:
    settings.API_RATE_PER_MINUTE = 3
    answers = [client.get("/api/Nothing") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [404, 404, 404, 429]
    body = answers[3].json()
    assert body["MsgHeader"]["RetCode"] == "rate_limited"
    assert set(body["MsgBody"]) == {"Ip", "CurrentTime", "Target", "Guid"}


def test_a_forged_forwarded_for_does_not_escape_the_general_limit(client: Client, settings: Any) -> None:
    settings.API_RATE_PER_MINUTE = 3
    statuses = [client.get("/api/Nothing", headers={"X-Forwarded-For": f"1.2.3.{n}"}).status_code for n in range(4)]
    assert statuses[3] == 429


def test_a_blocked_client_can_still_unlock_itself(client: Client, settings: Any) -> None:
    settings.API_RATE_PER_MINUTE = 1
    client.get("/api/Nothing")
    assert client.get("/api/Nothing").status_code == 429
    assert client.post("/api/Account/UnLock", {}, content_type="application/json").status_code != 429
    lift("127.0.0.1")
    assert client.get("/api/Nothing").status_code == 404


def test_pages_have_no_general_limit(client: Client, settings: Any) -> None:
    settings.API_RATE_PER_MINUTE = 1
    assert [client.get("/healthz").status_code for _ in range(3)] == [200, 200, 200]


def test_processes_share_what_they_counted_in_batches(settings: Any) -> None:
    settings.CACHE_URL = ""
    first, second = BatchedTally(), BatchedTally()
    for _ in range(40):
        first.count(name="api:1.2.3.4", limit=40)
    assert [second.count(name="api:1.2.3.4", limit=40) for _ in range(3)] == [1, 41, 42]


def test_batches_cost_one_write_in_twenty_calls(settings: Any, django_assert_num_queries: Any) -> None:
    settings.CACHE_URL = ""
    tally = BatchedTally()
    with django_assert_num_queries(20):
        for _ in range(600):
            tally.count(name="api:1.2.3.4", limit=600)
