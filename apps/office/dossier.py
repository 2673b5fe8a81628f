"""The first screen of a read-only page: the facts that staff decide by, and the timeline of the
document.

State, next step and amounts come first, then the lines. Other fieldsets are collapsed below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.common.days import moment_text
from apps.common.events import list_events
from apps.office.bases import PageBase
from apps.office.cells import elapsed_text
from apps.office.model_helpers import cached_on_instance


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact. `tag` is the colour of a state, `note` is small text below the value.

    A wide fact takes a whole line.
    """

    name: str
    value: object
    note: object = ""
    tag: str = ""
    is_late: bool = False
    is_wide: bool = False


class DossierMixin(PageBase):
    """Adds the first screen to a read-only page. Mark rarely read fieldsets as `collapse`."""

    change_form_template = "admin/dossier.html"

    def dossier(self, row: Any) -> list[Fact]:
        """Return the facts, the state first."""
        raise NotImplementedError

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: Any = None,
    ) -> HttpResponse:
        facts = {"dossier": self.dossier(obj)} if obj is not None else {}
        return super().render_change_form(
            request, {**context, **facts}, add=add, change=change, form_url=form_url, obj=obj
        )


def waiting_text(what: str, since: Any) -> str:
    """Return the next step and the waiting time, as in 等待发货，已等 2 天."""
    return f"{what}，已等 {elapsed_text(since, depth=1)}" if what and since else what


CELL = "<td class='pr-4 py-1'>{}</td>"
ROW = f"<tr>{CELL * 5}</tr>"


@dataclass(frozen=True, slots=True)
class Words:
    """Chinese labels of the events and states of one model."""

    kinds: Mapping[str, str]
    states: Mapping[str, str]


_words: dict[str, Words] = {}
UNNAMED = Words({}, {})


def register_timeline_words(
    model: type[models.Model], *, kinds: Mapping[str, str], states: Mapping[str, str]
) -> None:
    """Register the labels of a model's events for its timeline and the audit log."""
    _words[model._meta.label_lower] = Words(kinds, states)


def get_timeline_words(label: str) -> Words:
    """Return the labels of a model; empty if its app registered none."""
    return _words.get(label, UNNAMED)


def timeline_table(subject: models.Model) -> SafeString:
    """Return the events as an HTML table, oldest first, with all text escaped.

    The result is cached on the instance: one query per page.
    """
    words = get_timeline_words(subject._meta.label_lower)
    return cached_on_instance(
        subject, "timeline", lambda: _table(subject, words.kinds, words.states)
    )


def _table(
    subject: models.Model, kinds: Mapping[str, str], states: Mapping[str, str]
) -> SafeString:
    rows = [
        (
            moment_text(event.at, has_seconds=True),
            kinds.get(event.kind, event.kind),
            "系统" if event.actor is None else str(event.actor),
            states.get(event.to_state, event.to_state),
            event.note,
        )
        for event in list_events(subject)
    ]
    return format_html("<table><tbody>{}</tbody></table>", format_html_join("", ROW, rows))
