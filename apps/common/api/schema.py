"""The OpenAPI schema as it is on the wire: the envelope around every JSON answer."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework.serializers import ListSerializer

from apps.common.api.access import access_of
from apps.common.api.idempotency import KEY
from apps.common.api.operation_words import EXTENSION
from apps.common.api.refusals import MEANINGS, codes_of, described
from apps.common.api.views import MallViewSet
from apps.common.errors import Forbidden, NotFound, NotLoggedIn, RateLimited

PATH_PARAMETER = re.compile(r"{(\w+)}")


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How a caller says who it is."""

    target_class = "apps.common.api.authentication.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        said = "调用 `POST /api/Account/Login` 取得 `Token`，填在这里（不含 Bearer 前缀）；10 分钟有效，到期后用刷新令牌换取新的。"
        return {"type": "http", "scheme": "bearer", "bearerFormat": "JWT", "description": said}


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
        """What it refuses with; the words before it are each app's (`api/words.py`), not the docstrings of those who write the code."""
        codes = codes_of(self.view, method=self.method, path=self.path) if isinstance(self.view, MallViewSet) else []
        return described(codes) if codes else ""

    def get_extensions(self) -> dict[str, Any]:
        """The declared access, from which the words on who may call are made."""
        access = access_of(self.view, self.view.action)
        if access is None:
            return {}
        return {EXTENSION: {"kind": access.kind, "menus": list(access.menus), "inPerson": access.is_in_person}}

    def get_override_parameters(self) -> list[Any]:
        """The view's own, and the key's header where a wrapper reads it."""
        action = getattr(self.view, self.view.action, None)
        own: list[Any] = super().get_override_parameters()
        if not getattr(action, "is_idempotent", False):
            return own
        said = "幂等键：每次提交一个新的键；没有收到应答时，用同一个键、同样的内容重发，只生效一次。"
        is_required = getattr(action, "is_key_required", False)
        kind = {"type": "string", "pattern": f"^{KEY.pattern}$", "example": "po-2026-0301"}
        return [*own, OpenApiParameter("Idempotency-Key", kind, OpenApiParameter.HEADER, required=is_required, description=said)]

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
    result["components"]["responses"] = {code: _refusal(code) for code in KEPT}
    result["paths"] = {_pascal_path(path): operations for path, operations in result.get("paths", {}).items()}
    for operations in result["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict) and "responses" in operation:
                _wrap(operation["responses"])
                _refuse(operation)
                _rename_path_parameters(operation)
    return result


# The statuses beside 200 that a refusal keeps, where its code is among the operation's.
KINDS = {kind.code: kind for kind in (NotLoggedIn, Forbidden, NotFound, RateLimited)}
BLOCK = {
    "Ip": "203.0.113.7",
    "CurrentTime": "2026-03-02T09:30:00+08:00",
    "Target": "/api/Order",
    "Guid": "0f8fad5b-d9cb-469f-a165-70867728950e",
}
KEPT = {"not_logged_in": "401", "forbidden": "403", "not_found": "404", "rate_limited": "429"}


def _refusal(code: str) -> dict[str, Any]:
    """Return the answer of a refusal that keeps its status, with an example."""
    head = {"Success": False, "RetCode": code, "RetMessage": KINDS[code].message, "RequestId": "0f8fad5bd9cb469fa165"}
    example = {"MsgHeader": head, "MsgBody": BLOCK if code == "rate_limited" else None}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}, "example": example}}
    return {"description": MEANINGS[code], "content": content}


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
    """Path parameters are PascalCase as every key on the wire is; the views name them as Python does. An empty default is none."""
    for parameter in operation.get("parameters", ()):
        if parameter.get("in") == "path":
            parameter["name"] = _pascal(parameter["name"])
        elif parameter.get("schema", {}).get("default") == "":
            del parameter["schema"]["default"]  # left out means left out: the page would show a default of nothing


def _wrap(responses: dict[str, Any]) -> None:
    body: dict[str, Any] = {}
    for status in ("200", "201", "204"):
        answer = responses.pop(status, None)
        if answer:
            content = answer.get("content", {})
            if content and "application/json" not in content:
                responses["200"] = {**answer, "description": "文件或事件流，不在信封内；拒绝时是信封"}
                return
            body = content.get("application/json", {}).get("schema", {}) or body
    responses["200"] = {
        "description": "成功，或 Success 为 false 的拒绝",
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
