"""What /api/docs says of an operation: the words its app keeps in `api/words.py`, then what the code itself declares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from apps.common.api.parameter_words import PARAMETERS

# group → "POST /api/Order" → (summary, what there is to know)
Words = dict[str, dict[str, tuple[str, str]]]
# What MallAutoSchema writes of an operation's `access` and wrappers, for those who read the schema by machine too.
EXTENSION = "x-access"
CHINESE = re.compile("[\u4e00-\u9fff]")
# A choice without a label: "* `true` - true".
MERE_CHOICE = re.compile(r"^\* `(.+)` - \1$\n?", re.MULTILINE)


def operation_said(operation: dict[str, Any], *, group: str, words: tuple[str, str], menu_names: Mapping[str, str]) -> None:
    """Give an operation its group, its summary, and its description: its own words, who may call it and how, what it refuses with."""
    summary, own = words
    operation["tags"] = [group]
    operation["summary"] = summary
    paragraphs = (own, _declared(operation, menu_names), operation.get("description", ""))
    operation["description"] = "\n\n".join(text for text in paragraphs if text)
    for parameter in operation.get("parameters", ()):
        own_name = f"{operation['operationId'].rpartition('_')[2]}.{parameter['name']}"
        said = PARAMETERS.get(own_name) or PARAMETERS.get(parameter["name"])
        if "description" in parameter:
            parameter["description"] = MERE_CHOICE.sub("", parameter["description"]).strip()
        if said and not CHINESE.search(parameter.get("description", "")):
            parameter["description"] = said


def _declared(operation: dict[str, Any], menu_names: Mapping[str, str]) -> str:
    """Return the sentences on access, the key and paging."""
    access = operation[EXTENSION]
    said = [_access(access["kind"], access["menus"], menu_names)]
    if access["inPerson"]:
        said.append("运营人员代客户登录期间不可调用。")
    by_name = {parameter["name"]: parameter for parameter in operation.get("parameters", ())}
    if "Idempotency-Key" in by_name:
        said.append(
            "必须带 `Idempotency-Key`。" if by_name["Idempotency-Key"].get("required") else "可带 `Idempotency-Key`，以便安全重发。"
        )
    if "PageIndex" in by_name:
        said.append("按 `PageIndex`、`PageSize` 分页。")
    return "".join(said)


def _access(kind: str, menus: list[str], names: Mapping[str, str]) -> str:
    if kind != "menu":
        return "公开接口。" if kind == "public" else "登录后即可调用。"
    told = "、".join(f"{names[code]}（`{code}`）" for code in menus)
    return f"需要菜单权限：{told}。" if len(menus) == 1 else f"需要以下菜单权限之一：{told}。"
