"""Under overload some are told to come back rather than all made to wait.

The server must have threads beyond REQUESTS_AT_ONCE + REQUESTS_WAITING: those tell the others, so that nothing piles up before us.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import BoundedSemaphore

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.common.api.plain import is_api, plain_refusal

PATIENCE_SECONDS = 5.0
RETRY_AFTER_SECONDS = "3"
# Who watches over us must hear that we are busy, not that we are gone; a public picture asks nothing of the database.
ALWAYS_HEARD = ("/healthz", "/readyz", "/metrics", "/media/")
MESSAGE = "服务繁忙，请稍后重试"


class LoadMiddleware:
    """REQUESTS_AT_ONCE of a process are at work, REQUESTS_WAITING wait their turn for 5 s at most, the rest get 503 at once."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.turns = BoundedSemaphore(settings.REQUESTS_AT_ONCE)
        self.places = BoundedSemaphore(settings.REQUESTS_AT_ONCE + settings.REQUESTS_WAITING)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(ALWAYS_HEARD):
            return self.get_response(request)
        if not self.places.acquire(blocking=False):
            return busy(request)
        try:
            if not self.turns.acquire(timeout=PATIENCE_SECONDS):
                return busy(request)
            try:
                return self.get_response(request)
            finally:
                self.turns.release()
        finally:
            self.places.release()


def busy(request: HttpRequest) -> HttpResponse:
    """Return 503 with Retry-After: enveloped in the API, a plain page elsewhere."""
    if is_api(request.path_info):
        answer = plain_refusal(request, status=503, code="server_error", message=MESSAGE)
    else:
        answer = HttpResponse(f"<!doctype html><meta charset=utf-8><title>{MESSAGE}</title><h1>{MESSAGE}</h1>", status=503)
    answer["Retry-After"] = RETRY_AFTER_SECONDS
    return answer
