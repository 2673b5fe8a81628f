"""The OpenAPI schema as the client sees it: every JSON answer is in the envelope.

The RetCodes of an operation are derived from the code: its access, its decorators, and the
`Raises:` sections of the services that it calls.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework.serializers import ListSerializer

from apps.common.api.access import get_access
from apps.common.api.idempotency import KEY
from apps.common.api.views import MallViewSet
from apps.common.errors import DomainError, Forbidden, NotFound, NotLoggedIn, RateLimited
from apps.common.retcodes import RET_CODES

# The schema extension with the declared access, also for machines.
EXTENSION = "x-access"
MEANINGS = {row.code: row.meaning for row in RET_CODES}
# Codes that docs/api.md explains once for all operations.
GENERAL = {
    *("validation", "bad_request", "unsupported_media", "too_large", "not_logged_in", "forbidden"),
    *("not_in_person", "not_found", "rate_limited", "server_error", "idempotency_mismatch"),
}
# A line "        WrongState, Stale: why" below "Raises:". A long list of names may span two lines.
NAMED = re.compile(r"^\s+((?:[A-Z]\w+)(?:,\s+[A-Z]\w+)*):", re.MULTILINE)


def list_codes(view: Any, *, method: str, path: str, is_paged: bool = False) -> list[str]:
    """Return the codes of an operation's refusals, in the order of `RET_CODES`.

    `is_paged` adds `validation`, for an invalid PageIndex or PageSize.
    """
    access = get_access(view, view.action)
    action = getattr(view, view.action, None)
    codes = {"bad_request", "rate_limited", "server_error", *_list_raised_codes(action)}
    if access is not None and access.kind != "public":
        codes.add("not_logged_in")
        codes |= {"forbidden"} if access.kind == "menu" else set()
        codes |= {"not_in_person"} if access.is_in_person else set()
    if "{" in path:
        codes.add("not_found")
    if is_paged:
        codes.add("validation")
    if method != "GET":
        codes |= {"validation", "unsupported_media", "too_large"}
    if getattr(action, "is_idempotent", False):
        codes.add("idempotency_mismatch")
    return [code for code in MEANINGS if code in codes]


def describe_codes(codes: list[str]) -> str:
    """Return the codes as Markdown: general ones in one line, the operation's own ones with
    their meaning.
    """
    general = "、".join(f"`{code}`" for code in codes if code in GENERAL)
    own_codes = [f"- `{code}`：{MEANINGS[code]}" for code in codes if code not in GENERAL]
    return "\n".join([f"RetCode：{general}", *(["", *own_codes] if own_codes else [])])


def _list_raised_codes(action: Any) -> set[str]:
    """Return the codes from the `Raises:` sections of the services and selectors that an action
    calls.
    """
    kinds = {kind.__name__: kind.code for kind in _iterate_error_kinds(DomainError)}
    texts = (
        inspect.getdoc(function) or ""
        for function in _list_called_functions(inspect.unwrap(action), deep=2)
    )
    names = {
        name
        for text in texts
        for names in NAMED.findall(text.partition("Raises:")[2])
        for name in re.split(r",\s+", names)
    }
    return {kinds[name] for name in names if name in kinds} | (
        {"validation"} if "ValidationError" in names else set()
    )


def _list_called_functions(function: Any, *, deep: int) -> Iterator[FunctionType]:
    """Yield the functions under `apps.` that a function names. Functions of its own module are
    followed one level deeper.
    """
    code, module_names = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    for name in code.co_names if code else ():
        target = module_names.get(name)
        if isinstance(target, FunctionType) and target.__module__.startswith("apps."):
            yield target
            if deep > 1 and target.__module__ == function.__module__:
                yield from _list_called_functions(target, deep=deep - 1)


def _iterate_error_kinds(kind: type[DomainError]) -> Iterator[type[DomainError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _iterate_error_kinds(child)


PATH_PARAMETER = re.compile(r"{(\w+)}")


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The security scheme of the schema: a bearer token."""

    target_class = "apps.common.api.access.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        """Return the OpenAPI description of the bearer token."""
        description = (
            "调用 `POST /api/Account/Login` 取得 `Token`，填在这里（不含 Bearer 前缀）；"
            "10 分钟有效，到期后用刷新令牌换取新的。"
        )
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "JWT",
            "description": description,
        }


class MallAutoSchema(AutoSchema):
    """Derive unique and stable operation ids from the path, and describe access and RetCodes."""

    view: Any  # a MallViewSet

    def get_tags(self) -> list[str]:
        parts = [part for part in self.path.split("/") if part and part != "api"]
        return [parts[0] if parts else "api"]

    def _is_list_view(self, serializer: Any = None) -> bool:
        """Return whether the answer is a list.

        This holds for `many=True`, and for the `list` of a paged view with its own row serializer.
        Another serializer there is a single body that contains rows.
        """
        if isinstance(serializer, ListSerializer):
            return True
        is_own_row = serializer is None or type(serializer) is self.view.serializer_class
        return (
            is_own_row
            and self.view.action in self.view.paged_actions
            and self.view.pagination_class is not None
        )

    def _get_paginator(self) -> Any:
        """Return the paginator for the view's paged actions only. Other lists are bare."""
        return super()._get_paginator() if self.view.action in self.view.paged_actions else None  # type: ignore[no-untyped-call]

    def get_description(self) -> str:  # type: ignore[override]
        """Return the RetCodes. Docstrings are not used: the text for readers comes from the
        app's `api/operation_texts.py`.
        """
        if not isinstance(self.view, MallViewSet):
            return ""
        is_paged = any(parameter["name"] == "PageIndex" for parameter in self._get_parameters())
        return describe_codes(
            list_codes(self.view, method=self.method, path=self.path, is_paged=is_paged)
        )

    def get_extensions(self) -> dict[str, Any]:
        """Return the declared access. `operation_words.py` turns it into text."""
        access = get_access(self.view, self.view.action)
        if access is None:
            return {}
        return {
            EXTENSION: {
                "kind": access.kind,
                "menus": list(access.menus),
                "inPerson": access.is_in_person,
            }
        }

    def get_override_parameters(self) -> list[Any]:
        """Return the view's own parameters, and the Idempotency-Key header if a decorator reads
        it.
        """
        action = getattr(self.view, self.view.action, None)
        own: list[Any] = super().get_override_parameters()
        if not getattr(action, "is_idempotent", False):
            return own
        description = (
            "幂等键：每次提交一个新的键；没有收到应答时，用同一个键、同样的内容重发，只生效一次。"
        )
        is_required = getattr(action, "is_key_required", False)
        kind = {"type": "string", "pattern": f"^{KEY.pattern}$", "example": "po-2026-0301"}
        return [
            *own,
            OpenApiParameter(
                "Idempotency-Key",
                kind,
                OpenApiParameter.HEADER,
                required=is_required,
                description=description,
            ),
        ]

    def get_operation_id(self) -> str:
        words = [part.strip("{}") for part in self.path.split("/") if part and part != "api"]
        return "_".join([self.method.lower(), *words])


