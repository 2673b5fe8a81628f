"""Give every plain value of the schema an example, chosen by its key. The docs page fills
request bodies with them.
"""

from __future__ import annotations

from typing import Any

from apps.common.api.example_values import DAY, ITEMS, KEYS, MOMENT, OBJECTS, OF_COMPONENTS

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


def examples_hook(
    result: dict[str, Any],
    generator: Any,
    request: Any,
    public: bool,
) -> dict[str, Any]:
    """Add an example to each plain property that has none, and to the items of each list of
    plain values.
    """
    for name, component in result.get("components", {}).get("schemas", {}).items():
        for key, schema in component.get("properties", {}).items():
            _fill(name, key, schema)
    return result


def _fill(component: str, key: str, schema: dict[str, Any]) -> None:
    if schema.get("type") == "array":
        items = schema.get("items", {})
        told = ITEMS.get(key) if "enum" not in items else None
        found = (
            told
            if told is not None and items.get("type") in KINDS
            else example_of(key, items, component=component)
        )
        if found is not None:
            items.setdefault("example", found)
        return
    if schema.get("type") == "object" and "properties" not in schema and key in OBJECTS:
        schema.setdefault("example", OBJECTS[key])
        return
    found = example_of(key, schema, component=component)
    if found is not None:
        schema.setdefault("example", found)


def example_of(key: str, schema: dict[str, Any], *, component: str = "") -> Any:
    """Return an example that fits the schema. Return None for a reference, a list, an object or
    an enum.
    """
    kind = schema.get("type")
    if kind not in KINDS or "enum" in schema:
        return None
    found = _told(component, key)
    if schema.get("format") in FORMATS:
        found = FORMATS[schema["format"]]
    elif kind == "string" and found is None:
        found = next((value for ending, value in ENDINGS if key.endswith(ending)), None)
    fits = isinstance(found, type(KINDS[kind])) and not (
        kind == "integer" and isinstance(found, bool)
    )
    if kind == "integer":
        return found if fits else max(1, schema.get("minimum", 1))
    found = found if fits else KINDS[kind]
    return None if kind == "string" and len(str(found)) > schema.get("maxLength", 10**6) else found


def _told(component: str, key: str) -> Any:
    """Return the example of this component for the key, or the general one."""
    own = (
        values[key]
        for start, values in OF_COMPONENTS.items()
        if component.startswith(start) and key in values
    )
    return next(own, KEYS.get(key))
