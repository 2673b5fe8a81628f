"""The refusal of a tool: the person's roles do not include the screen with this data."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.org.models import Account


class NotAllowed(Exception):
    """The person's roles do not include the screen with this data; the message says so."""


def require_menu_code(actor: Account, code: str, subject: str) -> None:
    """Raise NotAllowed unless the actor has the menu code."""
    if not actor.has_menu_code(code):
        raise NotAllowed(f"您的账号没有查看{subject}的权限，如需开通请联系贵司的集团管理员。")
