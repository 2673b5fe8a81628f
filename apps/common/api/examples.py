"""Give every plain value of the schema an example, chosen by its key. The docs page fills
request bodies with them. Each app has its values in `api/operation_texts.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

MOMENT, DAY = "2026-03-05T14:07:00+08:00", "2026-03-05"


@dataclass(frozen=True, slots=True)
class Examples:
    """Example values.

    `values` are found by key, `items` by the key of their list, `objects` (with free keys) by key,
    `components` by the beginning of a component's name and then by key.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    items: Mapping[str, Any] = field(default_factory=dict)
    objects: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    components: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def find(self, component: str, key: str) -> Any:
        """Return the example of this component for the key, or the general one, or None. The
        longest beginning of the component's name wins.
        """
        for start in sorted(self.components, key=len, reverse=True):
            if component.startswith(start) and key in self.components[start]:
                return self.components[start][key]
        return self.values.get(key)


def merge_examples(parts: Iterable[Examples]) -> Examples:
    """Return the examples of all apps.

    Raises:
        ValueError: two apps have a value for the same key.
    """
    merged: dict[str, dict[str, Any]] = {"values": {}, "items": {}, "objects": {}, "components": {}}
    for part in parts:
        for name, table in merged.items():
            own = getattr(part, name)
            if twice := table.keys() & own.keys():
                raise ValueError(f"two apps have an example for {sorted(twice)}")
            table.update(own)
    return Examples(**merged)


# Lookup order: component and key, key, format or ending of the key, type.
ENDINGS: tuple[tuple[str, Any], ...] = (
    ("Id", "1024"),
    ("Ids", "1024"),
    ("No", "0001"),
    ("Name", "林晓雨"),
    ("Code", "0001"),
)
FORMATS: dict[str, Any] = {
    "date-time": MOMENT,
    "date": DAY,
    "decimal": "12.50",
    "uri": "https://example.com/",
    "email": "buyer@example.com",
    "uuid": "0f8fad5b-d9cb-469f-a165-70867728950e",
}
KINDS: dict[str, Any] = {"boolean": True, "integer": 1, "number": 1.5, "string": "示例"}


def add_examples(result: dict[str, Any], examples: Examples) -> None:
    """Add an example to each plain property that has none, and to the items of each list of
    plain values.
    """
    for name, component in result.get("components", {}).get("schemas", {}).items():
        for key, schema in component.get("properties", {}).items():
            _add_example(examples, name, key, schema)


def _add_example(examples: Examples, component: str, key: str, schema: dict[str, Any]) -> None:
    if schema.get("type") == "array":
        items = schema.get("items", {})
        item = examples.items.get(key) if "enum" not in items else None
        if item is None or items.get("type") not in KINDS:
            item = example_of(examples, key, items, component=component)
        if item is not None:
            items.setdefault("example", item)
        return
    if schema.get("type") == "object" and "properties" not in schema and key in examples.objects:
        schema.setdefault("example", examples.objects[key])
        return
    example = example_of(examples, key, schema, component=component)
    if example is not None:
        schema.setdefault("example", example)


def example_of(examples: Examples, key: str, schema: dict[str, Any], *, component: str = "") -> Any:
    """Return an example that fits the schema. Return None for a reference, a list, an object or
    an enum.
    """
    kind = schema.get("type")
    if kind not in KINDS or "enum" in schema:
        return None
    example = examples.find(component, key)
    if schema.get("format") in FORMATS:
        example = FORMATS[schema["format"]]
    elif kind == "string" and example is None:
        example = next((value for ending, value in ENDINGS if key.endswith(ending)), None)
    is_fit = isinstance(example, type(KINDS[kind])) and not (
        kind == "integer" and isinstance(example, bool)
    )
    if kind == "integer":
        return example if is_fit else max(1, schema.get("minimum", 1))
    example = example if is_fit else KINDS[kind]
    is_too_long = kind == "string" and len(str(example)) > schema.get("maxLength", 10**6)
    return None if is_too_long else example
