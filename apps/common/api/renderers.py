"""The envelope of every answer: the DRF renderer with its JSON encoder, and plain Django responses
for middleware and unknown /api paths. Views return bare data.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder


class WireEncoder(JSONEncoder):
    """DRF's encoder, but a Decimal stays exact."""

    def default(self, obj: Any) -> Any:
        return str(obj) if isinstance(obj, Decimal) else super().default(obj)


class Ok(Response):
    """A successful answer with a RetMessage for the user."""

    def __init__(self, data: Any = None, *, message: str = "") -> None:
        super().__init__(data)
        self.ret_message = message


def build_envelope(
    *, success: bool, code: str, message: str, body: Any, request_id: str
) -> dict[str, Any]:
    """Return the answer as JSON data: MsgHeader with the outcome, MsgBody with the body."""
    return {
        "MsgHeader": {
            "Success": success,
            "RetCode": code,
            "RetMessage": message,
            "RequestId": request_id,
        },
        "MsgBody": body,
    }


class EnvelopeRenderer(JSONRenderer):
    """Wrap the data of a view in the envelope. A refusal has its code and message in
    `response.refusal`.
    """

    encoder_class = WireEncoder

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the answer in the envelope, as JSON bytes."""
        context = dict(renderer_context or {})
        response = context.get("response")
        request = context.get("request")
        code, message = getattr(response, "refusal", ("ok", getattr(response, "ret_message", "")))
        wrapped = build_envelope(
            success=not hasattr(response, "refusal"),
            code=code,
            message=message,
            body=data,
            request_id=getattr(getattr(request, "_request", request), "request_id", ""),
        )
        return super().render(wrapped, accepted_media_type, renderer_context)


def is_api(path: str) -> bool:
    """Return whether the path belongs to the API. Every answer there has an envelope."""
    return path == "/api" or path.startswith("/api/")


def build_plain_refusal(
    request: HttpRequest, *, status: int, code: str, message: str, body: Any = None
) -> HttpResponse:
    """Return a refusal in the envelope."""
    wrapped = build_envelope(
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
