"""Counters shared by all processes: in Redis, or in a table if Redis is missing or down.

Call them before a transaction opens: a counter that is rolled back with a refusal counts nothing.
`rules.py` defines the limits.
"""

from __future__ import annotations

import time
import uuid
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil
from threading import Lock
from typing import Any, cast

import structlog
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from redis import Redis
from redis.exceptions import RedisError

from apps.common.errors import RateLimited
from apps.common.limits.blocks import block_begin, blocks_purge
from apps.common.models import RateCounter
from apps.common.requests import build_client_key

log = structlog.get_logger(__name__)

REDIS_REST_SECONDS = 5.0
MAX_REMEMBERED = 10_000
REFUSED_SECONDS = 0.2
# The message of a block that no captcha lifts.
WAIT = "操作过于频繁，请稍后再试"

# The first hit opens a window. The counter stops at limit + 1, so that a blocked client causes no
# more writes.
UPSERT = """
INSERT INTO common_ratecounter (name, count, expires_at) VALUES (%s, %s, %s)
ON CONFLICT (name) DO UPDATE SET
  count = CASE WHEN common_ratecounter.expires_at <= %s THEN excluded.count
      ELSE common_ratecounter.count + excluded.count END,
  expires_at = CASE WHEN common_ratecounter.expires_at <= %s THEN excluded.expires_at
      ELSE common_ratecounter.expires_at END
WHERE common_ratecounter.expires_at <= %s OR common_ratecounter.count <= %s
RETURNING count, expires_at
"""
_redis_back_at = 0.0


def _get_redis() -> Redis | None:
    """Return the Redis client. None without CACHE_URL, and for a while after a failure."""
    if not settings.CACHE_URL or time.monotonic() < _redis_back_at:
        return None
    from django_redis import get_redis_connection

    return cast("Redis", get_redis_connection("default"))


def _build_redis_key(name: str) -> str:
    return f"{settings.CACHE_PREFIX}:limit:{name}"


def _redis_is_away(error: RedisError) -> None:
    """Use the table for a few seconds, so that not every request waits for a failing connection."""
    global _redis_back_at
    _redis_back_at = time.monotonic() + REDIS_REST_SECONDS
    log.warning("redis_away", error=type(error).__name__)


@dataclass(frozen=True, slots=True)
class Sighting:
    """The last state of a counter that this process saw: where it was stored, its count, and
    the end of its window.
    """

    place: str
    count: int
    until: float


class Sightings:
    """The last counts of many counters. When Redis goes down or comes back, a limit continues
    from its last count.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._seen: OrderedDict[str, Sighting] = OrderedDict()

    def count_elsewhere(self, name: str, store: str) -> int:
        """Return the count of the counter's open window if it was last counted in another store
        than `store` (Redis or the table), otherwise 0.
        """
        with self._lock:
            window = self._seen.get(name)
        return (
            window.count
            if window and window.place != store and window.until > time.monotonic()
            else 0
        )

    def note(
        self, name: str, place: str, count: int, *, seconds: float | None, window_seconds: int
    ) -> None:
        """Remember a count and the end of its window.

        If `seconds` is None, keep the end that is known, or assume a whole window.
        """
        now = time.monotonic()
        with self._lock:
            window = self._seen.pop(name, None)
            until = now + (window_seconds if seconds is None else seconds)
            if (
                seconds is None
                and window is not None
                and window.place == place
                and window.until > now
            ):
                until = window.until
            self._seen[name] = Sighting(place, count, until)
            while len(self._seen) > MAX_REMEMBERED:
                self._seen.popitem(last=False)

    def get_seconds_left(self, name: str) -> float:
        """Return how many seconds of the last seen window are left; 0 if there is none."""
        with self._lock:
            window = self._seen.get(name)
        return max(0.0, window.until - time.monotonic()) if window else 0.0

    def forget(self, name: str) -> None:
        with self._lock:
            self._seen.pop(name, None)


sightings = Sightings()


class Refusals:
    """Counters that this process has just seen over their limit. A flood of refused calls then
    reads Redis or the table only a few times per second.

    An entry lasts 0.2 s, because a solved captcha or staff may reset a counter in another process.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._until: OrderedDict[str, float] = OrderedDict()
        self._is_liftable: dict[str, bool] = {}

    def holds(self, name: str) -> bool:
        with self._lock:
            return self._until.get(name, 0.0) > time.monotonic()

    def note(self, name: str) -> None:
        """Refuse for REFUSED_SECONDS, but not beyond the end of the window."""
        seconds = min(REFUSED_SECONDS, sightings.get_seconds_left(name) or REFUSED_SECONDS)
        with self._lock:
            self._drop_counter(name)
            self._until[name] = time.monotonic() + seconds
            while len(self._until) > MAX_REMEMBERED:
                self._drop_counter(next(iter(self._until)))

    def is_liftable(self, name: str) -> bool | None:
        """Return whether a solved captcha can lift this block, or None if `note_liftable` was not
        called since the last `note`.
        """
        with self._lock:
            return self._is_liftable.get(name)

    def note_liftable(self, name: str, *, is_liftable: bool) -> None:
        """Remember whether a solved captcha can lift this block, as long as the refusal lasts."""
        with self._lock:
            if name in self._until:
                self._is_liftable[name] = is_liftable

    def forget(self, name: str) -> None:
        with self._lock:
            self._drop_counter(name)

    def clear(self) -> None:
        with self._lock:
            self._until.clear()
            self._is_liftable.clear()

    def _drop_counter(self, name: str) -> None:
        self._until.pop(name, None)
        self._is_liftable.pop(name, None)


