"""The OpenAPI schema as it is on the wire: the envelope around every JSON answer."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework.serializers import ListSerializer

from apps.common.api.refusals import MEANINGS, codes_of, described
from apps.common.api.views import MallViewSet

PATH_PARAMETER = re.compile(r"{(\w+)}")


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How a caller says who it is."""

    target_class = "apps.common.api.authentication.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}


class MallAutoSchema(AutoSchema):
    """Names an operation after its path, so that it is unique and stable."""

    view: Any  # a MallViewSet

    def get_tags(self) -> list[str]:
        parts = [part for part in self.path.split("/") if part and part != "api"]
        return [parts[0] if parts else "api"]

    def _is_list_view(self, serializer: Any = None) -> bool:
        """A list is `many=True`, or a paged view's `list` of its own rows; another serializer there is one body that holds rows."""
        if isinstance(serializer, ListSerializer):
            return True
        is_own_row = serializer is None or type(serializer) is self.view.serializer_class
        return is_own_row and self.view.action in self.view.paged_actions and self.view.pagination_class is not None

    def _get_paginator(self) -> Any:
        """Only the view's paged actions answer pages; other lists are bare."""
        return super()._get_paginator() if self.view.action in self.view.paged_actions else None  # type: ignore[no-untyped-call]

    def get_description(self) -> str:  # type: ignore[override]
        """The view's own words, then what it refuses with."""
        own = str(super().get_description() or "")
        codes = codes_of(self.view, method=self.method, path=self.path) if isinstance(self.view, MallViewSet) else []
        return "\n\n".join(text for text in (own, described(codes) if codes else "") if text)

    def get_operation_id(self) -> str:
        words = [part.strip("{}") for part in self.path.split("/") if part and part != "api"]
        return "_".join([self.method.lower(), *words])


def envelope_hook(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:  # noqa: ARG001
    """Wrap the 200 answer of every operation in MsgHeader and MsgBody."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas["MsgHeader"] = {
        "type": "object",
        "required": ["Success", "RetCode", "RetMessage", "RequestId"],
        "properties": {
            "Success": {"type": "boolean"},
            "RetCode": {"type": "string"},
            "RetMessage": {"type": "string"},
            "RequestId": {"type": "string"},
        },
    }
    schemas["Refusal"] = {
        "type": "object",
        "required": ["MsgHeader", "MsgBody"],
        "properties": {"MsgHeader": {"$ref": "#/components/schemas/MsgHeader"}, "MsgBody": {"nullable": True}},
    }
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    result["components"]["responses"] = {code: {"description": MEANINGS[code], "content": content} for code in KEPT}
    result["paths"] = {_pascal_path(path): operations for path, operations in result.get("paths", {}).items()}
    for operations in result["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict) and "responses" in operation:
                _wrap(operation["responses"])
                _refuse(operation)
                _rename_path_parameters(operation)
    return result


# The statuses beside 200 that a refusal keeps, where its code is among the operation's.
KEPT = {"not_logged_in": "401", "forbidden": "403", "not_found": "404", "rate_limited": "429"}


def _refuse(operation: dict[str, Any]) -> None:
    """Name the answers of the statuses that are no 200: the same envelope around nothing, or around the block's particulars."""
    for code, status in KEPT.items():
        if f"`{code}`" in operation.get("description", ""):
            operation["responses"].setdefault(status, {"$ref": f"#/components/responses/{code}"})


def _pascal(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def _pascal_path(path: str) -> str:
    return PATH_PARAMETER.sub(lambda match: f"{{{_pascal(match[1])}}}", path)


def _rename_path_parameters(operation: dict[str, Any]) -> None:
    """Path parameters are PascalCase as every key on the wire is; the views name them as Python does."""
    for parameter in operation.get("parameters", ()):
        if parameter.get("in") == "path":
            parameter["name"] = _pascal(parameter["name"])


def _wrap(responses: dict[str, Any]) -> None:
    body: dict[str, Any] = {}
    for status in ("200", "201", "204"):
        answer = responses.pop(status, None)
        if answer:
            content = answer.get("content", {})
            if content and "application/json" not in content:
                responses["200"] = answer
                return
            body = content.get("application/json", {}).get("schema", {}) or body
    responses["200"] = {
        "description": "",
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["MsgHeader", "MsgBody"],
                    "properties": {"MsgHeader": {"$ref": "#/components/schemas/MsgHeader"}, "MsgBody": body or {"nullable": True}},
                }
            }
        },
    }
