"""Build the description of an operation for /api/docs: first the text from the app's
`api/operation_texts.py`, then facts derived from the code, and the descriptions of parameters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# group → "POST /api/Order" → (summary, description)
Words = dict[str, dict[str, tuple[str, str]]]
# The schema extension in which MallAutoSchema writes the declared access, also for machines.
EXTENSION = "x-access"
CHINESE = re.compile("[\u4e00-\u9fff]")
# A choice without a label: "* `true` - true".
MERE_CHOICE = re.compile(r"^\* `(.+)` - \1$\n?", re.MULTILINE)


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
    paragraphs = (own, _declared(operation, menu_names), operation.get("description", ""))
    operation["description"] = "\n\n".join(text for text in paragraphs if text)
    for parameter in operation.get("parameters", ()):
        own_name = f"{operation['operationId'].rpartition('_')[2]}.{parameter['name']}"
        text = parameter_texts.get(own_name) or parameter_texts.get(parameter["name"])
        if "description" in parameter:
            parameter["description"] = MERE_CHOICE.sub("", parameter["description"]).strip()
        if text and not CHINESE.search(parameter.get("description", "")):
            parameter["description"] = text


def _declared(operation: dict[str, Any], menu_names: Mapping[str, str]) -> str:
    """Return the sentences about access, the idempotency key and paging."""
    access = operation[EXTENSION]
    sentences = [_access(access["kind"], access["menus"], menu_names)]
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


def _access(kind: str, menus: list[str], names: Mapping[str, str]) -> str:
    if kind != "menu":
        return "公开接口。" if kind == "public" else "登录后即可调用。"
    menus_text = "、".join(f"{names[code]}（`{code}`）" for code in menus)
    return (
        f"需要菜单权限：{menus_text}。"
        if len(menus) == 1
        else f"需要以下菜单权限之一：{menus_text}。"
    )
