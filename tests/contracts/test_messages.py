"""The texts of refusals are in the errors module of each app. Services and selectors raise typed
errors with parameters. The texts of problems that a page or a sheet lists are in the texts module.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

APPS = Path(__file__).resolve().parents[2] / "apps"
CHINESE = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")
WORDS = re.compile(r"[\u4e00-\u9fff]")


def test_services_and_selectors_write_no_text_of_a_refusal() -> None:
    inline = [
        f"{path.relative_to(APPS)}:{line} {text}"
        for path in _list_modules()
        for line, text in _list_texts_of_errors(ast.parse(path.read_text(encoding="utf-8")))
    ]

    assert inline == []


def test_a_text_inside_an_error_is_found() -> None:
    tree = ast.parse(
        "from apps.common.errors import ValidationFailed, WrongState\n"
        "raise ValidationFailed({'Name': [f'最多 {limit} 个']})\n"
        "raise WrongState.in_state(state, verb, '请刷新')\n"
        "raise ValueError('不是本系统的错误')\n"
    )

    assert [text for _, text in _list_texts_of_errors(tree)] == ["最多 ", " 个", "请刷新"]


def test_services_and_selectors_write_no_text_of_a_row_error() -> None:
    inline = [
        f"{path.relative_to(APPS)}:{line} {text}"
        for path in _list_modules()
        for line, text in _list_texts_of_rows(ast.parse(path.read_text(encoding="utf-8")))
    ]

    assert inline == []


def test_a_text_of_a_row_error_is_found() -> None:
    tree = ast.parse(
        "row.errors.append(f'{title}最多 {most} 个字')\n"
        "row.errors.append(texts.NAME_MISSING)\n"
        "row.errors.append(texts.names_missing('、'.join(names)))\n"
        "names.append('采购部')\n"
    )

    assert [text for _, text in _list_texts_of_rows(tree)] == ["最多 ", " 个字"]


def _list_modules() -> Iterator[Path]:
    for room in ("services", "selectors"):
        yield from APPS.glob(f"*/{room}.py")
        yield from APPS.glob(f"*/{room}/**/*.py")


def _list_texts_of_errors(tree: ast.Module) -> list[tuple[int, str]]:
    """Return line and text of each Chinese literal in a call of a class that comes from an errors
    module.
    """
    errors = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").endswith(".errors")
        for alias in node.names
    }
    calls = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _get_first_name(node.func) in errors
    )
    return [
        (text.lineno, text.value)
        for call in calls
        for text in ast.walk(call)
        if isinstance(text, ast.Constant)
        and isinstance(text.value, str)
        and CHINESE.search(text.value)
    ]


def _list_texts_of_rows(tree: ast.Module) -> list[tuple[int, str]]:
    """Return line and text of each literal with Chinese words that is added to the errors of a row.
    A literal of signs only joins a list.
    """
    calls = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
        and isinstance(node.func.value, ast.Attribute)
        and node.func.value.attr == "errors"
    )
    return [
        (text.lineno, text.value)
        for call in calls
        for text in ast.walk(call)
        if isinstance(text, ast.Constant)
        and isinstance(text.value, str)
        and WORDS.search(text.value)
    ]


def _get_first_name(function: ast.expr) -> str:
    """Return the first name of a dotted expression: WrongState of `WrongState.in_state`."""
    while isinstance(function, ast.Attribute):
        function = function.value
    return function.id if isinstance(function, ast.Name) else ""
