"""Count every API call, answer 429 if a client calls too often, and add the state of its limits
to each answer.

`limits/rules.py` defines the limits. `RateLimit-Policy` and `RateLimit` follow
draft-ietf-httpapi-ratelimit-headers-10 and have one item per limit: `"search";q=300;w=60` (300
calls in 60 s) and `"search";r=299;t=60` (299 calls remain for the next 60 s).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.http import HttpRequest, HttpResponse

from apps.common.api.renderers import build_plain_refusal, is_api
from apps.common.limits.rules import Quota, build_rate_limited, count_call


class RateLimitMiddleware:
    """Count a call before a transaction opens, and before it queues for a place of the process."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Count the API call, refuse it if a limit is exceeded, and add the RateLimit headers."""
        quotas = count_call(request) if is_api(request.path_info) else []
        exceeded = next((quota for quota in quotas if quota.is_exceeded), None)
        answer = (
            self.get_response(request) if exceeded is None else build_refusal(request, exceeded)
        )
        if quotas:
            answer["RateLimit-Policy"] = _join_items(
                f'"{quota.rule.name}";q={quota.limit};w={quota.window}' for quota in quotas
            )
            answer["RateLimit"] = _join_items(
                f'"{quota.rule.name}";r={quota.remaining};t={quota.reset}' for quota in quotas
            )
        return answer


def build_refusal(request: HttpRequest, exceeded: Quota) -> HttpResponse:
    """Return the 429 answer for the exceeded limit. Retry-After is the number of seconds until the
    window ends.
    """
    refusal = build_rate_limited(exceeded, request)
    answer = build_plain_refusal(
        request, status=refusal.status, code=refusal.code, message=refusal.text, body=refusal.body
    )
    answer["Retry-After"] = str(exceeded.reset)
    return answer


def _join_items(items: Iterable[str]) -> str:
    return ", ".join(items)
