"""What has a change history: a subject, the menu code that opens it, and which rows of it an account sees.

An app above `org` names its own in its AppConfig.ready: `subject_register(Subject("budget", "预算", MenuCode.ASSET_BUDGET, budgets_seen))`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.org.models import Account


@dataclass(frozen=True, slots=True)
class Subject:
    """`seen` gives the rows an account sees, disabled ones too; in the whole group's scope what was deleted is seen as well."""

    kind: str
    name: str
    menu: str
    seen: Callable[[Account], QuerySet[Any]]


SUBJECTS: dict[str, Subject] = {}


def subject_register(subject: Subject) -> None:
    """Let the history of this kind be read."""
    SUBJECTS[subject.kind] = subject
