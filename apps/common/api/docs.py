"""What /api/docs shows: its Swagger page, the description of each operation, and an example of
every plain value, with which the page fills request bodies.

The texts and examples come from the apps, `api/operation_texts.py`. A description consists of the
app's text and of facts derived from the code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.response import Response

from apps.common.api.renderers import EnvelopeRenderer
from apps.common.api.schema import EXTENSION

CHINESE = re.compile("[\u4e00-\u9fff]")
# A choice without a label: "* `true` - true".
MERE_CHOICE = re.compile(r"^\* `(.+)` - \1$\n?", re.MULTILINE)
MOMENT, DAY = "2026-03-05T14:07:00+08:00", "2026-03-05"
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


class DocsView(SpectacularSwaggerSplitView):
    """The Swagger page in the mall's style and in Chinese. Its template cannot show an error,
    so errors are answered in the JSON envelope.
    """

    template_name = "docs/page.html"
    template_name_js = "docs/page.js"

    def handle_exception(self, exc: Exception) -> Response:
        self.request.accepted_renderer, self.request.accepted_media_type = (
            EnvelopeRenderer(),
            EnvelopeRenderer.media_type,
        )
        return super().handle_exception(exc)


# group → "POST /api/Order" → (summary, description)
Words = dict[str, dict[str, tuple[str, str]]]


def describe_operation(
    operation: dict[str, Any],
    *,
    group: str,
    words: tuple[str, str],
    menu_names: Mapping[str, str],
    parameter_texts: Mapping[str, str],
) -> None:
    """Set the operation's tag, summary and description, and describe its parameters.
    `parameter_texts` are found by "Operation.Parameter" or by the parameter's name.

    The description consists of the app's text, the declared access, and the possible RetCodes.
    """
    summary, own = words
    operation["tags"] = [group]
    operation["summary"] = summary
    paragraphs = (
        own,
        _describe_declared_rules(operation, menu_names),
        operation.get("description", ""),
    )
    operation["description"] = "\n\n".join(text for text in paragraphs if text)
    for parameter in operation.get("parameters", ()):
        own_name = f"{operation['operationId'].rpartition('_')[2]}.{parameter['name']}"
        text = parameter_texts.get(own_name) or parameter_texts.get(parameter["name"])
        if "description" in parameter:
            parameter["description"] = MERE_CHOICE.sub("", parameter["description"]).strip()
        if text and not CHINESE.search(parameter.get("description", "")):
            parameter["description"] = text


def _describe_declared_rules(operation: dict[str, Any], menu_names: Mapping[str, str]) -> str:
    """Return the sentences about access, the idempotency key and paging."""
    access = operation[EXTENSION]
    sentences = [_describe_access(access["kind"], access["menus"], menu_names)]
    if access["inPerson"]:
        sentences.append("运营人员代客户登录期间不可调用。")
    by_name = {parameter["name"]: parameter for parameter in operation.get("parameters", ())}
    if "Idempotency-Key" in by_name:
        sentences.append(
            "必须带 `Idempotency-Key`。"
            if by_name["Idempotency-Key"].get("required")
            else "可带 `Idempotency-Key`，以便安全重发。"
        )
    if "PageIndex" in by_name:
        sentences.append("按 `PageIndex`、`PageSize` 分页。")
    return "".join(sentences)


def _describe_access(kind: str, menus: list[str], names: Mapping[str, str]) -> str:
    """Return a Chinese sentence about who may call an operation. `names` are the titles of menu
    codes.
    """
    if kind != "menu":
        return "公开接口。" if kind == "public" else "登录后即可调用。"
    menus_text = "、".join(f"{names[code]}（`{code}`）" for code in menus)
    return (
        f"需要菜单权限：{menus_text}。"
        if len(menus) == 1
        else f"需要以下菜单权限之一：{menus_text}。"
    )


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
    tables: dict[str, dict[str, Any]] = {"values": {}, "items": {}, "objects": {}, "components": {}}
    for part in parts:
        for name, table in tables.items():
            app_table = getattr(part, name)
            if repeated_keys := table.keys() & app_table.keys():
                raise ValueError(f"two apps have an example for {sorted(repeated_keys)}")
            table.update(app_table)
    return Examples(**tables)


def add_examples(result: dict[str, Any], examples: Examples) -> None:
    """Add an example to each plain property that has none, and to the items of each list of
    plain values.
    """
    for name, component in result.get("components", {}).get("schemas", {}).items():
        for key, schema in component.get("properties", {}).items():
            _add_example(examples, name, key, schema)


def _add_example(examples: Examples, component: str, key: str, schema: dict[str, Any]) -> None:
    """Set the example of a field, or of the items of a list, unless it has one."""
    if schema.get("type") == "array":
        items = schema.get("items", {})
        item = examples.items.get(key) if "enum" not in items else None
        if item is None or items.get("type") not in KINDS:
            item = build_example(examples, key, items, component=component)
        if item is not None:
            items.setdefault("example", item)
        return
    if schema.get("type") == "object" and "properties" not in schema and key in examples.objects:
        schema.setdefault("example", examples.objects[key])
        return
    example = build_example(examples, key, schema, component=component)
    if example is not None:
        schema.setdefault("example", example)


def build_example(
    examples: Examples, key: str, schema: dict[str, Any], *, component: str = ""
) -> Any:
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
    has_right_type = isinstance(example, type(KINDS[kind])) and not (
        kind == "integer" and isinstance(example, bool)
    )
    if kind == "integer":
        return example if has_right_type else max(1, schema.get("minimum", 1))
    example = example if has_right_type else KINDS[kind]
    is_too_long = kind == "string" and len(str(example)) > schema.get("maxLength", 10**6)
    return None if is_too_long else example
