"""The subjects that have a change history: their menu code, and the rows an account may see.

An app above `org` registers its own in AppConfig.ready, e.g.
`register_history_subject(HistorySubject("budget", "预算", MenuCode.ASSET_BUDGET,
list_budgets_with_history))`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class HistorySubject:
    """A kind of row with a change history. `visible_rows` returns the rows an account may see,
    disabled ones included. In the group's data scope, deleted rows are visible too.
    """

    kind: str
    name: str
    menu: str
    visible_rows: Callable[[Account], QuerySet[Any]]


HISTORY_SUBJECTS: dict[str, HistorySubject] = {}


def register_history_subject(subject: HistorySubject) -> None:
    """Make the history of this kind readable through the API."""
    HISTORY_SUBJECTS[subject.kind] = subject
