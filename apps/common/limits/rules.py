"""The rate limits: one row per class of endpoints, with rates in django-ratelimit's format, and its
cache backend, which uses the shared counters, so that limits hold across processes with and without
Redis.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from threading import Lock
from typing import Any

from django.conf import settings
from django.core.cache.backends.base import BaseCache
from django.http import HttpRequest
from django_ratelimit.core import get_usage

from apps.common.errors import RateLimited
from apps.common.limits import counters
from apps.common.limits.blocks import block_end, list_open_blocks
from apps.common.limits.counters import (
    WAIT,
    add_hits,
    build_blocked_error,
    forget,
    get_seconds_left,
    is_guid_of,
    peek,
    refusals,
)
from apps.common.requests import get_address_key, get_client_address, get_person_key

MAX_CLIENTS = 10_000
# For higher limits, one SQLite write per call would cost more than the call itself.
BATCHED_FROM = 100


# A solved captcha lifts the same block this many times per hour. After that the client must wait.
LIFTS_PER_HOUR = 3
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
READS_BY_POST = (
    r"Product/(SupposeCategory|Search)|Category/.*|Account/GetUserMenuList|"
    r"ShoppingCart/(YouLike/.*|Count)|ManageService/.*|Order/Preview"
)


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
                    add_hits(
                        name=name, limit=limit, window_seconds=window_seconds, amount=tally.pending
                    ),
                    0,
                )
            return tally.shared + tally.pending

    def get_seconds_left(self, name: str) -> float:
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
        """Count a call. Beyond the limit the refusal is kept in memory, so that further calls cost
        no query.
        """
        name, limit, seconds = parse_counter(key)
        if counters.refusals.holds(name):
            return limit + 1
        if limit >= BATCHED_FROM and not settings.CACHE_URL:
            count = self.tally.count(name=name, limit=limit, window_seconds=seconds)
        else:
            count = add_hits(name=name, limit=limit, window_seconds=seconds)
        if count > limit:
            counters.refusals.note(name)
        return count


def get_known_seconds_left(name: str) -> int:
    """Return after how many seconds a counter's window ends, at least 1. Uses only what this
    process remembers.
    """
    return max(
        1,
        ceil(counters.sightings.get_seconds_left(name) or LimitCache.tally.get_seconds_left(name)),
    )


def parse_counter(key: str) -> tuple[str, int, int]:
    """Return (name, limit, seconds) of the counter for a readable name.

    The window in the name is ignored: our windows start with the first hit.
    """
    group, rate, client, _window = key.split("|")
    limit, seconds = rate.removesuffix("s").split("/")
    return f"{group}:{client}", int(limit), int(seconds)


Key = Callable[[str, HttpRequest], str]


@dataclass(frozen=True, slots=True)
class Rule:
    """A class of endpoints. `is_liftable`: a solved captcha ends the block, at most LIFTS_PER_HOUR
    times per hour.
    """

    name: str
    methods: tuple[str, ...]
    path: re.Pattern[str]
    key: Key
    is_liftable: bool = True

    @property
    def rate(self) -> str:
        """Return `count/period`, such as "20/h" or "60/5m"; empty if the class has no limit."""
        return str(settings.RATE_LIMITS.get(self.name, ""))


def _create_rule(
    name: str, methods: str | tuple[str, ...], path: str, key: Key, *, is_liftable: bool = True
) -> Rule:
    """Return a rate rule for the methods and the path below /api/."""
    return Rule(
        name,
        (methods,) if isinstance(methods, str) else methods,
        re.compile(rf"/api/(?:{path})"),
        key,
        is_liftable,
    )


CAPTCHA = _create_rule(
    "captcha", ("GET", "POST"), r"Account/(Captcha|UnLock)", get_address_key, is_liftable=False
)
# The first matching row wins.
CLASSES = (
    CAPTCHA,
    _create_rule(
        "sign-in", ("GET", "POST"), r"Account/(Login|LoginBySession|WeChatWork\w+)", get_address_key
    ),
    _create_rule("codes", "POST", r"Account/SendResetCode", get_address_key, is_liftable=False),
    _create_rule(
        "code-tries",
        "POST",
        r"Account/(CheckResetCode|ResetPassword)",
        get_address_key,
        is_liftable=False,
    ),
    _create_rule("image-search", "POST", r"Product/ImageSearch", get_person_key),
    _create_rule("selection", "POST", r"Product/Select", get_person_key),
    _create_rule(
        "search", ("GET", "POST"), r"Product/Search|Search/Suggest|Product", get_person_key
    ),
    _create_rule("uploads", "POST", r"File/Execute", get_person_key),
    _create_rule("exports", ("GET", "POST"), r"(.+/)?Export", get_person_key),
    # Reading the progress is not limited: the page polls it every few seconds.
    _create_rule(
        "exports",
        "POST",
        r"ExportJob(/[0-9]+/Retry)?|ReportSubscription/[0-9]+/SendNow",
        get_person_key,
    ),
    # A test delivery blocks the web process until the partner's server answers.
    _create_rule("trials", "POST", r"Webhook/[0-9]+/Test", get_person_key),
    _create_rule("writes", UNSAFE, rf"(?!{READS_BY_POST}).+", get_person_key),
)
GENERAL = _create_rule("general", ("GET", "HEAD", "OPTIONS", *UNSAFE), r".*", get_person_key)


def parse_window(rate: str) -> int:
    """Return the seconds of a rate's window: 60 for "20/m", 300 for "60/5m"."""
    period = rate.partition("/")[2] or "s"
    return int(period[:-1] or 1) * SECONDS[period[-1]]


