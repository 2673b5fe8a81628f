"""Error answers of Django outside the API views: an envelope under /api, otherwise the shell or a
plain page.
"""

from __future__ import annotations

import sys
from typing import Any

from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from apps.common.api.renderers import build_envelope


def _answer(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        body = build_envelope(
            success=False,
            code=code,
            message=message,
            body=None,
            request_id=getattr(request, "request_id", ""),
        )
        return JsonResponse(body, status=status, json_dumps_params={"ensure_ascii": False})
    return HttpResponse(
        f"<!doctype html><meta charset=utf-8><title>{message}</title><h1>{message}</h1>",
        status=status,
    )


@csrf_exempt
def not_found(request: HttpRequest, exception: Any = None, rest: str = "") -> HttpResponse:
    """Return the 404 answer of an unknown address. It needs no CSRF token, because it writes
    nothing.
    """
    return _answer(request, 404, "not_found", "请求的内容不存在或已删除")


def forbidden(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """Return the 403 answer of Django's own checks."""
    return _answer(request, 403, "forbidden", "拒绝访问")


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the 403 answer for a form whose CSRF token is missing or expired."""
    return _answer(request, 403, "forbidden", "页面已过期，请返回并刷新页面后重试")


def bad_request(request: HttpRequest, exception: Any = None) -> HttpResponse:
    """Return the answer for a request that Django cannot parse. In the API it is a refusal with
    status 200, as for every invalid body.
    """
    return _answer(
        request,
        200 if request.path.startswith("/api/") else 400,
        "bad_request",
        "请求内容无法解析，请检查后重试",
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the 500 answer of a failure outside the API views, or 503 if the database is
    unreachable or full, as the API's views do.
    """
    if isinstance(sys.exc_info()[1], OperationalError):
        busy = _answer(request, 503, "server_error", "服务繁忙，请稍后重试")
        busy["Retry-After"] = "3"
        return busy
    return _answer(request, 500, "server_error", "服务器故障")
