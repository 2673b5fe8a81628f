"""A registry for data of other apps that belongs to a department. A merge moves this data to
the target. A department that has any of it is not empty.

An app registers its data in AppConfig.ready: `holder_register(Holder("预算", count_open_budgets,
budgets_move_department))`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.org.models import Account, Department


@dataclass(frozen=True, slots=True)
class Holder:
    """`held` counts the active rows of a department. `hand_over(actor, source, target)` moves
    all rows to another department.

    `hand_over` runs in the caller's transaction, under the group's lock. Code that attaches data to
    a department must take the same lock first.
    """

    name: str
    held: Callable[[Department], int]
    hand_over: Callable[[Account, Department, Department], int]


HOLDERS: dict[str, Holder] = {}


def holder_register(holder: Holder) -> None:
    """Register data that merging and disabling a department must consider."""
    HOLDERS[holder.name] = holder
