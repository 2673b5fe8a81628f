"""Counters that hold over all processes: in Redis, or in a table where it is absent or away.

Call them before a transaction is opened: a counter that is rolled back with a refusal counts nothing. What is limited, by what and
how often is the table of `rules.py`.
"""

from __future__ import annotations

import time
import uuid
from collections import OrderedDict
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from typing import Any, cast

import structlog
from django.conf import settings
from django.db import connection
from django.utils import timezone
from redis import Redis
from redis.exceptions import RedisError

from apps.common.client_address import client_key
from apps.common.errors import RateLimited
from apps.common.limits.blocks import block_begin, blocks_purge
from apps.common.models import RateCounter

log = structlog.get_logger(__name__)

REDIS_REST_SECONDS = 5.0
MAX_REMEMBERED = 10_000

# The first hit opens a window; the counter stops at limit + 1, so that a blocked client costs no more writes of a new value.
UPSERT = """
INSERT INTO common_ratecounter (name, count, expires_at) VALUES (%s, %s, %s)
ON CONFLICT (name) DO UPDATE SET
  count = CASE WHEN common_ratecounter.expires_at <= %s THEN excluded.count ELSE common_ratecounter.count + excluded.count END,
  expires_at = CASE WHEN common_ratecounter.expires_at <= %s THEN excluded.expires_at ELSE common_ratecounter.expires_at END
WHERE common_ratecounter.expires_at <= %s OR common_ratecounter.count <= %s
RETURNING count
"""
_redis_back_at = 0.0


def _redis() -> Redis | None:
    if not settings.CACHE_URL or time.monotonic() < _redis_back_at:
        return None
    from django_redis import get_redis_connection

    return cast("Redis", get_redis_connection("default"))


def _redis_key(name: str) -> str:
    return f"{settings.CACHE_PREFIX}:limit:{name}"


def _redis_is_away(error: RedisError) -> None:
    """Count in the table for a few seconds, so that not every request waits for a connection that fails."""
    global _redis_back_at
    _redis_back_at = time.monotonic() + REDIS_REST_SECONDS
    log.warning("redis_away", error=type(error).__name__)


@dataclass(frozen=True, slots=True)
class Sighting:
    """What this process last saw of a counter: where it stood, its figure, until when the window is open."""

    place: str
    count: int
    until: float


class Sightings:
    """The last figures of many counters, so that a limit goes on where it stood when Redis goes away or comes back."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._seen: OrderedDict[str, Sighting] = OrderedDict()

    def elsewhere(self, name: str, place: str) -> int:
        """Return what the open window held in the other place; 0 where the counter was last seen in this one."""
        with self._lock:
            seen = self._seen.get(name)
        return seen.count if seen and seen.place != place and seen.until > time.monotonic() else 0

    def note(self, name: str, place: str, count: int, seconds: float) -> None:
        """Remember a figure; a window once seen in a place keeps the end it was first given."""
        now = time.monotonic()
        with self._lock:
            seen = self._seen.pop(name, None)
            until = seen.until if seen and seen.place == place and now < seen.until < now + seconds else now + seconds
            self._seen[name] = Sighting(place, count, until)
            while len(self._seen) > MAX_REMEMBERED:
                self._seen.popitem(last=False)

    def forget(self, name: str) -> None:
        with self._lock:
            self._seen.pop(name, None)


sightings = Sightings()


def hit(*, name: str, limit: int, window_seconds: int, amount: int = 1, holds_from: int | None = None) -> int:
    """Count one more and return how many the open window holds, this one included; past the limit the figure is `limit + 1`.

    The count that reaches `holds_from`, `limit + 1` where nothing else is said, begins a block that staff see (`blocks.py`).
    """
    redis, begins = _redis(), holds_from or limit + 1
    if redis is not None:
        try:
            return _hit_redis(redis, name, limit, window_seconds, amount, begins)
        except RedisError as error:
            _redis_is_away(error)
    count = _hit_table(name, limit, window_seconds, amount, begins)
    missed = sightings.elsewhere(name, "table") + amount - count
    if missed > 0:
        count = _hit_table(name, limit, window_seconds, missed, begins)
    sightings.note(name, "table", count, window_seconds)
    return count


def _hit_redis(redis: Redis, name: str, limit: int, window_seconds: int, amount: int, begins: int) -> int:
    key = _redis_key(name)
    pipe = redis.pipeline(transaction=True)
    pipe.set(key, 0, ex=window_seconds, nx=True)
    pipe.incrby(key, amount)
    pipe.pttl(key)
    _, count, milliseconds = cast("tuple[Any, int, int]", pipe.execute())
    before = count - amount
    missed = sightings.elsewhere(name, "redis") + amount - count
    if missed > 0:
        count += missed
        redis.incrby(key, missed)
    if before < begins <= count:
        block_begin(name=name, until=timezone.now() + timedelta(milliseconds=milliseconds))
    sightings.note(name, "redis", min(count, limit + 1), milliseconds / 1000)
    return min(count, limit + 1)


def _hit_table(name: str, limit: int, window_seconds: int, amount: int, begins: int) -> int:
    now = timezone.now()
    stamp, end = _adapted(now), _adapted(now + timedelta(seconds=window_seconds))
    with connection.cursor() as cursor:
        cursor.execute(UPSERT, [name[:160], amount, end, stamp, stamp, stamp, limit])
        row = cursor.fetchone()
    if row and row[0] - amount < begins <= row[0]:
        until = RateCounter.objects.filter(name=name[:160]).values_list("expires_at", flat=True).first()
        if until is not None:  # released by staff in between: it holds nobody back
            block_begin(name=name, until=until)
    return min(row[0], limit + 1) if row else limit + 1


def _adapted(moment: Any) -> Any:
    return connection.ops.adapt_datetimefield_value(moment)


def peek(*, name: str) -> int:
    """Return how many the open window holds, counting nothing."""
    redis = _redis()
    if redis is not None:
        try:
            return int(cast("bytes | None", redis.get(_redis_key(name))) or 0)
        except RedisError as error:
            _redis_is_away(error)
    return RateCounter.objects.filter(name=name[:160], expires_at__gt=timezone.now()).values_list("count", flat=True).first() or 0


def forget(*, name: str) -> bool:
    """Close the window: after a success that makes the failures before it void. Return False where Redis is away and may still hold it."""
    sightings.forget(name)
    redis, is_reached = _redis(), not settings.CACHE_URL
    if redis is not None:
        try:
            redis.delete(_redis_key(name))
            is_reached = True
        except RedisError as error:
            _redis_is_away(error)
    RateCounter.objects.filter(name=name[:160]).delete()
    return is_reached


def client_limit_name(*, name: str, client: str) -> str:
    """Return the counter's name of one limit for one client address."""
    return f"{name}:{client_key(client)}"


def blocked(*, client: str, target: str) -> RateLimited:
    """Return the refusal with the spec's security block info; its Guid is in the log."""
    guid = str(uuid.uuid4())
    log.warning("rate_limited", guid=guid, ip=client, target=target[:300])
    now = timezone.localtime().isoformat(timespec="seconds")
    return RateLimited(body={"Ip": client, "CurrentTime": now, "Target": target[:300], "Guid": guid})


def purge_counters() -> int:
    """Delete the windows that are over, and blocks of long ago; return how many windows."""
    blocks_purge()
    deleted, _ = RateCounter.objects.filter(expires_at__lte=timezone.now()).delete()
    return deleted
