"""What hangs on a department in the apps above: a merge hands it over, a department that holds any is not empty.

An app names its own in its AppConfig.ready: `holder_register(Holder("预算", budgets_held, budgets_hand_over))`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.org.models import Account, Department


@dataclass(frozen=True, slots=True)
class Holder:
    """`held` counts what is in force of a department; `hand_over(actor, source, target)` gives it all to another, in the caller's
    transaction: under the lock of the group, which whoever hangs something on a department takes first."""

    name: str
    held: Callable[[Department], int]
    hand_over: Callable[[Account, Department, Department], int]


HOLDERS: dict[str, Holder] = {}


def holder_register(holder: Holder) -> None:
    """Let merges and the disabling of departments know of it."""
    HOLDERS[holder.name] = holder
