"""What the log kept of a value, as its page reads it: choices by their words, times of here, rows by their names."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import models

from apps.common.days import moment_text

NOTHING = "—"
EMPTY = {"", "None"}
# A reverse relation of a new row, which auditlog writes as the name of its manager.
MANAGER = re.compile(r"[a-z_]+\.[A-Za-z]+\.None")
YES_NO = {"True": "是", "False": "否"}


def is_nothing(change: Any) -> bool:
    """Whether a change tells nothing: from nothing to nothing, or to a manager's name."""
    if isinstance(change, dict):
        return not change.get("objects")
    return all(_is_empty(value) for value in change)


def _is_empty(value: Any) -> bool:
    return value is None or str(value) in EMPTY or MANAGER.fullmatch(str(value)) is not None


def shown(field: Any, value: Any) -> str:
    """Return the value in words; what cannot be read by its field as it was kept."""
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
    """Return what the row that a key leads to is called now; a row that is gone by its number."""
    model = field.remote_field.model
    if not text.isdecimal() or not isinstance(model._meta.pk, models.IntegerField):
        return text
    found = model._base_manager.filter(pk=text[:18]).first()
    return f"编号 {text}" if found is None else str(found)


def _moment(text: str) -> str:
    """Return a moment, which auditlog keeps in UTC, by the clock of here."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    at = at if at.tzinfo else at.replace(tzinfo=ZoneInfo("UTC"))
    return moment_text(at, has_seconds=True)
