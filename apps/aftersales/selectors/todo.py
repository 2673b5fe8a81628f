"""What of a person's own returns waits for him."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Q

from apps.aftersales.enums import ReturnStatus, ReturnWay
from apps.aftersales.models import ReturnOrder
from apps.org.menus import MenuCode

if TYPE_CHECKING:
    from apps.org.models import Account

WAITS = (ReturnStatus.PENDING_SEND, ReturnStatus.PENDING_CONFIRM)


def returns_todo(*, actor: Account, **_: object) -> dict[str, int | None]:
    """Return how many of the actor's returns he is to send back, and how many to confirm; what we fetch ourselves he need not send."""
    if not actor.has_menu_code(MenuCode.ORDER_RETURN):
        return {"returns_to_send": None, "returns_to_confirm": None}
    to_send = Q(status=ReturnStatus.PENDING_SEND, way=ReturnWay.SEND)
    return dict(
        ReturnOrder.objects.filter(requester=actor, status__in=WAITS).aggregate(
            returns_to_send=Count("pk", filter=to_send),
            returns_to_confirm=Count("pk", filter=Q(status=ReturnStatus.PENDING_CONFIRM)),
        )
    )
