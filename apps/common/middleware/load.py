"""Under overload, refuse some requests with 503 instead of slowing down all of them. Clients
with the most requests are refused first.

The server must have more threads than REQUESTS_AT_ONCE + REQUESTS_WAITING. The additional threads
send the refusals, so that no queue builds up in front of the process.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.common.api.renderers import is_api, plain_refusal
from apps.common.limits.clients import client_of
from apps.common.limits.turns import Turns

PATIENCE_SECONDS = 5.0
RETRY_AFTER_SECONDS = "3"
# Monitoring must see a busy process as alive. Public pictures need no database query.
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
PICTURES = "/media/"
MESSAGE = "服务繁忙，请稍后重试"


class LoadMiddleware:
    """Let REQUESTS_AT_ONCE requests of a process run and REQUESTS_WAITING wait for at most 5 s.
    The rest get 503 at once.

    `limits/turns.py` decides the order and which request is refused.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.turns = Turns(at_once=settings.REQUESTS_AT_ONCE, waiting=settings.REQUESTS_WAITING)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info in PROBES or request.path_info.startswith(PICTURES):
            return self.get_response(request)
        ticket = self.turns.enter(client_of(request), patience=PATIENCE_SECONDS)
        if ticket is None:
            return busy(request)
        try:
            return self.get_response(request)
        finally:
            self.turns.leave(ticket)


def busy(request: HttpRequest) -> HttpResponse:
    """Return 503 with Retry-After: with an envelope under /api, a plain page elsewhere."""
    if is_api(request.path_info):
        answer = plain_refusal(request, status=503, code="server_error", message=MESSAGE)
    else:
        answer = HttpResponse(
            f"<!doctype html><meta charset=utf-8><title>{MESSAGE}</title><h1>{MESSAGE}</h1>",
            status=503,
        )
    answer["Retry-After"] = RETRY_AFTER_SECONDS
    return answer
