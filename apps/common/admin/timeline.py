"""The timeline of a subject as staff see it."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import models
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.common.admin.kept import kept
from apps.common.events import events_of

CELL = "<td class='pr-4 py-1'>{}</td>"
ROW = f"<tr>{CELL * 5}</tr>"


def timeline_table(subject: models.Model, *, kinds: Mapping[str, str], states: Mapping[str, str]) -> SafeString:
    """Return the events as a table, oldest first; every text in it is escaped. One query, however often a page asks."""
    return kept(subject, "timeline", lambda: _table(subject, kinds, states))


def _table(subject: models.Model, kinds: Mapping[str, str], states: Mapping[str, str]) -> SafeString:
    rows = [
        (
            f"{timezone.localtime(event.at):%Y-%m-%d %H:%M:%S}",
            kinds.get(event.kind, event.kind),
            "系统" if event.actor is None else str(event.actor),
            states.get(event.to_state, event.to_state),
            event.note,
        )
        for event in events_of(subject)
    ]
    return format_html("<table><tbody>{}</tbody></table>", format_html_join("", ROW, rows))
