"""The exception handler. Every failure becomes an envelope: most at status 200; 401, 403, 404, 429,
500 and 503 keep their status. A stale edit is answered with the current row.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import structlog
from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
)
from django.db import OperationalError
from django.http import Http404
from rest_framework import exceptions as drf
from rest_framework.response import Response

from apps.common.errors import DomainError, RateLimited, Stale

log = structlog.get_logger(__name__)
# exception → (status, RetCode, message); the first match wins
TABLE: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], int, str, str], ...] = (
    (
        (drf.NotAuthenticated, drf.AuthenticationFailed),
        401,
        "not_logged_in",
        "未登录或登录已过期，请重新登录",
    ),
    ((drf.PermissionDenied, PermissionDenied), 403, "forbidden", "拒绝访问"),
    ((drf.NotFound, Http404), 404, "not_found", "请求的内容不存在或已删除"),
    (drf.Throttled, 429, "rate_limited", "系统识别到您的访问存在安全隐患"),
    (drf.MethodNotAllowed, 200, "method_not_allowed", "此地址不支持该请求方法"),
    (drf.UnsupportedMediaType, 200, "unsupported_media", "不支持的内容类型，请按接口文档提交"),
    (drf.NotAcceptable, 200, "unsupported_media", "无法按要求的格式返回内容"),
    ((RequestDataTooBig, TooManyFieldsSent), 200, "too_large", "提交的内容过大，请精简后重试"),
    ((drf.ParseError, SuspiciousOperation), 200, "bad_request", "请求内容无法解析，请检查后重试"),
)


def flatten(detail: Any, prefix: str = "") -> dict[str, list[str]]:
    """Convert DRF's nested validation detail to {dotted field path: [messages]}."""
    if isinstance(detail, dict):
        messages: dict[str, list[str]] = {}
        for key, value in detail.items():
            messages.update(flatten(value, f"{prefix}.{key}" if prefix else str(key)))
        return messages
    if isinstance(detail, list) and any(isinstance(item, (dict, list)) for item in detail):
        messages = {}
        for index, item in enumerate(detail):
            if item:
                messages.update(flatten(item, f"{prefix}.{index}" if prefix else str(index)))
        return messages
    texts = [str(text) for text in (detail if isinstance(detail, list) else [detail])]
    return {prefix or "non_field_errors": texts}


def refuse(*, status: int, code: str, message: str, body: Any = None) -> Response:
    """Return the response of a failure. The renderer adds the envelope."""
    response = Response(body, status=status)
    response.refusal = (code, message)  # type: ignore[attr-defined]
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    return response


def exception_handler(error: Exception, context: dict[str, Any]) -> Response:
    """Answer any exception of a view with an envelope. Unexpected exceptions are logged with
    their traceback.
    """
    if isinstance(error, DomainError):
        response = refuse(status=error.status, code=error.code, message=error.text, body=error.body)
        if isinstance(error, RateLimited) and error.retry_after is not None:
            response["Retry-After"] = str(error.retry_after)
        return response
    if isinstance(error, drf.ValidationError):
        errors = flatten(error.detail)
        first = next(
            (texts[0] for texts in errors.values() if texts), "填写的内容有误，请检查后重新提交"
        )
        return refuse(status=200, code="validation", message=first, body={"Errors": errors})
    for kinds, status, code, message in TABLE:
        if isinstance(error, kinds):
            return refuse(status=status, code=code, message=message)
    log.exception("server_error", view=type(context.get("view")).__name__)
    if isinstance(error, OperationalError):
        busy = refuse(status=503, code="server_error", message="服务繁忙，请稍后重试")
        busy["Retry-After"] = "3"
        return busy
    return refuse(status=500, code="server_error", message="服务器故障")


@contextmanager
def serialize_stale(show: Callable[[Any], Any]) -> Generator[None]:
    """Catch a Stale of the block, serialize its row with `show`, and raise it again. Use it
    outside the transaction, which has been rolled back.
    """
    try:
        yield
    except Stale as stale:
        raise Stale(stale.text, body=show(stale.body)) from stale
