"""Every operation of the published schema with a valid body. New operations of
`docs/openapi.yaml` are included automatically.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any

import pytest
import yaml
from django.conf import settings

SCHEMA: dict[str, Any] = yaml.load(
    (settings.BASE_DIR / "docs" / "openapi.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
)


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path of the schema."""

    method: str
    path: str
    spec: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.path}"

    def names(self, place: str) -> list[str]:
        return [
            parameter["name"]
            for parameter in self.spec.get("parameters", ())
            if parameter["in"] == place
        ]

    @property
    def body(self) -> dict[str, Any] | None:
        """The schema of its JSON body, with references resolved one level down."""
        content = self.spec.get("requestBody", {}).get("content", {}).get("application/json")
        return resolve_schema(content["schema"]) if content else None


def resolve_schema(schema: dict[str, Any]) -> dict[str, Any]:
    for part in (schema, *schema.get("allOf", ()), *schema.get("oneOf", ())):
        if "$ref" in part:
            result: dict[str, Any] = SCHEMA["components"]["schemas"][
                part["$ref"].rpartition("/")[2]
            ]
            return result
    return schema


def build_fitting_value(schema: dict[str, Any], depth: int = 0) -> Any:
    """Return a valid value for a field of this schema."""
    schema = resolve_schema(schema)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object" or "properties" in schema:
        return (
            {
                name: build_fitting_value(part, depth + 1)
                for name, part in schema.get("properties", {}).items()
            }
            if depth < 4
            else {}
        )
    if kind == "array":
        return [build_fitting_value(schema["items"], depth + 1)]
    if kind in {"integer", "number"}:
        return max(1, schema.get("minimum", 1))
    if kind == "boolean":
        return True
    return (
        "12.50" if "-?" in schema.get("pattern", "") or schema.get("format") == "decimal" else "1"
    )


def iterate_leaves(
    schema: dict[str, Any], value: Any, trail: tuple[Any, ...] = ()
) -> Generator[tuple[Any, ...]]:
    """Yield the path to every field of a body, including fields of the first row of arrays."""
    schema = resolve_schema(schema)
    if trail:
        yield trail
    for name, part in schema.get("properties", {}).items():
        yield from iterate_leaves(part, value, (*trail, name))
    if schema.get("type") == "array":
        yield from iterate_leaves(schema["items"], value, (*trail, 0))


def list_money_trails(operation: Operation) -> list[tuple[Any, ...]]:
    """Return the paths to the operation's money fields: decimals with two places."""
    schema = operation.body
    if schema is None:
        return []
    return [
        trail
        for trail in iterate_leaves(schema, build_fitting_value(schema))
        if "{0,2})?$" in get_field_at(schema, trail).get("pattern", "")
    ]


def get_field_at(schema: dict[str, Any], trail: tuple[Any, ...]) -> dict[str, Any]:
    """Return the schema of the field at the path."""
    for step in trail:
        whole = resolve_schema(schema)
        schema = whole["items"] if step == 0 else whole["properties"][step]
    return resolve_schema(schema)


def plant_value(body: Any, trail: tuple[Any, ...], value: Any) -> Any:
    """Return a copy of the body with the value at the path."""
    return plant_values(body, [trail], value)


def plant_values(body: Any, trails: Iterable[tuple[Any, ...]], value: Any) -> Any:
    """Return a copy of the body with the value at each of the paths."""
    copy = json.loads(json.dumps(body))
    for trail in trails:
        place = copy
        for step in trail[:-1]:
            place = place[step]
        place[trail[-1]] = value
    return copy


OPERATIONS = [
    Operation(method, path, spec)
    for path, methods in SCHEMA["paths"].items()
    for method, spec in methods.items()
    if method in {"get", "post", "patch", "put", "delete"}
]


def mark_operations(what: Callable[[Operation], object]) -> pytest.MarkDecorator:
    """Parametrize with the operations for which `pick` returns something."""
    return pytest.mark.parametrize(
        "operation", [operation for operation in OPERATIONS if what(operation)], ids=str
    )
