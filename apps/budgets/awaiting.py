"""The hooks of the app whose references (orders) reserve budgets."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from apps.common.hooks import Hook

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.org.models import Account

# Return the numbers of the references that wait for approval, as a queryset of one column.
AWAITING_REFERENCES: Hook[Callable[[], QuerySet[Any]]] = Hook()
# Return those of the numbers that the account may open.
VISIBLE_REFERENCES: Hook[Callable[[Account, Collection[str]], set[str]]] = Hook()
