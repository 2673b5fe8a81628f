"""Begin a sign-in with 企业微信: create a state that works once, in this browser only."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from apps.common.redirects import safe_target
from apps.identity.models import WeChatWorkState
from apps.identity.tokens import hash_of
from apps.identity.wechat_work import wechat_work_provider

LIFETIME = timedelta(minutes=10)
BROWSER = re.compile(r"[0-9A-Za-z_-]{43}")


@dataclass(frozen=True, slots=True)
class WeChatWorkBegun:
    """The redirect URL, and the browser's secret (stored in an HttpOnly cookie)."""

    url: str
    browser: str


def wechat_work_begin(
    *, callback: str, browser: str, return_url: str, is_inside: bool
) -> WeChatWorkBegun:
    """Return the URL of 企业微信, which redirects back to `callback`. If `browser` already has a
    secret, the secret stays the same, so that other tabs still work.

    Raises:
        WeChatWorkUnavailable: sign-in with 企业微信 is off.
    """
    provider = wechat_work_provider()
    kept = browser if BROWSER.fullmatch(browser) else secrets.token_urlsafe(32)
    state = secrets.token_hex(32)  # 企业微信 accepts only letters and digits
    WeChatWorkState.objects.create(
        state_hash=hash_of(state),
        browser_hash=hash_of(kept),
        return_url=safe_target(return_url) or "",
        expires_at=timezone.now() + LIFETIME,
    )
    return WeChatWorkBegun(
        url=provider.authorize_url(callback=callback, state=state, is_inside=is_inside),
        browser=kept,
    )
