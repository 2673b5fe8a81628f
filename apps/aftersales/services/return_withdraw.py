"""Withdraw a return before the mall has the goods: by the customer, or because they were not
sent in time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.aftersales.enums import ReturnEventKind, ReturnStatus, ReturnWay
from apps.aftersales.locks import lock_own_return, locked_return
from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_flow import quantities_of, return_record, return_transition
from apps.aftersales.services.return_quantities import quantities_free
from apps.common.background.periodic import run_for_each

if TYPE_CHECKING:
    from apps.org.models import Account

EXPIRED = "审核通过后 7 天内未寄回，系统自动撤销；仍在售后期内可重新申请"


@transaction.atomic
def return_withdraw(*, actor: Account, return_no: str, reason: str) -> ReturnOrder:
    """待审核, 待寄回 or 待收货 → 已撤销, by the customer.

    Raises:
        ReturnNotFound, NotYourReturn: the actor cannot see or change the return.
        WrongState: the mall has received the goods, or the return has ended.
    """
    return _withdraw(
        lock_own_return(actor=actor, return_no=return_no),
        actor=actor,
        kind=ReturnEventKind.WITHDRAWN,
        reason=reason,
    )


def returns_expire() -> int:
    """Withdraw returns whose goods were not sent in time, each in its own transaction. Returns
    their number. Runs in the platform's scope.
    """
    late = ReturnOrder.objects.filter(
        status=ReturnStatus.PENDING_SEND, way=ReturnWay.SEND, due_at__lt=timezone.now()
    )
    return run_for_each(late.order_by("pk").values_list("pk"), _expire)


def _expire(return_id: int) -> bool:
    with locked_return(return_id=return_id) as return_order:
        is_late = return_order.due_at is not None and return_order.due_at < timezone.now()
        # The customer may have sent the goods since the query.
        if return_order.status != ReturnStatus.PENDING_SEND or not is_late:
            return False
        _withdraw(return_order, actor=None, kind=ReturnEventKind.EXPIRED, reason=EXPIRED)
    return True


def _withdraw(
    return_order: ReturnOrder, *, actor: Account | None, kind: ReturnEventKind, reason: str
) -> ReturnOrder:
    before = return_transition(return_order, "withdraw", "撤销", reason=reason)
    quantities_free(quantities=quantities_of(return_order))
    return_record(return_order, actor=actor, kind=kind, before=before, reason=reason)
    return return_order
