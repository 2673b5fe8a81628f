"""Refuse malformed requests before they reach a route: NUL, broken encodings, paths or numbers that
are too long, and a Host header that is not an address of the mall, including its port. Links in
emails and redirects are built from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import render

from apps.common.api.renderers import build_plain_refusal, is_api
from apps.common.errors import TooLarge

MAX_PATH = 1024
# In bytes: the longest file name of common file systems.
MAX_SEGMENT = 255
MAX_QUERY = 8192
# Every number of up to 18 digits fits into a 64-bit id.
LONG_NUMBER = re.compile(r"[+-]?\d{19,}")
CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
# Django encodes bytes that are not UTF-8 as percent codes again. No decoded path of ours contains
# such a code.
UNDECODED = re.compile(r"%[0-9A-Fa-f]{2}")
BROKEN_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
# The largest upload, an import of 50,000 rows, is much smaller. nginx and the views have lower
# limits.
MAX_BODY = 64 * 1024 * 1024
MESSAGE = "请求地址有误，请检查后重试"
TOO_LONG = "地址太长，请缩短搜索词后重试"


def _is_undecodable(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def is_path_bad(request: HttpRequest) -> bool:
    """Return whether the path contains bytes, lengths or numbers that no route of ours has."""
    path = request.path_info
    if len(path) > MAX_PATH or CONTROL.search(path) or UNDECODED.search(path):
        return True
    return any(
        len(part.encode()) > MAX_SEGMENT or LONG_NUMBER.fullmatch(part) for part in path.split("/")
    )


def is_query_bad(raw: str) -> bool:
    """Return whether the query string contains NUL, a broken percent code, or bytes that are
    not UTF-8.
    """
    if not raw:
        return False
    if BROKEN_PERCENT.search(raw):
        return True
    decoded = unquote_to_bytes(raw.encode("latin-1", "replace"))
    return b"\x00" in decoded or _is_undecodable(decoded)


def is_body_too_large(length: str) -> bool:
    """Return whether the Content-Length is above MAX_BODY. It may have leading zeros."""
    plain = length.lstrip("0") or "0"
    return len(plain) > 18 or int(plain) > MAX_BODY


class BadInputMiddleware:
    """Under /api, answer an enveloped refusal at 200. Elsewhere, answer a plain 400, or a page
    if only the query string is too long.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Refuse a request with a bad length, path, query or cookie; otherwise pass it on."""
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdigit()) or is_body_too_large(length):
            return self._refuse_request(request, "too_large", TooLarge.message)
        if len(request.META.get("QUERY_STRING", "")) > MAX_QUERY:
            return self._refuse_request(request, "bad_request", TOO_LONG)
        # A quoted cookie value may contain NUL as \000. PostgreSQL would fail on it when Django
        # loads the session.
        cookie_is_bad = any("\x00" in value for value in request.COOKIES.values())
        if not (
            cookie_is_bad
            or is_path_bad(request)
            or is_query_bad(request.META.get("QUERY_STRING", ""))
        ):
            return self.get_response(request)
        return self._refuse_request(request, "bad_request", MESSAGE)

    @staticmethod
    def _refuse_request(request: HttpRequest, code: str, message: str) -> HttpResponse:
        if is_api(request.path_info):
            return build_plain_refusal(request, status=200, code=code, message=message)
        if message == TOO_LONG:
            return render(request, "address_too_long.html", {"message": message}, status=400)
        return HttpResponse(message, status=400, content_type="text/plain; charset=utf-8")


DEFAULT_PORTS = {"http": "80", "https": "443"}
# Probes use the internal address of the process. Their answers contain no links.
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
BAD_HOST = "访问地址的域名或端口不正确，请从商城网址重新进入"


def list_allowed_ports(request: HttpRequest) -> set[str]:
    """Return the allowed ports: the default port of the scheme, ALLOWED_PORTS and, if there is
    no proxy, the server's port.
    """
    ports = {"", DEFAULT_PORTS[request.scheme or "http"], *settings.ALLOWED_PORTS}
    return ports if settings.TRUSTED_PROXIES else ports | {request.META.get("SERVER_PORT", "")}


def is_own_host(request: HttpRequest) -> bool:
    """Return whether the Host header has a host of ALLOWED_HOSTS and an allowed port."""
    try:
        host = request.get_host()
    except DisallowedHost:
        return False
    return split_domain_port(host)[1] in list_allowed_ports(request)


class HostMiddleware:
    """Answer 400 for an unknown Host, with an envelope under /api."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Refuse a request for a foreign host name with 400. Health probes need no host."""
        if request.path_info in PROBES or is_own_host(request):
            return self.get_response(request)
        if is_api(request.path_info):
            return build_plain_refusal(request, status=400, code="bad_request", message=BAD_HOST)
        return HttpResponse(
            f"<!doctype html><meta charset=utf-8><title>{BAD_HOST}</title><h1>{BAD_HOST}</h1>",
            status=400,
        )
