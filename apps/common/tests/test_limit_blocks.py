"""Staff list clients that a rate limit blocks, and release them, with Redis and without."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from auditlog.models import LogEntry
from django.utils import timezone

from apps.common.background.delivery import outbox_deliver
from apps.common.errors import WrongState
from apps.common.limits import counters as limits
from apps.common.limits.blocks import LIMITS, blocks_purge
from apps.common.limits.counters import add_hits, forget, get_seconds_left, peek
from apps.common.limits.rules import CLASSES, GENERAL, BatchedTally
from apps.common.models import OutboxMessage, RateBlock, RateCounter
from apps.common.services.block_release import block_release
from apps.common.tenancy import platform_scope
from apps.common.testing import ApiClient, assert_queries
from apps.common.tests.redis_stand_in import Connection, RedisStandIn
from apps.identity.tests.hand import solve
from apps.org.models import Account

pytestmark = pytest.mark.django_db
NAME = "writes:203.0.113.9"


@pytest.fixture(autouse=True)
def _none_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the counts that this process saw for the same address in earlier tests."""
    monkeypatch.setattr(limits, "sightings", limits.Sightings())


@pytest.fixture(params=["table", "redis"])
def _place(request: pytest.FixtureRequest, settings: Any) -> None:
    if request.param == "redis":
        request.getfixturevalue("redis")
    else:
        settings.CACHE_URL = ""


everywhere = pytest.mark.usefixtures("_place")


def list_hits(times: int, **options: Any) -> list[int]:
    return [
        add_hits(**{"name": NAME, "limit": 3, "window_seconds": 60, **options})
        for _ in range(times)
    ]


def release_block(staff: Account) -> RateBlock:
    with platform_scope(reason="test"):
        return block_release(staff=staff, block_id=RateBlock.objects.get().pk, reason="共用出口")


@everywhere
def test_the_call_too_many_begins_a_block_until_the_window_ends() -> None:
    list_hits(3)
    assert not RateBlock.objects.exists()
    list_hits(1)
    block = RateBlock.objects.get()
    assert (block.name, block.rule, block.client, block.account_id, block.times) == (
        NAME,
        "writes",
        "203.0.113.9",
        None,
        1,
    )
    assert timedelta(seconds=55) < block.until - block.began_at <= timedelta(seconds=60)


@everywhere
def test_further_refused_calls_do_not_change_the_block() -> None:
    list_hits(4)
    before = RateBlock.objects.values().get()
    list_hits(20)
    assert RateBlock.objects.values().get() == before


def test_refused_call_in_the_table_takes_one_query_and_a_new_block_three(
    settings: Any,
) -> None:
    settings.CACHE_URL = ""
    list_hits(3)
    with assert_queries(3):
        list_hits(1)
    with assert_queries(1):
        list_hits(1)


def test_refused_call_with_redis_takes_no_query(redis: RedisStandIn) -> None:
    list_hits(3)
    with assert_queries(1):
        list_hits(1)
    with assert_queries(0):
        list_hits(5)


@everywhere
def test_repeated_block_increments_its_row() -> None:
    list_hits(4)
    forget(name=NAME)
    RateBlock.objects.update(until=timezone.now())
    list_hits(4)
    assert RateBlock.objects.get().times == 2


def test_block_continues_in_one_row_when_redis_stops(redis: RedisStandIn) -> None:
    list_hits(4)
    redis.stop()
    list_hits(2)
    assert RateBlock.objects.get().times == 1
    redis.start()


@everywhere
@pytest.mark.parametrize(
    ("name", "rule", "client"),
    [
        ("general:2001:db8::", "general", "2001:db8::"),
        ("general:account-7", "general", "account-7"),
        ("assistant:day:7", "assistant:day", "account-7"),
        ("password:7", "password", "account-7"),
    ],
)
def test_counter_name_determines_rule_client_and_account(name: str, rule: str, client: str) -> None:
    list_hits(4, name=name)
    block = RateBlock.objects.get()
    assert (block.rule, block.client, block.account_id) == (
        rule,
        client,
        7 if client == "account-7" else None,
    )


@everywhere
def test_waits_are_no_blocks() -> None:
    list_hits(4, name="reset-wait:1234")
    list_hits(4, name="login-name:1234")
    assert not RateBlock.objects.exists()


