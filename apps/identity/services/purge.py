"""Delete expired puzzles, keys, tickets, codes, challenges, remembered browsers and sign-ins."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.identity.models import (
    Captcha,
    ContactCode,
    ContactUndo,
    OldMallTicket,
    PasskeyChallenge,
    RememberedDevice,
    ResetCode,
    SessionKey,
    TokenFamily,
    WeChatWorkState,
)

RETENTION = timedelta(days=30)


def identity_purge() -> int:
    """Delete expired rows and return their number. Sign-ins, session keys and undo links are
    deleted 30 days later, so that support can look them up.
    """
    now = timezone.now()
    deletions = [
        Captcha.objects.filter(expires_at__lte=now).delete(),
        OldMallTicket.objects.filter(expires_at__lte=now).delete(),
        ResetCode.objects.filter(expires_at__lte=now).delete(),
        ContactCode.objects.filter(expires_at__lte=now).delete(),
        WeChatWorkState.objects.filter(expires_at__lte=now).delete(),
        RememberedDevice.objects.filter(expires_at__lte=now).delete(),
        PasskeyChallenge.objects.filter(expires_at__lte=now).delete(),
        ContactUndo.objects.filter(expires_at__lte=now - RETENTION).delete(),
        SessionKey.objects.filter(expires_at__lte=now - RETENTION).delete(),
        TokenFamily.objects.filter(expires_at__lte=now - RETENTION).delete(),
    ]
    return sum(count for count, _ in deletions)
