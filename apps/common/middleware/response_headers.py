"""The headers of every answer: a strict Content-Security-Policy (a looser one for /admin/
and /api/docs), and no caching of the API.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.common.api.renderers import is_api
from apps.common.requests import MallRequest

STOREFRONT = (
    "default-src 'self'; script-src 'self'; style-src-elem 'self' 'nonce-{nonce}'; "
    "style-src-attr 'none'; img-src 'self' data: blob:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self'{old_mall}"
)
# Alpine in unfold needs eval and inline styles. Inline scripts remain forbidden.
ADMIN = (
    "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'; form-action 'self'"
)
# The Swagger page needs inline styles. Its script comes from this site.
DOCS = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
    "data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
# prefix of the path → its policy; the first match wins. Other paths get the storefront's policy.
POLICIES: tuple[tuple[str, str], ...] = (("/admin/", ADMIN), ("/api/docs", DOCS))
# API answers belong to one customer: browsers and proxies must not store them, unless the view
# sets its own header.
API_CACHING = "private, no-store"
PERMISSIONS = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()"


def get_origin(url: str) -> str:
    """Return scheme://host[:port] of an absolute URL, or "" for a path on this site."""
    parts = urlsplit(url)
    return (
        f"{parts.scheme}://{parts.netloc}"
        if parts.scheme in {"http", "https"} and parts.netloc
        else ""
    )


def build_policy(path: str, nonce: str) -> str:
    """Return the Content-Security-Policy of a path."""
    for prefix, policy in POLICIES:
        if path.startswith(prefix):
            return policy
    old_mall = get_origin(settings.OLD_MALL_URL)
    return STOREFRONT.format(nonce=nonce, old_mall=f" {old_mall}" if old_mall else "")


class ResponseHeadersMiddleware:
    """Set the request's nonce (`request.csp_nonce`) and the answer's headers. Headers that the
    view has set are not changed.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: MallRequest) -> HttpResponse:
        """Add the security headers, with a new nonce for the page's scripts."""
        nonce = secrets.token_urlsafe(16)
        request.csp_nonce = nonce
        response = self.get_response(request)
        response.headers.setdefault(
            "Content-Security-Policy", build_policy(request.path_info, nonce)
        )
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if is_api(request.path_info):
            response.headers.setdefault("Cache-Control", API_CACHING)
        return response
