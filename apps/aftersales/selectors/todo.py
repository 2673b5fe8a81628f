"""The number of the actor's returns that wait for the actor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Q

from apps.aftersales.enums import ReturnStatus, ReturnWay
from apps.aftersales.models import ReturnOrder
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account

WAITS = (ReturnStatus.PENDING_SEND, ReturnStatus.PENDING_CONFIRM)


def returns_todo(*, actor: Account) -> dict[str, int | None]:
    """Return the numbers of the actor's returns to send back and to confirm. Returns that the
    mall picks up do not count.
    """
    if not actor.has_menu_code(MenuCode.ORDER_RETURN):
        return {"returns_to_send": None, "returns_to_confirm": None}
    to_send = Q(status=ReturnStatus.PENDING_SEND, way=ReturnWay.SEND)
    return dict(
        ReturnOrder.objects.filter(requester=actor, status__in=WAITS).aggregate(
            returns_to_send=Count("pk", filter=to_send),
            returns_to_confirm=Count("pk", filter=Q(status=ReturnStatus.PENDING_CONFIRM)),
        )
    )