@everywhere
def test_block_begins_at_the_given_count_of_its_limit() -> None:
    list_hits(2, name="admin-login:203.0.113.9", holds_from=3)
    assert not RateBlock.objects.exists()
    list_hits(1, name="admin-login:203.0.113.9", holds_from=3)
    assert RateBlock.objects.get().rule == "admin-login"


def test_batched_count_creates_a_block_at_the_first_refusal(settings: Any) -> None:
    settings.CACHE_URL = ""
    tally = BatchedTally()
    counts = [tally.count(name=NAME, limit=600, window_seconds=60) for _ in range(600)]
    assert (counts[-1], RateBlock.objects.count()) == (600, 0)
    assert tally.count(name=NAME, limit=600, window_seconds=60) == 601
    assert RateBlock.objects.get().times == 1


@everywhere
def test_released_client_counts_from_one(staff: Account) -> None:
    list_hits(5)
    block = release_block(staff)

    assert (block.released_by_id, peek(name=NAME)) == (staff.pk, 0)
    assert list_hits(2) == [1, 2]
    entry = LogEntry.objects.get_for_object(block).get()
    assert (entry.actor_id, entry.changes) == (
        staff.pk,
        {"状态": ["限制中", "已解除"], "原因": ["", "共用出口"]},
    )


@everywhere
def test_ended_block_cannot_be_released(staff: Account) -> None:
    list_hits(4)
    release_block(staff)
    with pytest.raises(WrongState, match="已到期或已解除"):
        release_block(staff)
    RateBlock.objects.update(released_at=None, until=timezone.now())
    with pytest.raises(WrongState, match="已到期或已解除"):
        release_block(staff)
    assert LogEntry.objects.get_for_object(RateBlock.objects.get()).count() == 1


@everywhere
def test_released_client_is_blocked_again(staff: Account) -> None:
    list_hits(4)
    release_block(staff)
    list_hits(4)
    block = RateBlock.objects.get()
    assert (block.times, block.released_at, block.released_by) == (2, None, None)


def test_release_reaches_redis_after_its_return(redis: RedisStandIn, staff: Account) -> None:
    list_hits(5)
    counts = dict(Connection.values)
    redis.stop()
    release_block(staff)
    assert OutboxMessage.objects.get().topic == "limit.released"
    redis.start()
    Connection.values.update(counts)
    assert peek(name=NAME) == 5
    with platform_scope(reason="test"):
        outbox_deliver()
    assert (peek(name=NAME), OutboxMessage.objects.get().delivered_at is not None) == (0, True)


def test_release_is_retried_while_redis_is_unavailable(redis: RedisStandIn, staff: Account) -> None:
    list_hits(5)
    redis.stop()
    release_block(staff)
    outbox_deliver()
    message = OutboxMessage.objects.get()
    assert (message.delivered_at, message.last_error) == (None, "RedisAway: ")
    redis.start()


def test_solved_captcha_ends_only_releasable_blocks(api: ApiClient, settings: Any) -> None:
    settings.RATE_LIMITS = {"general": "1/m", "codes": "1/h"}
    for _ in range(2):
        api.post("/api/Account/SendResetCode", {"UserName": "nobody"})
        api.get("/api/Nothing")
    assert RateBlock.objects.filter(released_at=None).count() == 2
    puzzle = api.get("/api/Account/Captcha").body
    assert api.post(
        "/api/Account/UnLock", {"CaptchaVerifyParam": json.dumps(solve(puzzle["Id"]))}
    ).ok
    assert RateBlock.objects.get(released_at=None).rule == "codes"


def test_blocks_of_a_month_ago_are_purged(settings: Any) -> None:
    settings.CACHE_URL = ""
    list_hits(4)
    RateBlock.objects.update(until=timezone.now() - timedelta(days=29))
    assert blocks_purge() == 0
    RateBlock.objects.update(until=timezone.now() - timedelta(days=31))
    assert (blocks_purge(), RateCounter.objects.count()) == (1, 1)


def test_every_class_of_calls_has_a_name_for_staff() -> None:
    assert {rule.name for rule in (*CLASSES, GENERAL)} <= set(LIMITS)


@everywhere
def test_seconds_left_cover_the_current_window() -> None:
    add_hits(name=NAME, limit=1, window_seconds=60)

    assert (get_seconds_left(name=NAME) in (59, 60), get_seconds_left(name="writes:nobody")) == (
        True,
        0,
    )
    forget(name=NAME)
    assert get_seconds_left(name=NAME) == 0
