"""Which references that hold a budget still wait for a decision: the app above names its own in AppConfig.ready.

`awaiting_register(orders_awaiting)`, where `orders_awaiting()` gives the numbers of the orders in approval, of the open scope,
as a queryset of one column.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import QuerySet

References = Callable[[], "QuerySet[Any]"]

SOURCES: list[References] = []


def awaiting_register(references: References) -> None:
    """Let the forecast of budgets know of it."""
    SOURCES.append(references)
