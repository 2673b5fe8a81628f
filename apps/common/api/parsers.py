"""The parser of JSON bodies. It limits size, depth and integers, and refuses NUL, lone
surrogates and NaN.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from apps.common.errors import TooLarge

MAX_DEPTH = 20
MAX_DIGITS = 18
UNSAFE_TEXT = re.compile("[\x00\ud800-\udfff]")


def _refuse_constant(name: str) -> NoReturn:
    raise ParseError(f"不支持的数值 {name}")


def _parse_bounded_int(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise ParseError("数值过大")
    return int(digits)


def _parse_bounded_float(digits: str) -> float:
    if len(digits) > 40 or abs(value := float(digits)) > 1e15:
        raise ParseError("数值过大")
    return value


def check_value(value: Any, depth: int = 0) -> None:
    """Raise ParseError if a value is nested too deeply or contains text that the database
    cannot store.
    """
    if depth > MAX_DEPTH:
        raise ParseError("内容嵌套过深")
    if isinstance(value, str):
        if UNSAFE_TEXT.search(value):
            raise ParseError("内容含有无法保存的字符")
    elif isinstance(value, dict):
        for key, item in value.items():
            check_value(key, depth)
            check_value(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            check_value(item, depth + 1)


class BoundedJSONParser(JSONParser):
    """Return the parsed JSON value, safe to store in the database. An empty body gives `{}`."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return the value of the JSON body, {} for an empty one.

        Raises:
            TooLarge: the body exceeds the limit.
            ParseError: it is no JSON, or nested too deep.
        """
        raw = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        if len(raw) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise TooLarge
        if not raw.strip():
            return {}
        if raw.count(b"[") + raw.count(b"{") > 100_000:
            raise ParseError("内容嵌套过深")
        try:
            value = json.loads(
                raw.decode("utf-8"),
                parse_constant=_refuse_constant,
                parse_int=_parse_bounded_int,
                parse_float=_parse_bounded_float,
            )
        except (ValueError, RecursionError) as error:
            raise ParseError("请求内容不是有效的 JSON") from error
        check_value(value)
        return value
