"""What the apps add to the first page of the back office: each registers its part, the page shows those its reader may see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.http import HttpRequest

from apps.common.days import day_begins

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


@dataclass(frozen=True, slots=True)
class WorkPart:
    """A card with a figure, and the list of what has waited longest behind it."""

    card: dict[str, Any]
    todo: dict[str, Any]


def work_card(*, title: str, number: int, icon: str, link: str, oldest: datetime | date | None, is_late: bool) -> dict[str, Any]:
    """Return a card: how many wait, and since when the oldest does."""
    since = day_begins(oldest) if isinstance(oldest, date) and not isinstance(oldest, datetime) else oldest
    return {"title": title, "number": number, "icon": icon, "link": link, "since": since if number else None, "is_late": is_late}


Part = Callable[[HttpRequest], WorkPart | None]
_parts: list[Part] = []


def work_part(part: Part) -> None:
    """Register a part; it answers None to whoever may not see it."""
    if part not in _parts:
        _parts.append(part)


def work_parts(request: HttpRequest) -> list[WorkPart]:
    """Return the parts that this person may see."""
    return [found for found in (part(request) for part in _parts) if found is not None]
