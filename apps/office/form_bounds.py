"""Limits on the data that a form of the back office may send: number of rows, page numbers."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect, QueryDict

from apps.office.bases import PageBase

# Inline rows that one form may send. Inline tables show 20 or 50 rows per page.
MOST_ROWS = 200
COUNTS = ("-TOTAL_FORMS", "-INITIAL_FORMS")
PAGE = "-page"
COUNT = re.compile("[0-9]{1,6}")
TOO_MANY = f"提交的明细行数有误或超过 {MOST_ROWS} 行，本次没有保存；请刷新页面后分几次填写"


class BoundedFormMixin(PageBase):
    """Mixin for every page: refuse a form with too many rows, and ignore malformed page numbers."""

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        request.GET = _pages_known(request.GET)
        if request.method == "POST":
            request.POST = _pages_known(request.POST)
            if any(
                not _is_count(value)
                for name, value in request.POST.items()
                if name.endswith(COUNTS)
            ):
                messages.error(request, TOO_MANY)
                return HttpResponseRedirect(request.path)
        return super().changeform_view(request, *args, **kwargs)


def _is_count(value: object) -> bool:
    return bool(COUNT.fullmatch(str(value))) and int(str(value)) <= MOST_ROWS


def _pages_known(sent: QueryDict) -> Any:
    """Return the data without malformed page numbers."""
    unknown = [
        name for name in sent if name.endswith(PAGE) and not COUNT.fullmatch(str(sent[name]))
    ]
    if not unknown:
        return sent
    known = sent.copy()
    for name in unknown:
        del known[name]
    return known