refusals = Refusals()


def add_hits(
    *, name: str, limit: int, window_seconds: int, amount: int = 1, holds_from: int | None = None
) -> int:
    """Add `amount` to the counter. Return the count of the open window, at most `limit + 1`.

    A block that staff see (`blocks.py`) begins when the count reaches `holds_from` (default `limit
    + 1`).
    """
    redis, begins = _get_redis(), holds_from or limit + 1
    if redis is not None:
        try:
            return _increment_in_redis(redis, name, limit, window_seconds, amount, begins)
        except RedisError as error:
            _redis_is_away(error)
    count, seconds = _increment_in_table(name, limit, window_seconds, amount, begins)
    missed = sightings.count_elsewhere(name, "table") + amount - count
    if missed > 0:
        count, seconds = _increment_in_table(name, limit, window_seconds, missed, begins)
    sightings.note(name, "table", count, seconds=seconds, window_seconds=window_seconds)
    return count


def _increment_in_redis(
    redis: Redis, name: str, limit: int, window_seconds: int, amount: int, begins: int
) -> int:
    """Count in Redis and return the count. Add what the table counted while Redis was away. Begin a
    block at the hit number `begins`.
    """
    key = _build_redis_key(name)
    pipe = redis.pipeline(transaction=True)
    pipe.set(key, 0, ex=window_seconds, nx=True)
    pipe.incrby(key, amount)
    pipe.pttl(key)
    _, count, milliseconds = cast("tuple[Any, int, int]", pipe.execute())
    before = count - amount
    missed = sightings.count_elsewhere(name, "redis") + amount - count
    if missed > 0:
        count += missed
        redis.incrby(key, missed)
    if before < begins <= count:
        block_begin(name=name, until=timezone.now() + timedelta(milliseconds=milliseconds))
    sightings.note(
        name,
        "redis",
        min(count, limit + 1),
        seconds=milliseconds / 1000,
        window_seconds=window_seconds,
    )
    return min(count, limit + 1)


def _increment_in_table(
    name: str, limit: int, window_seconds: int, amount: int, limit_of_block: int
) -> tuple[int, float | None]:
    """Return the count and the seconds left in its window. The seconds are None if the counter
    was already over its limit, because then nothing is written.
    """
    now = timezone.now()
    now_value, window_end = (
        _adapt_moment(now),
        _adapt_moment(now + timedelta(seconds=window_seconds)),
    )
    with connection.cursor() as cursor:
        cursor.execute(
            UPSERT, [name[:160], amount, window_end, now_value, now_value, now_value, limit]
        )
        row = cursor.fetchone()
    if row and row[0] - amount < limit_of_block <= row[0]:
        until = (
            RateCounter.objects.filter(name=name[:160]).values_list("expires_at", flat=True).first()
        )
        if until is not None:  # staff may have released the block in between
            block_begin(name=name, until=until)
    if row is None:
        return limit + 1, None
    return min(row[0], limit + 1), (_parse_stored_time(row[1]) - now).total_seconds()


