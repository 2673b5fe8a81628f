"""/api/docs: each operation lists its errors, and each plain value has an example that fits."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import Any

from django.db import models
from drf_spectacular.generators import SchemaGenerator

from apps.common.retcodes import RET_CODES


@cache
def get_schema() -> dict[str, Any]:
    generated_schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return generated_schema


def get_operation(method: str, path: str) -> dict[str, Any]:
    operation_schema: dict[str, Any] = get_schema()["paths"][path][method]
    return operation_schema


def list_operations() -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method} {path}", one)
        for path, row in get_schema()["paths"].items()
        for method, one in row.items()
    ]


def test_every_operation_lists_its_ret_codes() -> None:
    without = [
        name for name, one in list_operations() if "RetCode：" not in one.get("description", "")
    ]

    assert len(list_operations()) > 190
    assert without == []


def test_operation_lists_the_errors_that_its_service_raises() -> None:
    cancel, submit = (
        get_operation("post", "/api/Order/{OrderNo}/Cancel"),
        get_operation("post", "/api/Order"),
    )

    assert "- `wrong_state`：" in cancel["description"]
    assert {
        code
        for code in ("price_moved", "stock_short", "budget_exceeded")
        if f"- `{code}`" in submit["description"]
    } != set()
    assert "`idempotency_mismatch`" in submit["description"]
    assert "`idempotency_mismatch`" not in get_operation("get", "/api/Order")["description"]


def test_the_statuses_follow_the_access() -> None:
    assert set(get_operation("get", "/api/Webhook/{Id}")["responses"]) == {
        "200",
        "401",
        "403",
        "404",
        "429",
    }
    assert set(get_operation("post", "/api/Account/Login")["responses"]) == {"200", "429"}


def test_every_described_ret_code_is_in_the_table() -> None:
    codes = set(get_schema()["components"]["responses"])

    assert codes <= {row.code for row in RET_CODES}


def test_every_plain_value_has_an_example_that_fits() -> None:
    wrong = []
    for name, component in get_schema()["components"]["schemas"].items():
        for key, value in component.get("properties", {}).items():
            if (
                value.get("type") not in {"string", "integer", "number", "boolean"}
                or "enum" in value
            ):
                continue
            example = value.get("example")
            is_short = (
                value["type"] != "string"
                or "maxLength" not in value
                or len(example or "") <= value["maxLength"]
            )
            if (example is None and value.get("maxLength", 99) > 2) or not is_short:
                wrong.append(f"{name}.{key}")
            if value.get("format") == "decimal":
                Decimal(example)
    assert wrong == []


def test_schema_examples_contain_no_placeholder() -> None:
    rows = [
        f"{name}.{key}"
        for name, component in get_schema()["components"]["schemas"].items()
        for key, value in component.get("properties", {}).items()
        if not _is_telling(value)
    ]

    assert rows == []


def _is_telling(value: dict[str, Any]) -> bool:
    """Whether the docs page shows a realistic value."""
    if value.get("type") == "array":
        return _is_telling(value["items"])
    if value.get("type") == "object":
        return bool({"example", "properties", "additionalProperties"} & set(value))
    is_plain = (
        value.get("type") == "string" and "enum" not in value and value.get("format") != "binary"
    )
    return not is_plain or (
        ("example" in value or value.get("maxLength", 99) <= 2) and value.get("example") != "示例"
    )


def list_choices(kind: type[models.TextChoices] = models.TextChoices) -> set[tuple[str, str]]:
    return {pair for each in kind.__subclasses__() for pair in (*each.choices, *list_choices(each))}


def test_a_code_and_its_words_are_a_pair_of_the_mall() -> None:
    pairs = list_choices()
    invented = {
        (value["example"], words["example"])
        for component in get_schema()["components"]["schemas"].values()
        for key, value in component.get("properties", {}).items()
        if isinstance(words := component["properties"].get(f"{key}Text"), dict)
        and {"example"} <= set(value) & set(words)
    } - pairs

    assert invented == set()


def test_every_operation_has_an_example() -> None:
    without = []
    for name, one in list_operations():
        answers = [answer["content"] for answer in one["responses"].values() if "content" in answer]
        bodies = [media for content in answers for media in content.values()]
        bodies += list(one.get("requestBody", {}).get("content", {}).values())
        if not any(
            "example" in media or "examples" in media or _has_example(media.get("schema", {}))
            for media in bodies
        ):
            without.append(name)
    assert without == [
        "post /api/Assistant/Conversation/{ConversationId}/Retry"
    ]  # no request body, and a stream as answer


def _has_example(found: dict[str, Any]) -> bool:
    """Whether the schema, or a schema inside it, has an example value."""
    if {"example", "examples", "enum"} & set(found) or found.get(
        "format"
    ) == "binary":  # a file needs no example
        return True
    if "$ref" in found:
        return _has_example(get_schema()["components"]["schemas"][found["$ref"].rsplit("/", 1)[1]])
    inside = [
        *found.get("properties", {}).values(),
        *found.get("allOf", []),
        *([found["items"]] if "items" in found else []),
    ]
    return any(_has_example(each) for each in inside)
