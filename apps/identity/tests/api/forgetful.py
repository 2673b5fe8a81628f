"""Helpers for a customer with a forgotten password: request a code, read the mail, enter the
code.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core import mail
from django.utils import timezone
from django_redis import get_redis_connection

from apps.common.background.delivery import outbox_deliver
from apps.common.models import RateCounter
from apps.common.testing import Answer, ApiClient

NEW = "another-Mall-2027"
SEND, CHECK, RESET = (
    f"/api/Account/{name}" for name in ("SendResetCode", "CheckResetCode", "ResetPassword")
)


def ask(username: str = "buyer", **client: Any) -> Answer:
    return ApiClient(**client).post(SEND, {"UserName": username, "Channel": "email"})


def check(code: str, username: str = "buyer") -> Answer:
    return ApiClient().post(CHECK, {"UserName": username, "Code": code})


def reset(code: str, password: str = NEW, username: str = "buyer") -> Answer:
    return ApiClient().post(RESET, {"UserName": username, "Code": code, "NewPassword": password})


def login(password: str) -> Answer:
    return ApiClient().post("/api/Account/Login", {"UserName": "buyer", "Password": password})


def read_sent_code() -> str:
    outbox_deliver()
    match = re.search(r"验证码为 (\d{6})", str(mail.outbox[-1].body))
    assert match
    return match[1]


def request_code() -> str:
    ask()
    return read_sent_code()


def change_code(code: str) -> str:
    return f"{(int(code) + 1) % 1_000_000:06d}"


def let_seconds_pass(seconds: int) -> None:
    """Expire the rate counters as if this time had passed, in the table or in Redis."""
    RateCounter.objects.filter(expires_at__lte=timezone.now() + timedelta(seconds=seconds)).update(
        expires_at=timezone.now()
    )
    if settings.CACHE_URL:
        redis = get_redis_connection("default")
        for key in redis.scan_iter(f"{settings.CACHE_PREFIX}:limit:reset*"):
            if redis.ttl(key) <= seconds:
                redis.delete(key)
