"""The envelope where no DRF view is reached: middleware refusals and unknown /api paths."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from apps.common.api.renderers import envelope


def is_api(path: str) -> bool:
    """Tell whether a path belongs to the API, where every answer is enveloped."""
    return path == "/api" or path.startswith("/api/")


def plain_refusal(request: HttpRequest, *, status: int, code: str, message: str, body: Any = None) -> HttpResponse:
    """Return an enveloped refusal."""
    wrapped = envelope(success=False, code=code, message=message, body=body, request_id=getattr(request, "request_id", ""))
    return JsonResponse(wrapped, status=status, json_dumps_params={"ensure_ascii": False})
