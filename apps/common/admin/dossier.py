"""A page to look at begins with what is decided by: state, what it waits for, amounts; its rows follow, all else is folded below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse

from apps.common.admin.waited import waited


@dataclass(frozen=True, slots=True)
class Fact:
    """`tag` is the colour of a state, `note` stands small below; a wide fact has a line of its own."""

    name: str
    value: object
    note: object = ""
    tag: str = ""
    is_late: bool = False
    is_wide: bool = False


class DossierMixin:
    """Gives a page to look at its first screen; the fieldsets that are rarely read are `collapse`."""

    change_form_template = "admin/dossier.html"

    def dossier(self, row: Any) -> list[Fact]:
        """Return what is decided by, the state first."""
        raise NotImplementedError

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, obj: Any = None, **kwargs: Any) -> HttpResponse:
        facts = {"dossier": self.dossier(obj)} if obj is not None else {}
        answer: HttpResponse = super().render_change_form(request, {**context, **facts}, *args, obj=obj, **kwargs)  # type: ignore[misc]
        return answer


def waits_text(what: str, since: Any) -> str:
    """Return what a row waits for and how long already: 等待发货，已等 2 天."""
    return f"{what}，已等 {waited(since, depth=1)}" if what and since else what
