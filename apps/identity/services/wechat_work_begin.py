"""Begin signing in by 企业微信: a state that is good once, in this browser alone."""

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
    """Where the person goes, and the secret his browser keeps meanwhile (a cookie no script reads)."""

    url: str
    browser: str


def wechat_work_begin(*, callback: str, browser: str, return_url: str, is_inside: bool) -> WeChatWorkBegun:
    """Return the way to 企业微信, which sends the person back to `callback`; a `browser` that has a secret keeps it, for its other tabs.

    Raises:
        WeChatWorkUnavailable: signing in this way is off.
    """
    provider = wechat_work_provider()
    kept = browser if BROWSER.fullmatch(browser) else secrets.token_urlsafe(32)
    state = secrets.token_hex(32)  # 企业微信 takes letters and digits only
    WeChatWorkState.objects.create(
        state_hash=hash_of(state),
        browser_hash=hash_of(kept),
        return_url=safe_target(return_url) or "",
        expires_at=timezone.now() + LIFETIME,
    )
    return WeChatWorkBegun(url=provider.authorize_url(callback=callback, state=state, is_inside=is_inside), browser=kept)
