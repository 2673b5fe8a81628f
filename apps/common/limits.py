"""Limits that hold over all processes: counters in Redis, or in a table where it is absent or away (architecture.md, Limits without Redis).

Call them before a transaction is opened: a counter that is rolled back with a refusal counts nothing.
"""

from __future__ import annotations

import time
import uuid
from datetime import timedelta
from typing import Any, cast

import structlog
from django.conf import settings
from django.db import connection
from django.utils import timezone
from redis import Redis
from redis.exceptions import RedisError

from apps.common.client_address import client_key
from apps.common.errors import RateLimited
from apps.common.models import RateCounter

log = structlog.get_logger(__name__)

REDIS_REST_SECONDS = 5.0
# The limits of a client that a solved captcha lifts; code and mail limits stay.
LIFTED_BY_CAPTCHA = ("api", "login")

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


def hit(*, name: str, limit: int, window_seconds: int, amount: int = 1) -> int:
    """Count one more and return how many the open window holds, this one included; past the limit the figure is `limit + 1`."""
    redis = _redis()
    if redis is not None:
        try:
            pipe = redis.pipeline(transaction=True)
            pipe.set(_redis_key(name), 0, ex=window_seconds, nx=True)
            pipe.incrby(_redis_key(name), amount)
            return min(int(pipe.execute()[1]), limit + 1)
        except RedisError as error:
            _redis_is_away(error)
    now = timezone.now()
    stamp, end = _adapted(now), _adapted(now + timedelta(seconds=window_seconds))
    with connection.cursor() as cursor:
        cursor.execute(UPSERT, [name[:160], amount, end, stamp, stamp, stamp, limit])
        row = cursor.fetchone()
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


def forget(*, name: str) -> None:
    """Close the window: after a success that makes the failures before it void."""
    redis = _redis()
    if redis is not None:
        try:
            redis.delete(_redis_key(name))
        except RedisError as error:
            _redis_is_away(error)
    RateCounter.objects.filter(name=name[:160]).delete()


def client_limit_name(*, name: str, client: str) -> str:
    """Return the counter's name of one limit for one client address."""
    return f"{name}:{client_key(client)}"


def check_limit(*, name: str, limit: int, window_seconds: int, client: str, target: str) -> None:
    """Count one more of `name` for a client.

    Raises:
        RateLimited: it was one too many.
    """
    if hit(name=client_limit_name(name=name, client=client), limit=limit, window_seconds=window_seconds) > limit:
        raise blocked(client=client, target=target)


def blocked(*, client: str, target: str) -> RateLimited:
    """Return the refusal with the spec's security block info; its Guid is in the log."""
    guid = str(uuid.uuid4())
    log.warning("rate_limited", guid=guid, ip=client, target=target[:300])
    now = timezone.localtime().isoformat(timespec="seconds")
    return RateLimited(body={"Ip": client, "CurrentTime": now, "Target": target[:300], "Guid": guid})


def lift(client: str) -> None:
    """Lift the block of a client that has proved to be a person (POST /api/Account/UnLock)."""
    for name in LIFTED_BY_CAPTCHA:
        forget(name=client_limit_name(name=name, client=client))


def purge_counters() -> int:
    """Delete the windows that are over; return how many."""
    deleted, _ = RateCounter.objects.filter(expires_at__lte=timezone.now()).delete()
    return deleted
