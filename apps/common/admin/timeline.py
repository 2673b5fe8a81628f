"""The timeline of a subject as staff see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import models
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.common.admin.kept import kept
from apps.common.days import moment_text
from apps.common.events import events_of

CELL = "<td class='pr-4 py-1'>{}</td>"
ROW = f"<tr>{CELL * 5}</tr>"


@dataclass(frozen=True, slots=True)
class Words:
    """What the events and the states of a kind of subject are called."""

    kinds: Mapping[str, str]
    states: Mapping[str, str]


_words: dict[str, Words] = {}
UNNAMED = Words({}, {})


def timeline_words(model: type[models.Model], *, kinds: Mapping[str, str], states: Mapping[str, str]) -> None:
    """Register what the events of a model are called, on its timeline and in the log of what staff did."""
    _words[model._meta.label_lower] = Words(kinds, states)


def words_of(label: str) -> Words:
    """Return the words of a model's events, none where its app has named none."""
    return _words.get(label, UNNAMED)


def timeline_table(subject: models.Model) -> SafeString:
    """Return the events as a table, oldest first; every text in it is escaped. One query, however often a page asks."""
    words = words_of(subject._meta.label_lower)
    return kept(subject, "timeline", lambda: _table(subject, words.kinds, words.states))


def _table(subject: models.Model, kinds: Mapping[str, str], states: Mapping[str, str]) -> SafeString:
    rows = [
        (
            moment_text(event.at, has_seconds=True),
            kinds.get(event.kind, event.kind),
            "系统" if event.actor is None else str(event.actor),
            states.get(event.to_state, event.to_state),
            event.note,
        )
        for event in events_of(subject)
    ]
    return format_html("<table><tbody>{}</tbody></table>", format_html_join("", ROW, rows))
