"""The general limit of API calls per client: API_RATE_PER_MINUTE, exact in Redis, counted in batches without it."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.common.api.plain import is_api, plain_refusal
from apps.common.client_address import client_address
from apps.common.limits import blocked, client_limit_name, hit, peek

WINDOW_SECONDS = 60
MAX_CLIENTS = 10_000
# A blocked client must still be able to prove that it is a person.
ALWAYS_OPEN = frozenset({"/api/Account/UnLock", "/api/Account/Captcha"})


@dataclass(slots=True)
class Tally:
    """What this process knows of one client in one window."""

    window: int
    shared: int = 0
    pending: int = 0


class BatchedTally:
    """Counts in the process and writes every 20th part of the limit to the shared counter.

    The error is bounded: each process may let at most limit/20 calls pass that the others have not seen.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._tallies: OrderedDict[str, Tally] = OrderedDict()

    def count(self, *, name: str, limit: int) -> int:
        """Count one call and return how many of this window are known."""
        window = int(time.time()) // WINDOW_SECONDS
        with self._lock:
            tally = self._tallies.get(name)
            if tally is None or tally.window != window:
                tally = self._tallies[name] = Tally(window)
            self._tallies.move_to_end(name)
            while len(self._tallies) > MAX_CLIENTS:
                self._tallies.popitem(last=False)
            if tally.shared > limit:
                tally.shared, tally.pending = peek(name=name), 0  # lifted meanwhile, perhaps in another process
                if tally.shared > limit:
                    return tally.shared
            tally.pending += 1
            if tally.pending >= max(1, limit // 20):
                tally.shared, tally.pending = hit(name=name, limit=limit, window_seconds=WINDOW_SECONDS, amount=tally.pending), 0
            return tally.shared + tally.pending


class RateLimitMiddleware:
    """Answers 429 with the security block info when a client calls the API too often."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.tally = BatchedTally()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        limit: int = settings.API_RATE_PER_MINUTE
        if limit < 1 or not is_api(request.path_info) or request.path_info in ALWAYS_OPEN:
            return self.get_response(request)
        client = client_address(request)
        name = client_limit_name(name="api", client=client)
        if settings.CACHE_URL:
            count = hit(name=name, limit=limit, window_seconds=WINDOW_SECONDS)
        else:
            count = self.tally.count(name=name, limit=limit)
        if count <= limit:
            return self.get_response(request)
        refusal = blocked(client=client, target=request.path_info)
        return plain_refusal(request, status=refusal.status, code=refusal.code, message=refusal.text, body=refusal.body)
