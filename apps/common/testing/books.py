"""Plant errors in the figures and report which ones `check_books` misses."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from apps.common.books import list_differences
from apps.common.testing.database import undone


def list_missed(planted: Mapping[str, tuple[Callable[[], object], str]]) -> list[str]:
    """Return the names of the errors that no check finds.

    `planted` maps a name to a function that plants the error and to the figure that is then wrong.
    Each error is rolled back before the next one.
    """
    missed = []
    for name, (plant, figure) in planted.items():
        with undone():
            plant()
            if figure not in {difference.figure for _, difference in list_differences()}:
                missed.append(name)
    return missed
