"""What the apps add to the first page of the back office: each registers its part, the page shows those its reader may see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest


@dataclass(frozen=True, slots=True)
class WorkPart:
    """A card with a figure, and the list of what has waited longest behind it."""

    card: dict[str, Any]
    todo: dict[str, Any]


Part = Callable[[HttpRequest], WorkPart | None]
_parts: list[Part] = []


def work_part(part: Part) -> None:
    """Register a part; it answers None to whoever may not see it."""
    if part not in _parts:
        _parts.append(part)


def work_parts(request: HttpRequest) -> list[WorkPart]:
    """Return the parts that this person may see."""
    return [found for found in (part(request) for part in _parts) if found is not None]
