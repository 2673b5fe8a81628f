"""The first screen of a read-only page: the facts that staff decide by, the timeline of the
document, and the page 历史 with the changes made elsewhere.

State, next step and amounts come first, then the lines. Other fieldsets are collapsed below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db import models
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.common.audit import RELEASED_BY
from apps.common.days import format_moment
from apps.common.events import list_events
from apps.common.models.documents import Event
from apps.office.cells import format_elapsed
from apps.office.pages import PageBase, cache_on_instance

CELL = "<td class='pr-4 py-1'>{}</td>"
ROW = f"<tr>{CELL * 5}</tr>"
# Newest entries shown of each kind; older ones are in their own list.
NEWEST = 50


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

    def build_dossier(self, row: Any) -> list[Fact]:
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
        facts = {"dossier": self.build_dossier(obj)} if obj is not None else {}
        return super().render_change_form(
            request, {**context, **facts}, add=add, change=change, form_url=form_url, obj=obj
        )


def describe_waiting(what: str, since: Any) -> str:
    """Return the next step and the waiting time, as in 等待发货，已等 2 天."""
    return f"{what}，已等 {format_elapsed(since, depth=1)}" if what and since else what


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


def render_timeline(subject: models.Model) -> SafeString:
    """Return the events as an HTML table, oldest first, with all text escaped.

    The result is cached on the instance: one query per page.
    """
    words = get_timeline_words(subject._meta.label_lower)
    return cache_on_instance(
        subject, "timeline", lambda: _render_table(subject, words.kinds, words.states)
    )


def _render_table(
    subject: models.Model, kinds: Mapping[str, str], states: Mapping[str, str]
) -> SafeString:
    """Return the events of the document as an HTML table. `kinds` and `states` are the Chinese
    names by code.
    """
    rows = [
        (
            format_moment(event.at, has_seconds=True),
            kinds.get(event.kind, event.kind),
            _describe_actor(event),
            states.get(event.to_state, event.to_state),
            event.note,
        )
        for event in list_events(subject)
    ]
    return format_html("<table><tbody>{}</tbody></table>", format_html_join("", ROW, rows))


def _describe_actor(event: Event) -> str:
    """Return the actor, with the second person of an act under dual control."""
    actor_text = "系统" if event.actor is None else str(event.actor)
    second = event.data.get(RELEASED_BY)
    return f"{actor_text}（{second} 复核）" if second else actor_text


@dataclass(frozen=True, slots=True)
class Trace:
    """A change made outside the row's own page.

    `page` is the address of the details, "" if the reader has no permission to open it.
    """

    at: datetime
    what: str
    who: str = "—"
    page: str = ""


class HistoryMixin(PageBase):
    """Adds changes made elsewhere to the 历史 page of a ModelAdmin."""

    def list_traces(self, request: HttpRequest, row: Any) -> list[Trace]:
        """Return the changes made elsewhere; none by default."""
        return []

    def list_related_pages(self, request: HttpRequest, row: Any) -> list[tuple[str, str]]:
        """Return (name, address) of further pages that the reader may open."""
        if not request.user.has_perm("auditlog.view_logentry"):
            return []
        query = urlencode({"kind": self.opts.label_lower, "object_pk__exact": row.pk})
        return [("操作日志", f"{reverse('admin:auditlog_logentry_changelist')}?{query}")]

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the changes saved on the page and those made elsewhere."""
        row = self.get_object(request, object_id)
        changes: dict[str, Any] = {}
        if row is not None and self.has_view_or_change_permission(request, row):
            traces = sorted(
                self.list_traces(request, row), key=lambda trace: trace.at, reverse=True
            )
            changes = {"traces": traces, "elsewhere": self.list_related_pages(request, row)}
        answer: HttpResponse = super().history_view(
            request, object_id, {**(extra_context or {}), **changes}
        )
        return answer
