"""The cards and lists of open work on the first page of the back office.

Each app registers its part. The page shows the parts that the reader has permission to see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest

from apps.common.days import start_of_day
from apps.common.hooks import Hook
from apps.common.owners import OWNER_CHOICES, build_owner_name_expression, filter_by_owner
from apps.office.cells import format_elapsed
from apps.office.work_owners import OWNER

# Rows of a list.
ROWS = 6


@dataclass(frozen=True, slots=True)
class Todo:
    """One row of open work, with the page where staff do it."""

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
        """Waiting time in words."""
        return format_elapsed(self.since)


@dataclass(frozen=True, slots=True)
class WorkPart:
    """A card with a number, and the list of the rows that have waited longest."""

    card: dict[str, Any]
    todo: dict[str, Any]
    # Whether such work has an owner. Parts without owners are left out of 我的.
    is_owned: bool = False


def build_work_card(
    *, title: str, number: int, icon: str, link: str, oldest: datetime | date | None, is_late: bool
) -> dict[str, Any]:
    """Return a card with the number of waiting rows and the waiting time of the oldest."""
    since = (
        start_of_day(oldest)
        if isinstance(oldest, date) and not isinstance(oldest, datetime)
        else oldest
    )
    waiting_fields = (
        {"since": since, "waited": format_elapsed(since)}
        if number and since
        else {"since": None, "waited": ""}
    )
    return {
        "title": title,
        "number": number,
        "icon": icon,
        "link": link,
        "is_late": is_late,
        **waiting_fields,
    }


def get_work_owner_filter(request: HttpRequest) -> str:
    """Return the owner filter of the request: `mine`, `none` (no owner) or "" (all)."""
    owner = request.GET.get(OWNER, "")
    return owner if owner in dict(OWNER_CHOICES) else ""


def owned_link(request: HttpRequest, link: str) -> str:
    """Return the address of a list with the same owner filter as the first page."""
    return f"{link}&{OWNER}={owner}" if (owner := get_work_owner_filter(request)) else link


def filter_owned_rows(request: HttpRequest, rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the rows that match the owner filter, annotated with `owner_name`."""
    matching = rows.filter(
        filter_by_owner(rows.model, get_work_owner_filter(request), staff=request.user)
    )
    rows_with_owner: QuerySet[Any] = matching.annotate(
        owner_name=build_owner_name_expression(rows.model)
    )
    return rows_with_owner


Part = Callable[[HttpRequest], WorkPart | None]
# They return None if the person has no permission to see the part.
WORK_PARTS: Hook[Part] = Hook()


def list_work_parts(request: HttpRequest, *, last: Sequence[Part] = ()) -> list[WorkPart]:
    """Return the parts that this person has permission to see: the registered ones, then `last`."""
    parts = [part for build in (*WORK_PARTS, *last) if (part := build(request)) is not None]
    return [part for part in parts if part.is_owned or not get_work_owner_filter(request)]
