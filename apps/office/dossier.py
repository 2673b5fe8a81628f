"""The first screen of a read-only page: the facts that staff decide by.

State, next step and amounts come first, then the lines. Other fieldsets are collapsed below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse

from apps.office.bases import PageBase
from apps.office.cells import elapsed_text


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