def list_rules(request: HttpRequest) -> tuple[Rule, ...]:
    """Return the rules that count a call: its class and the general rule. Captcha calls skip
    the general rule, so that a blocked client can still solve one.
    """
    # HEAD runs the same code as GET.
    method = "GET" if request.method == "HEAD" else request.method
    class_rule = next(
        (
            rule
            for rule in CLASSES
            if method in rule.methods and rule.path.fullmatch(request.path_info)
        ),
        None,
    )
    if class_rule is CAPTCHA:
        return (class_rule,)
    return (class_rule, GENERAL) if class_rule else (GENERAL,)


@dataclass(frozen=True, slots=True)
class Quota:
    """The state of a rule for one client after a call: `remaining` calls until the window ends
    in `reset` seconds.
    """

    rule: Rule
    limit: int
    window: int
    remaining: int
    reset: int
    is_exceeded: bool


def count_call(request: HttpRequest) -> list[Quota]:
    """Count the call under its rules. Return their quotas, up to the first that is exceeded."""
    quotas: list[Quota] = []
    for rule in list_rules(request):
        if not rule.rate:
            continue
        # `cache.parse_counter` splits the name at the bars.
        key = rule.key(rule.name, request)
        client = f"|{key}|"
        usage = get_usage(
            request,
            group=f"{rule.name}|",
            key=lambda _group, _request, client=client: client,
            rate=rule.rate,
            increment=True,
        )
        if usage is None:
            continue
        count, limit = usage["count"], usage["limit"]
        window = parse_window(rule.rate)
        reset = get_known_seconds_left(f"{rule.name}:{key}")
        quotas.append(
            Quota(
                rule,
                limit,
                window,
                max(0, limit - count),
                min(reset, window),
                is_exceeded=usage["should_limit"],
            )
        )
        if usage["should_limit"]:
            break
    return quotas


def build_rate_limited(exceeded: Quota, request: HttpRequest) -> RateLimited:
    """Return the error for a call that exceeds a rule. `retry_after` is None if the client can lift
    the block with a captcha, otherwise the seconds until the block ends.
    """
    rule = exceeded.rule
    name = _build_counter_name(rule, rule.key(rule.name, request))
    is_liftable = refusals.is_liftable(name)
    if is_liftable is None:
        is_liftable = rule.is_liftable and peek(name=_lift_key(name)) < LIFTS_PER_HOUR
        refusals.note_liftable(name, is_liftable=is_liftable)
    wait = None if is_liftable else exceeded.reset
    return build_blocked_error(
        client=get_client_address(request), target=request.path_info, name=name, retry_after=wait
    )


def lift(request: HttpRequest, *, guid: str = "") -> None:
    """Lift one block of a client that has solved a captcha (POST /api/Account/UnLock). Limits
    on codes remain.

    The block is the one whose refusal had the Guid, or the client's latest one.

    Raises:
        RateLimited: this block was lifted LIFTS_PER_HOUR times in the last hour.
    """
    clients = {get_address_key("", request), get_person_key("", request)}
    names = {
        _build_counter_name(rule, client)
        for rule in (*CLASSES, GENERAL)
        if rule.is_liftable
        for client in clients
    }
    open_ones = list_open_blocks(names=names)
    if not open_ones:
        return
    name = next((one for one in open_ones if is_guid_of(guid, one)), open_ones[0])
    if add_hits(name=_lift_key(name), limit=LIFTS_PER_HOUR, window_seconds=3600) > LIFTS_PER_HOUR:
        raise RateLimited(WAIT, retry_after=get_seconds_left(name=name) or 1)
    forget(name=name)
    block_end(name=name)


def _build_counter_name(rule: Rule, client: str) -> str:
    return f"{rule.name}:{client}"


def _lift_key(name: str) -> str:
    """Return the name of the counter of a block's lifts."""
    return f"lifts:{name}"
