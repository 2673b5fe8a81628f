"""What the apps add to the first page of the back office: each registers its part, the page shows those its reader may see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

from apps.common.admin.owned import OWNER
from apps.common.admin.waited import waited
from apps.common.days import day_begins
from apps.common.owners import WHOSE, owner_name, whose

# Rows of a list.
ROWS = 6


@dataclass(frozen=True, slots=True)
class Todo:
    """One row of a list: what, whose, how much, since when, and the page where it is done."""

    number: str
    page: str
    customer: str
    amount: str
    since: datetime
    verb: str
    act: str
    is_late: bool = False
    owner: str = ""

    @property
    def waited(self) -> str:
        """How long already, in words."""
        return waited(self.since)


@dataclass(frozen=True, slots=True)
class WorkPart:
    """A card with a figure, and the list of what has waited longest behind it."""

    card: dict[str, Any]
    todo: dict[str, Any]
    # Whether somebody takes such work: what nobody does is left out of 我的.
    is_owned: bool = False


def work_card(*, title: str, number: int, icon: str, link: str, oldest: datetime | date | None, is_late: bool) -> dict[str, Any]:
    """Return a card: how many wait, and since when the oldest does."""
    since = day_begins(oldest) if isinstance(oldest, date) and not isinstance(oldest, datetime) else oldest
    shown = {"since": since, "waited": waited(since)} if number and since else {"since": None, "waited": ""}
    return {"title": title, "number": number, "icon": icon, "link": link, "is_late": is_late, **shown}


def whose_work(request: HttpRequest) -> str:
    """Return whose work the first page is asked for: `mine`, `none` (nobody's), or "" for everybody's."""
    asked = request.GET.get(OWNER, "")
    return asked if asked in dict(WHOSE) else ""


def owned_link(request: HttpRequest, link: str) -> str:
    """Return the list's address, narrowed as the first page is."""
    return f"{link}&{OWNER}={asked}" if (asked := whose_work(request)) else link


def owned_rows(request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the rows of whom the page is asked for, each with its `owner_name`."""
    asked = rows.filter(whose(rows.model, whose_work(request), staff=request.user))
    named: QuerySet[Any] = asked.annotate(owner_name=owner_name(rows.model))
    return named


Part = Callable[[HttpRequest], WorkPart | None]
_parts: list[Part] = []


def work_part(part: Part) -> None:
    """Register a part; it answers None to whoever may not see it."""
    if part not in _parts:
        _parts.append(part)


def work_parts(request: HttpRequest) -> list[WorkPart]:
    """Return the parts that this person may see."""
    shown = [found for found in (part(request) for part in _parts) if found is not None]
    return [found for found in shown if found.is_owned or not whose_work(request)]
