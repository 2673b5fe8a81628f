"""Envelopes without DRF: for refusals by middleware and for unknown /api paths."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from apps.common.api.renderers import envelope


def is_api(path: str) -> bool:
    """Return whether the path belongs to the API. Every answer there has an envelope."""
    return path == "/api" or path.startswith("/api/")


def plain_refusal(
    request: HttpRequest, *, status: int, code: str, message: str, body: Any = None
) -> HttpResponse:
    """Return a refusal in the envelope."""
    wrapped = envelope(
        success=False,
        code=code,
        message=message,
        body=body,
        request_id=getattr(request, "request_id", ""),
    )
    answer = JsonResponse(wrapped, status=status, json_dumps_params={"ensure_ascii": False})
    # CommonMiddleware sets this header on other answers, but this one bypasses it. Without it the
    # server sends chunks.
    answer["Content-Length"] = str(len(answer.content))
    return answer
