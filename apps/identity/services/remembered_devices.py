"""Browsers that need no second factor for an account, for 30 days."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.utils import timezone

from apps.identity.models import RememberedDevice
from apps.identity.tokens import hash_text
from apps.org.models import Account

REMEMBERED = timedelta(days=30)


def device_remember(*, account: Account, user_agent: str) -> str:
    """Remember a browser for 30 days and return its key, for a cookie."""
    key = secrets.token_urlsafe(32)
    RememberedDevice.objects.create(
        account=account,
        key_hash=hash_text(key),
        user_agent=user_agent[:200],
        expires_at=timezone.now() + REMEMBERED,
    )
    return key


def count_devices(account: Account) -> int:
    """Return the number of remembered browsers."""
    rows = RememberedDevice.objects.filter(account=account, expires_at__gt=timezone.now())
    return rows.count()


def is_device_remembered(*, account: Account, key: str) -> bool:
    """Return whether this browser needs no second factor."""
    rows = RememberedDevice.objects.filter(account=account, key_hash=hash_text(key))
    return bool(key) and rows.filter(expires_at__gt=timezone.now()).exists()


def devices_forget(*, account: Account) -> int:
    """Forget all remembered browsers of the account. Return their number."""
    return RememberedDevice.objects.filter(account=account).delete()[0]
