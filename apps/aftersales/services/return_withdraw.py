"""A return ends before the goods are here: the customer withdraws it, or never sends them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.aftersales.enums import ReturnEventKind, ReturnStatus, ReturnWay
from apps.aftersales.locks import lock_own_return, locked_return
from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_moves import quantities_of, return_move, return_record
from apps.aftersales.services.return_quantities import quantities_free
from apps.common.background.periodic import done_for_each

if TYPE_CHECKING:
    from apps.org.models import Account

EXPIRED = "审核通过后 7 天内未寄回，系统自动撤销；仍在售后期内可重新申请"


@transaction.atomic
def return_withdraw(*, actor: Account, return_no: str, reason: str) -> ReturnOrder:
    """待审核, 待寄回 or 待收货 → 已撤销, by the customer.

    Raises:
        ReturnNotFound, NotYourReturn: it is not the actor's.
        WrongState: the goods are here already, or it has ended.
    """
    return _withdraw(lock_own_return(actor=actor, return_no=return_no), actor=actor, kind=ReturnEventKind.WITHDRAWN, reason=reason)


def returns_expire() -> int:
    """Withdraw what the customer has not sent in time, each in its own transaction; return how many. Runs in the platform's scope."""
    late = ReturnOrder.objects.filter(status=ReturnStatus.PENDING_SEND, way=ReturnWay.SEND, due_at__lt=timezone.now())
    return done_for_each(late.order_by("pk").values_list("pk"), _expire)


def _expire(return_id: int) -> bool:
    with locked_return(return_id=return_id) as return_order:
        is_late = return_order.due_at is not None and return_order.due_at < timezone.now()
        # Sent while we came here: it is no longer ours to end.
        if return_order.status != ReturnStatus.PENDING_SEND or not is_late:
            return False
        _withdraw(return_order, actor=None, kind=ReturnEventKind.EXPIRED, reason=EXPIRED)
    return True


def _withdraw(return_order: ReturnOrder, *, actor: Account | None, kind: ReturnEventKind, reason: str) -> ReturnOrder:
    before = return_move(return_order, "withdraw", "撤销", reason=reason)
    quantities_free(quantities=quantities_of(return_order))
    return_record(return_order, actor=actor, kind=kind, before=before, reason=reason)
    return return_order
