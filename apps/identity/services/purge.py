"""Forget what has run out: puzzles, keys, tickets, codes, and sign-ins a month after their end."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.identity.models import Captcha, ContactCode, OldMallTicket, ResetCode, SessionKey, TokenFamily, WeChatWorkState

KEPT = timedelta(days=30)


def identity_purge() -> int:
    """Delete what expired; sign-ins and session keys stay 30 days more, for questions. Return how many rows went."""
    now = timezone.now()
    gone = [
        Captcha.objects.filter(expires_at__lte=now).delete(),
        OldMallTicket.objects.filter(expires_at__lte=now).delete(),
        ResetCode.objects.filter(expires_at__lte=now).delete(),
        ContactCode.objects.filter(expires_at__lte=now).delete(),
        WeChatWorkState.objects.filter(expires_at__lte=now).delete(),
        SessionKey.objects.filter(expires_at__lte=now - KEPT).delete(),
        TokenFamily.objects.filter(expires_at__lte=now - KEPT).delete(),
    ]
    return sum(count for count, _ in gone)
