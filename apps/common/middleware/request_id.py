"""The request id, in every log line and in the answer, and one access log line per request."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse, QueryDict
from structlog.contextvars import bound_contextvars

from apps.common.requests import MallRequest, get_client_address

VALID_REQUEST_ID = re.compile(r"[0-9A-Za-z_-]{8,64}")
# Only these query values are logged. For all others (tokens, keywords, session keys), only the key.
LOGGED_VALUES = frozenset(
    {"PageIndex", "PageSize", "Sort", "Cid", "Brand", "Type", "Facets", "Total"}
)
QUIET = frozenset({"/healthz", "/readyz", "/metrics"})
access_log = structlog.get_logger("mall.access")


def get_request_id(request: HttpRequest) -> str:
    """Return the caller's X-Request-Id if it is well formed, otherwise a new one."""
    header = request.headers.get("X-Request-Id", "")
    return header if VALID_REQUEST_ID.fullmatch(header) else uuid.uuid4().hex


def mask_query(raw: str) -> str:
    """Return a query string that is safe to log: the values of all but a few keys are masked."""
    if not raw:
        return ""
    try:
        query = QueryDict(raw[:2000])
    except ValueError:  # more fields than allowed
        return "***"
    pairs = [
        f"{key[:40]}={value[:40] if key in LOGGED_VALUES else '***'}"
        for key, values in query.lists()
        for value in values
    ]
    return "&".join(pairs[:30])


class RequestIdMiddleware:
    """Set `request.request_id`, return it in X-Request-Id, and write the access log. The log
    never contains a token, a body or a secret of the query.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: MallRequest) -> HttpResponse:
        """Give the request an id, return it in X-Request-Id, and log the request."""
        request_id = get_request_id(request)
        request.request_id = request_id
        started = time.perf_counter()
        with bound_contextvars(request_id=request_id):
            response = self.get_response(request)
            response["X-Request-Id"] = request_id
            if request.path not in QUIET:
                self._log_request(request, response, started)
        return response

    @staticmethod
    def _log_request(request: HttpRequest, response: HttpResponse, started: float) -> None:
        account = getattr(request, "account", None)
        access_log.info(
            "request",
            method=request.method,
            path=request.path[:300],
            query=mask_query(request.META.get("QUERY_STRING", "")),
            status=response.status_code,
            milliseconds=round((time.perf_counter() - started) * 1000, 1),
            ip=get_client_address(request),
            account=getattr(account, "pk", None),
        )
