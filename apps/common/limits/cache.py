"""django-ratelimit's cache: its counters are kept where all our counters are, so that they hold over processes with and without Redis."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from django.conf import settings
from django.core.cache.backends.base import BaseCache

from apps.common.limits.counters import hit, peek

MAX_CLIENTS = 10_000
# From this limit on a write for each call would cost SQLite more than the call.
BATCHED_FROM = 100


class ReadableName:
    """RATELIMIT_HASH_ALGORITHM: no hash, since the cache reads class, rate and client from the name: `class|rate|client|window`."""

    def __init__(self, text: bytes) -> None:
        self.text = text.decode()

    def hexdigest(self) -> str:
        return self.text


@dataclass(slots=True)
class Tally:
    """What this process knows of one counter in one window."""

    until: float
    shared: int = 0
    pending: int = 0


class BatchedTally:
    """Counts in the process and writes every 20th part of the limit to the shared counter.

    The error is bounded: each process may let at most limit/20 calls pass that the others have not seen.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._tallies: OrderedDict[str, Tally] = OrderedDict()

    def count(self, *, name: str, limit: int, window_seconds: int) -> int:
        """Count one call and return how many of this window are known."""
        now = time.monotonic()
        with self._lock:
            tally = self._tallies.get(name)
            if tally is None or tally.until <= now:
                tally = self._tallies[name] = Tally(now + window_seconds)
            self._tallies.move_to_end(name)
            while len(self._tallies) > MAX_CLIENTS:
                self._tallies.popitem(last=False)
            if tally.shared > limit:
                tally.shared, tally.pending = peek(name=name), 0  # lifted meanwhile, perhaps in another process
                if tally.shared > limit:
                    return tally.shared
            tally.pending += 1
            # The one too many is told at once: a block begins for all processes, and staff see it.
            if tally.pending >= max(1, limit // 20) or tally.shared + tally.pending > limit:
                tally.shared, tally.pending = hit(name=name, limit=limit, window_seconds=window_seconds, amount=tally.pending), 0
            return tally.shared + tally.pending


class LimitCache(BaseCache):
    """As much of a cache as django-ratelimit asks for. The first hit opens a counter's window by itself, so there is nothing to add."""

    tally = BatchedTally()

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def add(self, key: str, value: Any, timeout: Any = None, version: int | None = None) -> bool:
        return False

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        name, limit, seconds = counter_of(key)
        if limit >= BATCHED_FROM and not settings.CACHE_URL:
            return self.tally.count(name=name, limit=limit, window_seconds=seconds)
        return hit(name=name, limit=limit, window_seconds=seconds)


def counter_of(key: str) -> tuple[str, int, int]:
    """Return (name, limit, seconds) of the counter that a readable name stands for; its windows are our own, opened by the first hit."""
    group, rate, client, _window = key.split("|")
    limit, seconds = rate.removesuffix("s").split("/")
    return f"{group}:{client}", int(limit), int(seconds)
