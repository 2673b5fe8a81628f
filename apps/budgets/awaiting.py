"""What the app above tells of the references that hold a budget, in AppConfig.ready: which still wait, and which a person may open.

`awaiting_register(orders_awaiting, orders_opened)`, where `orders_awaiting()` gives the numbers of the orders in approval, of the open
scope, as a queryset of one column, and `orders_opened(actor, numbers)` those of the numbers whose order he may open.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.org.models import Account

References = Callable[[], "QuerySet[Any]"]
Opened = Callable[["Account", Collection[str]], set[str]]

SOURCES: list[References] = []
OPENED: list[Opened] = []


def awaiting_register(references: References, opened: Opened) -> None:
    """Let the forecast of budgets know what waits, and the ledger which of the references it names a person may open."""
    SOURCES.append(references)
    OPENED.append(opened)
