"""Complete a return: the customer confirms, or does not react for 7 days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.aftersales.enums import ReturnEventKind, ReturnKind, ReturnStatus
from apps.aftersales.locks import lock_own_return, locked_return
from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_flow import accepted_of, return_record, return_transition
from apps.aftersales.services.return_quantities import quantities_free
from apps.common.background.periodic import run_for_each

if TYPE_CHECKING:
    from apps.org.models import Account

SILENT = "处理完成后 7 天内未确认，系统自动确认"


@transaction.atomic
def return_confirm(*, actor: Account, return_no: str) -> ReturnOrder:
    """待确认 → 已完成, by the customer.

    Raises:
        ReturnNotFound, NotYourReturn: the actor cannot see or change the return.
        WrongState: it is not 待确认.
    """
    return _complete(lock_own_return(actor=actor, return_no=return_no), actor=actor)


def returns_confirm_silent() -> int:
    """Complete returns that were not confirmed in time, each in its own transaction. Returns
    their number. Runs in the platform's scope.
    """
    late = ReturnOrder.objects.filter(
        status=ReturnStatus.PENDING_CONFIRM, due_at__lt=timezone.now()
    )
    return run_for_each(late.order_by("pk").values_list("pk"), _complete_silent)


def _complete_silent(return_id: int) -> bool:
    with locked_return(return_id=return_id) as return_order:
        is_late = return_order.due_at is not None and return_order.due_at < timezone.now()
        if return_order.status != ReturnStatus.PENDING_CONFIRM or not is_late:
            return False
        _complete(return_order, actor=None, note=SILENT)
    return True


def _complete(return_order: ReturnOrder, *, actor: Account | None, note: str = "") -> ReturnOrder:
    before = return_transition(return_order, "complete", "确认完成", at=timezone.now())
    if return_order.kind != ReturnKind.RETURN:
        # Exchanged and repaired pieces leave after-sales here. The refund has already moved
        # returned pieces.
        quantities_free(quantities=accepted_of(return_order))
    return_record(
        return_order, actor=actor, kind=ReturnEventKind.COMPLETED, before=before, reason=note
    )
    return return_order
