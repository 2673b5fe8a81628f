"""Derive the RetCodes of an operation from the code: its access, its decorators, and the
`Raises:` sections of the services it calls.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from apps.common.api.access import access_of
from apps.common.errors import DomainError
from apps.common.retcodes import RET_CODES

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
    access = access_of(view, view.action)
    action = getattr(view, view.action, None)
    found = {"bad_request", "rate_limited", "server_error", *_raised(action)}
    if access is not None and access.kind != "public":
        found.add("not_logged_in")
        found |= {"forbidden"} if access.kind == "menu" else set()
        found |= {"not_in_person"} if access.is_in_person else set()
    if "{" in path:
        found.add("not_found")
    if is_paged:
        found.add("validation")
    if method != "GET":
        found |= {"validation", "unsupported_media", "too_large"}
    if getattr(action, "is_idempotent", False):
        found.add("idempotency_mismatch")
    return [code for code in MEANINGS if code in found]


def describe_codes(codes: list[str]) -> str:
    """Return the codes as Markdown: general ones in one line, the operation's own ones with
    their meaning.
    """
    general = "、".join(f"`{code}`" for code in codes if code in GENERAL)
    own = [f"- `{code}`：{MEANINGS[code]}" for code in codes if code not in GENERAL]
    return "\n".join([f"RetCode：{general}", *(["", *own] if own else [])])


def _raised(action: Any) -> set[str]:
    """Return the codes from the `Raises:` sections of the services and selectors that an action
    calls.
    """
    kinds = {kind.__name__: kind.code for kind in _kinds(DomainError)}
    texts = (inspect.getdoc(function) or "" for function in _called(inspect.unwrap(action), deep=2))
    names = {
        name
        for text in texts
        for names in NAMED.findall(text.partition("Raises:")[2])
        for name in re.split(r",\s+", names)
    }
    return {kinds[name] for name in names if name in kinds} | (
        {"validation"} if "ValidationError" in names else set()
    )


def _called(function: Any, *, deep: int) -> Iterator[FunctionType]:
    """Yield the functions under `apps.` that a function names. Functions of its own module are
    followed one level deeper.
    """
    code, known = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    for name in code.co_names if code else ():
        named = known.get(name)
        if isinstance(named, FunctionType) and named.__module__.startswith("apps."):
            yield named
            if deep > 1 and named.__module__ == function.__module__:
                yield from _called(named, deep=deep - 1)


def _kinds(kind: type[DomainError]) -> Iterator[type[DomainError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _kinds(child)
