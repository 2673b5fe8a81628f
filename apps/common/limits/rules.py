"""What is limited, by whom and how often: one row per class of endpoints, in django-ratelimit's rates."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import jwt
from django.conf import settings
from django.http import HttpRequest
from django_ratelimit.core import get_usage

from apps.common.client_address import client_address, client_key
from apps.common.limits.blocks import blocks_end
from apps.common.limits.counters import client_limit_name, forget

Key = Callable[[str, HttpRequest], str]
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
READS_BY_POST = (
    r"Product/(SupposeCategory|Search)|Category/.*|Account/GetUserMenuList|ShoppingCart/(YouLike/.*|Count)|ManageService/.*|Order/Preview"
)


def by_address(_group: str, request: HttpRequest) -> str:
    """Return the client's address: what a visitor can hardly change."""
    return client_key(client_address(request))


def by_person(group: str, request: HttpRequest) -> str:
    """Return the signed-in account, since a whole office shares one address; for a visitor, or under a forged token, the address.

    Only the signature is looked at: it is counted here, not let in.
    """
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer":
        try:
            claims = jwt.decode(token.strip(), settings.SECRET_KEY, algorithms=["HS256"], options={"verify_exp": False})
        except jwt.InvalidTokenError:
            return by_address(group, request)
        if claims.get("uid"):
            return f"account-{claims['uid']}"
    return by_address(group, request)


@dataclass(frozen=True, slots=True)
class Rule:
    """A class of endpoints; `lifted` where a solved captcha ends the block."""

    name: str
    methods: tuple[str, ...]
    path: re.Pattern[str]
    key: Key
    lifted: bool = True

    @property
    def rate(self) -> str:
        """Return `count/period`, as "20/h" or "60/5m"; empty where the class has no limit of its own."""
        return str(settings.RATE_LIMITS.get(self.name, ""))


def _rule(name: str, methods: str | tuple[str, ...], path: str, key: Key, *, lifted: bool = True) -> Rule:
    return Rule(name, (methods,) if isinstance(methods, str) else methods, re.compile(rf"/api/(?:{path})"), key, lifted)


CAPTCHA = _rule("captcha", ("GET", "POST"), r"Account/(Captcha|UnLock)", by_address, lifted=False)
# The first row that fits holds.
CLASSES = (
    CAPTCHA,
    _rule("sign-in", ("GET", "POST"), r"Account/(Login|LoginBySession|WeChatWork\w+)", by_address),
    _rule("codes", "POST", r"Account/SendResetCode", by_address, lifted=False),
    _rule("code-tries", "POST", r"Account/(CheckResetCode|ResetPassword)", by_address, lifted=False),
    _rule("image-search", "POST", r"Product/ImageSearch", by_person),
    _rule("selection", "POST", r"Product/Select", by_person),
    _rule("search", ("GET", "POST"), r"Product/Search|Search/Suggest|Product", by_person),
    _rule("uploads", "POST", r"File/Execute", by_person),
    _rule("exports", ("GET", "POST"), r"(.+/)?Export", by_person),
    # To look how far one is costs nothing: the page asks every few seconds.
    _rule("exports", "POST", r"ExportJob(/[0-9]+/Retry)?|ReportSubscription/[0-9]+/SendNow", by_person),
    # Each may hold the page's process for as long as the partner's server thinks.
    _rule("trials", "POST", r"Webhook/[0-9]+/Test", by_person),
    _rule("writes", UNSAFE, rf"(?!{READS_BY_POST}).+", by_person),
)
GENERAL = _rule("general", ("GET", "HEAD", "OPTIONS", *UNSAFE), r".*", by_person)


def rules_for(request: HttpRequest) -> tuple[Rule, ...]:
    """Return the rules a call is counted under: its class and the general one. A blocked client may still prove that it is a person."""
    # HEAD runs what GET runs.
    method = "GET" if request.method == "HEAD" else request.method
    own = next((rule for rule in CLASSES if method in rule.methods and rule.path.fullmatch(request.path_info)), None)
    if own is CAPTCHA:
        return (own,)
    return (own, GENERAL) if own else (GENERAL,)


def too_many(request: HttpRequest) -> Rule | None:
    """Count the call and return the rule it was one too many for."""
    for rule in rules_for(request):
        if not rule.rate:
            continue
        # The bars are where `cache.counter_of` takes the name apart again.
        client = f"|{rule.key(rule.name, request)}|"
        usage = get_usage(
            request, group=f"{rule.name}|", key=lambda _group, _request, client=client: client, rate=rule.rate, increment=True
        )
        if usage and usage["should_limit"]:
            return rule
    return None


def lift(request: HttpRequest) -> None:
    """Lift the blocks of a client that has proved to be a person (POST /api/Account/UnLock); limits of codes stay."""
    names = [client_limit_name(name="login", client=client_address(request))]
    clients = {by_address("", request), by_person("", request)}
    names += [f"{rule.name}:{client}" for rule in (*CLASSES, GENERAL) if rule.lifted for client in clients]
    for name in names:
        forget(name=name)
    blocks_end(names=names)
