"""历史: beside what was saved on a row's own page, what mass changes, sheets and jobs did to it; and where else to look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

# Of each kind of trace the newest so many: older ones are in its own list.
NEWEST = 50


@dataclass(frozen=True, slots=True)
class Trace:
    """What was done to a row elsewhere than on its page; `page` tells more, "" where the reader may not open it."""

    at: datetime
    what: str
    who: str = "—"
    page: str = ""


class HistoryMixin:
    """Gives a ModelAdmin's 历史 the traces that its rows have left elsewhere."""

    opts: Any

    def traces(self, request: HttpRequest, row: Any) -> list[Trace]:
        """Return what was done to the row elsewhere; nothing by default."""
        return []

    def elsewhere(self, request: HttpRequest, row: Any) -> list[tuple[str, str]]:
        """Return the pages (name, address) that may tell more and that the reader may open."""
        if not request.user.has_perm("auditlog.view_logentry"):
            return []
        query = urlencode({"kind": self.opts.label_lower, "object_pk__exact": row.pk})
        return [("操作日志", f"{reverse('admin:auditlog_logentry_changelist')}?{query}")]

    def history_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show what was saved on the page, and what was done elsewhere."""
        row = self.get_object(request, object_id)  # type: ignore[attr-defined]
        told: dict[str, Any] = {}
        if row is not None and self.has_view_or_change_permission(request, row):  # type: ignore[attr-defined]
            traces = sorted(self.traces(request, row), key=lambda trace: trace.at, reverse=True)
            told = {"traces": traces, "elsewhere": self.elsewhere(request, row)}
        answer: HttpResponse = super().history_view(request, object_id, {**(extra_context or {}), **told})  # type: ignore[misc]
        return answer