def envelope_hook(
    result: dict[str, Any],
    generator: Any,
    request: Any,
    public: bool,
) -> dict[str, Any]:
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
        "properties": {
            "MsgHeader": {"$ref": "#/components/schemas/MsgHeader"},
            "MsgBody": {"nullable": True},
        },
    }
    result["components"]["responses"] = {code: _build_refusal_response(code) for code in KEPT}
    result["paths"] = {
        _to_pascal_path(path): operations for path, operations in result.get("paths", {}).items()
    }
    for operations in result["paths"].values():
        for operation in operations.values():
            if isinstance(operation, dict) and "responses" in operation:
                _wrap_in_envelope(operation["responses"])
                _describe_refusals(operation)
                _rename_path_parameters(operation)
    return result


# Errors that keep their own status instead of 200.
KINDS = {kind.code: kind for kind in (NotLoggedIn, Forbidden, NotFound, RateLimited)}
BLOCK = {
    "Ip": "203.0.113.7",
    "CurrentTime": "2026-03-02T09:30:00+08:00",
    "Target": "/api/Order",
    "Guid": "0f8fad5b-d9cb-469f-a165-70867728950e",
}
KEPT = {"not_logged_in": "401", "forbidden": "403", "not_found": "404", "rate_limited": "429"}


def _build_refusal_response(code: str) -> dict[str, Any]:
    """Return the response of a refusal that keeps its status, with an example."""
    head = {
        "Success": False,
        "RetCode": code,
        "RetMessage": KINDS[code].message,
        "RequestId": "0f8fad5bd9cb469fa165",
    }
    example = {"MsgHeader": head, "MsgBody": BLOCK if code == "rate_limited" else None}
    content = {
        "application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}, "example": example}
    }
    description = "需等待的秒数"
    headers = (
        {"headers": {"Retry-After": {"description": description, "schema": {"type": "integer"}}}}
        if code == "rate_limited"
        else {}
    )
    return {"description": MEANINGS[code], **headers, "content": content}


def _describe_refusals(operation: dict[str, Any]) -> None:
    """Add the responses of the statuses other than 200. Their MsgBody is null, or the details
    of the block.
    """
    for code, status in KEPT.items():
        if f"`{code}`" in operation.get("description", ""):
            operation["responses"].setdefault(status, {"$ref": f"#/components/responses/{code}"})


def _to_pascal_case(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def _to_pascal_path(path: str) -> str:
    return PATH_PARAMETER.sub(lambda match: f"{{{_to_pascal_case(match[1])}}}", path)


def _rename_path_parameters(operation: dict[str, Any]) -> None:
    """Rename path parameters to PascalCase, as all keys on the wire. Views use Python names.
    Drop empty defaults.
    """
    for parameter in operation.get("parameters", ()):
        if parameter.get("in") == "path":
            parameter["name"] = _to_pascal_case(parameter["name"])
        elif parameter.get("schema", {}).get("default") == "":
            del parameter["schema"]["default"]  # the docs page would show an empty default value


def _wrap_in_envelope(responses: dict[str, Any]) -> None:
    """Replace the success responses by one 200 response with the envelope. A file keeps its own
    type.
    """
    body_schema: dict[str, Any] = {}
    for status in ("200", "201", "204"):
        response = responses.pop(status, None)
        if response:
            content = response.get("content", {})
            if content and "application/json" not in content:
                responses["200"] = {
                    **response,
                    "description": "文件或事件流，不在信封内；拒绝时是信封",
                }
                return
            body_schema = content.get("application/json", {}).get("schema", {}) or body_schema
    responses["200"] = {
        "description": "成功，或 Success 为 false 的拒绝",
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["MsgHeader", "MsgBody"],
                    "properties": {
                        "MsgHeader": {"$ref": "#/components/schemas/MsgHeader"},
                        "MsgBody": body_schema or {"nullable": True},
                    },
                }
            }
        },
    }
