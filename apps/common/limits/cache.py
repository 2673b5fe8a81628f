"""The cache backend of django-ratelimit. It uses the shared counters, so that limits hold
across processes with and without Redis.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from math import ceil
from threading import Lock
from typing import Any

from django.conf import settings
from django.core.cache.backends.base import BaseCache

from apps.common.limits import counters
from apps.common.limits.counters import hit, peek

MAX_CLIENTS = 10_000
# For higher limits, one SQLite write per call would cost more than the call itself.
BATCHED_FROM = 100


class ReadableName:
    """RATELIMIT_HASH_ALGORITHM without a hash. The cache parses the name:
    `class|rate|client|window`.
    """

    def __init__(self, text: bytes) -> None:
        self.text = text.decode()

    def hexdigest(self) -> str:
        return self.text


@dataclass(slots=True)
class Tally:
    """This process's count of one counter in one window."""

    until: float
    shared: int = 0
    pending: int = 0


class BatchedTally:
    """Counts calls in the process, and writes to the shared counter after every limit/20 calls.

    The error is bounded: each process may let at most limit/20 calls pass that other processes have
    not seen.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._tallies: OrderedDict[str, Tally] = OrderedDict()

    def count(self, *, name: str, limit: int, window_seconds: int) -> int:
        """Count one call. Return the known number of calls in this window."""
        now = time.monotonic()
        with self._lock:
            tally = self._tallies.get(name)
            if tally is None or tally.until <= now:
                tally = self._tallies[name] = Tally(now + window_seconds)
            self._tallies.move_to_end(name)
            while len(self._tallies) > MAX_CLIENTS:
                self._tallies.popitem(last=False)
            if tally.shared > limit:
                tally.shared, tally.pending = (
                    peek(name=name),
                    0,
                )  # another process may have lifted the block
                if tally.shared > limit:
                    return tally.shared
            tally.pending += 1
            # Write at once when the limit is exceeded: the block then holds for all processes, and
            # staff see it.
            if tally.pending >= max(1, limit // 20) or tally.shared + tally.pending > limit:
                tally.shared, tally.pending = (
                    hit(
                        name=name, limit=limit, window_seconds=window_seconds, amount=tally.pending
                    ),
                    0,
                )
            return tally.shared + tally.pending

    def seconds_left(self, name: str) -> float:
        """Return how many seconds of the window are left, as far as this process knows; 0 if it
        knows no window.
        """
        with self._lock:
            tally = self._tallies.get(name)
        return max(0.0, tally.until - time.monotonic()) if tally else 0.0


class LimitCache(BaseCache):
    """The part of the cache API that django-ratelimit uses. `add` does nothing, because the
    first hit opens the window.
    """

    tally = BatchedTally()

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(self, key: str, value: Any, timeout: Any = None, version: int | None = None) -> bool:
        return False

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        name, limit, seconds = counter_of(key)
        if counters.refusals.holds(name):
            return limit + 1
        if limit >= BATCHED_FROM and not settings.CACHE_URL:
            count = self.tally.count(name=name, limit=limit, window_seconds=seconds)
        else:
            count = hit(name=name, limit=limit, window_seconds=seconds)
        if count > limit:
            counters.refusals.note(name)
        return count


def known_seconds_left(name: str) -> int:
    """Return after how many seconds a counter's window ends, at least 1. Uses only what this
    process remembers.
    """
    return max(
        1, ceil(counters.sightings.seconds_left(name) or LimitCache.tally.seconds_left(name))
    )


def counter_of(key: str) -> tuple[str, int, int]:
    """Return (name, limit, seconds) of the counter for a readable name.

    The window in the name is ignored: our windows start with the first hit.
    """
    group, rate, client, _window = key.split("|")
    limit, seconds = rate.removesuffix("s").split("/")
    return f"{group}:{client}", int(limit), int(seconds)
