"""The cookie of a browser that skips the second factor of an account."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase

from apps.identity.services.remembered_devices import REMEMBERED, device_remember
from apps.identity.services.second_factor import has_second_factor
from apps.org.models import Account


def device_cookie(account: Account) -> str:
    """Return the name of the cookie with the key of the remembered browser."""
    return f"remembered_{account.pk}"


def remember_second_factor(
    request: HttpRequest, response: HttpResponseBase, *, account: Account
) -> None:
    """Remember the browser and set its cookie, for an account with a second factor."""
    if not has_second_factor(account):
        return
    response.set_cookie(
        device_cookie(account),
        device_remember(account=account, user_agent=request.headers.get("User-Agent", "")),
        max_age=int(REMEMBERED.total_seconds()),
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
