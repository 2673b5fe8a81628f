"""A registry for the app of the references (orders) that reserve budgets: which still wait for
approval, and which an account may open.

The app calls `register_awaiting_references(orders_awaiting, orders_opened)` in AppConfig.ready.
`orders_awaiting()` returns the numbers of orders in approval as a queryset of one column.
`orders_opened(actor, numbers)` returns the numbers the actor may open.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.org.models import Account

ReferenceSource = Callable[[], "QuerySet[Any]"]
VisibilityCheck = Callable[["Account", Collection[str]], set[str]]

AWAITING_SOURCES: list[ReferenceSource] = []
VISIBILITY_CHECKS: list[VisibilityCheck] = []


def register_awaiting_references(references: ReferenceSource, opened: VisibilityCheck) -> None:
    """Register a source of waiting references and a visibility check for references."""
    AWAITING_SOURCES.append(references)
    VISIBILITY_CHECKS.append(opened)
