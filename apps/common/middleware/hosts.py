"""Refuse a Host header that is not an address of the mall, including its port. Links in emails
and redirects are built from it.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port

from apps.common.api.renderers import is_api, plain_refusal

DEFAULT_PORTS = {"http": "80", "https": "443"}
# Probes use the internal address of the process. Their answers contain no links.
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
MESSAGE = "访问地址的域名或端口不正确，请从商城网址重新进入"


def ports_of(request: HttpRequest) -> set[str]:
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
    return split_domain_port(host)[1] in ports_of(request)


class HostMiddleware:
    """Answer 400 for an unknown Host, with an envelope under /api."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info in PROBES or is_own_host(request):
            return self.get_response(request)
        if is_api(request.path_info):
            return plain_refusal(request, status=400, code="bad_request", message=MESSAGE)
        return HttpResponse(
            f"<!doctype html><meta charset=utf-8><title>{MESSAGE}</title><h1>{MESSAGE}</h1>",
            status=400,
        )
