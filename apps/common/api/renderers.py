"""The renderer adds the envelope. Views return bare data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from apps.common.api.encoders import WireEncoder


class Ok(Response):
    """A successful answer with a RetMessage for the user."""

    def __init__(self, data: Any = None, *, message: str = "") -> None:
        super().__init__(data)
        self.ret_message = message


def envelope(
    *, success: bool, code: str, message: str, body: Any, request_id: str
) -> dict[str, Any]:
    """Return the spec's envelope around a body."""
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
        context = dict(renderer_context or {})
        response = context.get("response")
        request = context.get("request")
        code, message = getattr(response, "refusal", ("ok", getattr(response, "ret_message", "")))
        wrapped = envelope(
            success=not hasattr(response, "refusal"),
            code=code,
            message=message,
            body=data,
            request_id=getattr(getattr(request, "_request", request), "request_id", ""),
        )
        return super().render(wrapped, accepted_media_type, renderer_context)
