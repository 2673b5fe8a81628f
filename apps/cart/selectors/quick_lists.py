"""The lists (清单) of an account, and the lists that colleagues share with its department."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q, QuerySet

from apps.cart.errors import QuickListNotFound
from apps.cart.models import QuickList

if TYPE_CHECKING:
    from apps.org.models import Account


def list_visible_quick_lists(*, actor: Account) -> QuerySet[QuickList]:
    """Return the lists that the actor may use, without their lines, the last changed first."""
    lists: QuerySet[QuickList] = (
        QuickList.objects.filter(_is_visible_list(actor)).select_related("account").defer("lines")
    )
    return lists.order_by("-updated_at", "-pk")


def get_quick_list(*, actor: Account, pk: int) -> QuickList:
    """Return one list with its lines.

    Raises:
        QuickListNotFound: the actor may use no such list.
    """
    quick_list: QuickList | None = (
        QuickList.objects.filter(_is_visible_list(actor), pk=pk).select_related("account").first()
    )
    if quick_list is None:
        raise QuickListNotFound
    return quick_list


def _is_visible_list(actor: Account) -> Q:
    is_own = Q(account=actor.pk)
    if actor.department_id is None:
        return is_own
    # The owner's current department counts, so a list moves with its owner.
    return is_own | Q(is_shared=True, account__department=actor.department_id)
