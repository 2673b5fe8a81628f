"""Which addresses content may link to."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

OWN_PATH = re.compile(r"/(?![/\\])[^\s\\]*")
_is_web = URLValidator(schemes=["http", "https"], message="请填写以 / 开头的站内地址，或 http(s):// 开头的完整网址")


def check_address(address: str) -> None:
    """Let a path of this site or a web address pass.

    Raises:
        ValidationError: it is anything else, such as `javascript:` or `//host`.
    """
    if not OWN_PATH.fullmatch(address):
        _is_web(address)


def check_lines(text: str) -> None:
    """Let text of at most 12 lines pass; raise ValidationError for more."""
    if len(text.splitlines()) > 12:
        raise ValidationError("最多填写 12 行")
