"""Validators for links and multi-line texts."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

from apps.common.redirects import safe_target

_is_web = URLValidator(
    schemes=["http", "https"], message="请填写以 / 开头的站内地址，或 http(s):// 开头的完整网址"
)


def check_address(address: str) -> None:
    """Accept a path of this site or an http(s) URL.

    Raises:
        ValidationError: it is anything else, such as `javascript:` or `//host`, or contains a user.
    """
    if address.startswith("/"):
        if safe_target(address) is None:
            raise ValidationError(_is_web.message)
        return
    _is_web(address)
    try:
        parts = urlsplit(address)
        is_plain = parts.username is None and (parts.port is None or parts.port > 0)
    except ValueError:
        is_plain = False
    if not is_plain:
        raise ValidationError("网址中不要包含用户名，端口须在 1 至 65535 之间")


def check_lines(text: str) -> None:
    """Accept at most 12 lines; otherwise raise ValidationError."""
    if len(text.splitlines()) > 12:
        raise ValidationError("最多填写 12 行")
