"""Answers 429 with the security block info when a client calls the API too often; what is too often says limits/rules.py."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from apps.common.api.plain import is_api, plain_refusal
from apps.common.client_address import client_address
from apps.common.limits.counters import blocked
from apps.common.limits.rules import too_many

# Where a solved captcha would lift nothing, the page must be able to say what does.
WAIT = "操作过于频繁，请稍后再试"


class RateLimitMiddleware:
    """Counts every call of the API before a transaction is opened."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        rule = too_many(request) if is_api(request.path_info) else None
        if rule is None:
            return self.get_response(request)
        refusal = blocked(client=client_address(request), target=request.path_info)
        message = refusal.text if rule.lifted else WAIT
        return plain_refusal(request, status=refusal.status, code=refusal.code, message=message, body=refusal.body)
