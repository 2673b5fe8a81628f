"""What waits for a person in the apps above orders: each adds its counts to the workbench, and registers so in AppConfig.ready.

`todo_register(source)`; `source(actor=, below=)` gives how many wait under each of its names, None for what the actor has no code for.
`below` is his department's subtree, read already; a source asks one query at most.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from apps.org.models import Account

Waiting = Mapping[str, int | None]


class TodoSource(Protocol):
    """Counts what waits for the actor."""

    def __call__(self, *, actor: Account, below: Collection[int]) -> Waiting: ...


_sources: list[TodoSource] = []


def todo_register(source: TodoSource) -> None:
    """Let the workbench count it too."""
    if source not in _sources:
        _sources.append(source)


def todo_counts(*, actor: Account, below: Collection[int]) -> dict[str, int | None]:
    """Return what the apps above count for the actor."""
    return {name: count for source in _sources for name, count in source(actor=actor, below=below).items()}