def _parse_stored_time(stored: datetime | str) -> datetime:
    """Return a time from the database as an aware datetime. SQLite returns text or a naive
    value.
    """
    moment = stored if isinstance(stored, datetime) else datetime.fromisoformat(stored)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _adapt_moment(moment: Any) -> Any:
    return connection.ops.adapt_datetimefield_value(moment)


def take_back(*, name: str, window_seconds: int) -> None:
    """Subtract one from the open window. Use it if a call was counted in advance and then
    succeeded.
    """
    redis = _get_redis()
    if redis is not None:
        try:
            pipe = redis.pipeline(transaction=True)
            # If the window ends at this moment, INCRBY would create a counter that never expires.
            pipe.set(_build_redis_key(name), 0, ex=window_seconds, nx=True)
            pipe.incrby(_build_redis_key(name), -1)
            pipe.execute()
            return
        except RedisError as error:
            _redis_is_away(error)
    RateCounter.objects.filter(name=name[:160], expires_at__gt=timezone.now(), count__gt=0).update(
        count=F("count") - 1
    )


def peek(*, name: str) -> int:
    """Return the count of the open window, without counting."""
    redis = _get_redis()
    if redis is not None:
        try:
            return int(cast("bytes | None", redis.get(_build_redis_key(name))) or 0)
        except RedisError as error:
            _redis_is_away(error)
    return (
        RateCounter.objects.filter(name=name[:160], expires_at__gt=timezone.now())
        .values_list("count", flat=True)
        .first()
        or 0
    )


def get_seconds_left(*, name: str) -> int:
    """Return after how many seconds the open window ends, at least 1; 0 if no window is open."""
    redis = _get_redis()
    if redis is not None:
        try:
            return _round_up_seconds(redis.pttl(_build_redis_key(name)) / 1000)
        except RedisError as error:
            _redis_is_away(error)
    now = timezone.now()
    until = (
        RateCounter.objects.filter(name=name[:160], expires_at__gt=now)
        .values_list("expires_at", flat=True)
        .first()
    )
    return _round_up_seconds((until - now).total_seconds()) if until else 0


def _round_up_seconds(seconds: float) -> int:
    return max(1, ceil(seconds)) if seconds > 0 else 0


def forget(*, name: str) -> bool:
    """Delete the counter, for example after a success that cancels earlier failures.

    Return False if Redis is down and may still hold the counter.
    """
    sightings.forget(name)
    refusals.forget(name)
    redis, is_reached = _get_redis(), not settings.CACHE_URL
    if redis is not None:
        try:
            redis.delete(_build_redis_key(name))
            is_reached = True
        except RedisError as error:
            _redis_is_away(error)
    RateCounter.objects.filter(name=name[:160]).delete()
    return is_reached


def build_client_limit_name(*, name: str, client: str) -> str:
    """Return the counter's name for a limit and a client address."""
    return f"{name}:{build_client_key(client)}"


def build_blocked_error(
    *, client: str, target: str, name: str, retry_after: int | None = None
) -> RateLimited:
    """Return the error with the spec's security block info. Its Guid is logged and identifies
    the counter.

    `retry_after`: seconds until the block ends, if no solved captcha lifts it.
    """
    guid = block_guid(name)
    log.warning("rate_limited", guid=guid, ip=client, target=target[:300])
    now = timezone.localtime().isoformat(timespec="seconds")
    body = {"Ip": client, "CurrentTime": now, "Target": target[:300], "Guid": guid}
    return RateLimited(
        WAIT if retry_after is not None else None, body=body, retry_after=retry_after
    )


def block_guid(name: str) -> str:
    """Return a new Guid for a refusal by this counter: nine random bytes, and seven bytes of a
    keyed hash of them and the name.
    """
    head = uuid.uuid4().bytes[:9]
    return str(uuid.UUID(bytes=head + _guid_tail(head, name)))


def is_guid_of(guid: str, name: str) -> bool:
    """Return whether `block_guid` created this Guid for the counter."""
    try:
        raw = uuid.UUID(guid).bytes
    except ValueError:
        return False
    return constant_time_compare(raw[9:], _guid_tail(raw[:9], name))


def _guid_tail(head: bytes, name: str) -> bytes:
    return salted_hmac("limits.block_guid", f"{head.hex()} {name}", algorithm="sha256").digest()[:7]


def purge_counters() -> int:
    """Delete expired windows and old blocks. Return the number of deleted windows."""
    blocks_purge()
    deleted, _ = RateCounter.objects.filter(expires_at__lte=timezone.now()).delete()
    return deleted
