"""Content-Security-Policy and its neighbours: one strict policy, and a listed one for the two places that cannot keep it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse

STOREFRONT = (
    "default-src 'self'; script-src 'self'; style-src-elem 'self' 'nonce-{nonce}'; style-src-attr 'none'; img-src 'self' data: blob:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'{old_mall}"
)
# unfold's Alpine evaluates its attributes and sets styles; nothing inline runs as a script.
ADMIN = (
    "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
# The Swagger page sets styles; its script comes from this site.
DOCS = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
# prefix of the path → its policy; the first match holds, everything else has the storefront's.
POLICIES: tuple[tuple[str, str], ...] = (("/admin/", ADMIN), ("/api/docs", DOCS))
PERMISSIONS = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"


def origin_of(url: str) -> str:
    """Return scheme://host[:port] of an absolute address, or "" for a path on this site."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in {"http", "https"} and parts.netloc else ""


def policy_for(path: str, nonce: str) -> str:
    """Return the policy that a path is answered with."""
    for prefix, policy in POLICIES:
        if path.startswith(prefix):
            return policy
    old_mall = origin_of(settings.OLD_MALL_URL)
    return STOREFRONT.format(nonce=nonce, old_mall=f" {old_mall}" if old_mall else "")


class ContentSecurityPolicyMiddleware:
    """Gives the request its nonce (`request.csp_nonce`) and the answer its policy, unless the view set a stricter one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        nonce = secrets.token_urlsafe(16)
        request.csp_nonce = nonce  # type: ignore[attr-defined]
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", policy_for(request.path_info, nonce))
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        return response
