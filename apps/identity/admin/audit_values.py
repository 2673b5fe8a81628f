"""Format the values of the log: labels of choices, local times, and names of related rows."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import models

from apps.common.days import moment_text

NOTHING = "—"
EMPTY = {"", "None"}
# For a reverse relation of a new row, auditlog stores the name of the manager.
MANAGER = re.compile(r"[a-z_]+\.[A-Za-z]+\.None")
YES_NO = {"True": "是", "False": "否"}


def is_nothing(change: Any) -> bool:
    """Whether a change has no content: both values are empty, or one is a manager's name."""
    if isinstance(change, dict):
        return not change.get("objects")
    return all(_is_empty(value) for value in change)


def _is_empty(value: Any) -> bool:
    return value is None or str(value) in EMPTY or MANAGER.fullmatch(str(value)) is not None


def shown(field: Any, value: Any) -> str:
    """Return the value as text. If its field cannot parse it, return the stored text."""
    if _is_empty(value):
        return NOTHING
    text = str(value)
    if getattr(field, "remote_field", None) is not None:
        return _row(field, text)
    if getattr(field, "choices", None):
        return str({str(key): words for key, words in field.flatchoices}.get(text, text))
    if isinstance(field, models.BooleanField):
        return YES_NO.get(text, text)
    return _moment(text) if isinstance(field, models.DateTimeField) else text


def _row(field: Any, text: str) -> str:
    """Return the current name of the row with this key. For a deleted row, return its key."""
    model = field.remote_field.model
    if not (text.isascii() and text.isdecimal()) or not isinstance(
        model._meta.pk, models.IntegerField
    ):
        return text
    found = model._base_manager.filter(pk=text[:18]).first()
    return f"编号 {text}" if found is None else str(found)


def _moment(text: str) -> str:
    """Return a time in the local time zone. auditlog stores UTC."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    at = at if at.tzinfo else at.replace(tzinfo=ZoneInfo("UTC"))
    return moment_text(at, has_seconds=True)
