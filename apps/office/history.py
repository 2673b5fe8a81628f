"""The page 历史: changes by batch operations, imports and jobs beside those saved on the page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from apps.office.bases import PageBase

# Newest entries shown of each kind; older ones are in their own list.
NEWEST = 50


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

    def traces(self, request: HttpRequest, row: Any) -> list[Trace]:
        """Return the changes made elsewhere; none by default."""
        return []

    def elsewhere(self, request: HttpRequest, row: Any) -> list[tuple[str, str]]:
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
        told: dict[str, Any] = {}
        if row is not None and self.has_view_or_change_permission(request, row):
            traces = sorted(self.traces(request, row), key=lambda trace: trace.at, reverse=True)
            told = {"traces": traces, "elsewhere": self.elsewhere(request, row)}
        answer: HttpResponse = super().history_view(
            request, object_id, {**(extra_context or {}), **told}
        )
        return answer
