"""The end of a return: the customer withdraws it or confirms the result. Periodic jobs remind the
customer, and end what the customer leaves open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.aftersales.deadlines import REMIND_BEFORE
from apps.aftersales.enums import ReturnEventKind, ReturnKind, ReturnStatus, ReturnWay
from apps.aftersales.locks import lock_own_return, locked_return
from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_flow import (
    get_accepted_quantities,
    get_requested_quantities,
    return_record,
    return_transition,
)
from apps.aftersales.services.return_quantities import quantities_free
from apps.common.background.periodic import run_for_each

if TYPE_CHECKING:
    from apps.org.models import Account

EXPIRED_REASON = "审核通过后 7 天内未寄回，系统自动撤销；仍在售后期内可重新申请"
SILENT_NOTE = "处理完成后 7 天内未确认，系统自动确认"
# State → the text of the reminder: the task and the consequence of missing the deadline.
REMINDER_TEXTS: dict[str, str] = {
    ReturnStatus.PENDING_SEND: "请在 {day} 前寄回商品并填写运单号，逾期将自动撤销",
    ReturnStatus.PENDING_CONFIRM: "请在 {day} 前核对并确认，逾期将自动确认完成",
}


@transaction.atomic
def return_withdraw(*, actor: Account, return_no: str, reason: str) -> ReturnOrder:
    """Withdraw a return as its customer (待审核, 待寄回 or 待收货 → 已撤销).

    Raises:
        ReturnNotFound, NotYourReturn: the actor cannot see or change the return.
        WrongState: the mall has received the goods, or the return has ended.
    """
    return _withdraw_return(
        lock_own_return(actor=actor, return_no=return_no),
        actor=actor,
        kind=ReturnEventKind.WITHDRAWN,
        reason=reason,
    )


def returns_expire() -> int:
    """Withdraw returns whose goods were not sent in time, each in its own transaction. Returns
    their number. The caller must open the platform scope.
    """
    late = ReturnOrder.objects.filter(
        status=ReturnStatus.PENDING_SEND, way=ReturnWay.SEND, due_at__lt=timezone.now()
    )
    return run_for_each(late.order_by("pk").values_list("pk"), _expire_return)


def _expire_return(return_id: int) -> bool:
    """Withdraw a return whose goods were not sent in time. Return False if they were sent
    meanwhile.
    """
    with locked_return(return_id=return_id) as return_order:
        is_late = return_order.due_at is not None and return_order.due_at < timezone.now()
        # The customer may have sent the goods since the query.
        if return_order.status != ReturnStatus.PENDING_SEND or not is_late:
            return False
        _withdraw_return(
            return_order, actor=None, kind=ReturnEventKind.EXPIRED, reason=EXPIRED_REASON
        )
    return True


def _withdraw_return(
    return_order: ReturnOrder, *, actor: Account | None, kind: ReturnEventKind, reason: str
) -> ReturnOrder:
    before = return_transition(return_order, "withdraw", "撤销", reason=reason)
    quantities_free(quantities=get_requested_quantities(return_order))
    return_record(return_order, actor=actor, kind=kind, before=before, reason=reason)
    return return_order


@transaction.atomic
def return_confirm(*, actor: Account, return_no: str) -> ReturnOrder:
    """Complete a return as its customer (待确认 → 已完成).

    Raises:
        ReturnNotFound, NotYourReturn: the actor cannot see or change the return.
        WrongState: it is not 待确认.
    """
    return _complete_return(lock_own_return(actor=actor, return_no=return_no), actor=actor)


def returns_confirm_silent() -> int:
    """Complete returns that were not confirmed in time, each in its own transaction. Returns their
    number. The caller must open the platform scope.
    """
    late = ReturnOrder.objects.filter(
        status=ReturnStatus.PENDING_CONFIRM, due_at__lt=timezone.now()
    )
    return run_for_each(late.order_by("pk").values_list("pk"), _complete_silent)


def _complete_silent(return_id: int) -> bool:
    """Complete the return. Return False if it was confirmed, or its deadline is not over."""
    with locked_return(return_id=return_id) as return_order:
        is_late = return_order.due_at is not None and return_order.due_at < timezone.now()
        if return_order.status != ReturnStatus.PENDING_CONFIRM or not is_late:
            return False
        _complete_return(return_order, actor=None, note=SILENT_NOTE)
    return True


def _complete_return(
    return_order: ReturnOrder, *, actor: Account | None, note: str = ""
) -> ReturnOrder:
    before = return_transition(return_order, "complete", "确认完成", at=timezone.now())
    if return_order.kind != ReturnKind.RETURN:
        # Exchanged and repaired pieces leave after-sales here. The refund has already moved
        # returned pieces.
        quantities_free(quantities=get_accepted_quantities(return_order))
    return_record(
        return_order, actor=actor, kind=ReturnEventKind.COMPLETED, before=before, reason=note
    )
    return return_order


def returns_remind() -> int:
    """Remind of steps with a deadline within two days, each in its own transaction. Returns the
    number of reminders. The caller must open the platform scope.
    """
    soon = ReturnOrder.objects.filter(
        status__in=REMINDER_TEXTS,
        reminded_at__isnull=True,
        due_at__lt=timezone.now() + REMIND_BEFORE,
    )
    rows = (
        soon.exclude(status=ReturnStatus.PENDING_SEND, way=ReturnWay.PICKUP)
        .order_by("pk")
        .values_list("pk")
    )
    return run_for_each(rows, _remind_about_return)


def _remind_about_return(return_id: int) -> bool:
    """Remind the customer of the deadline once. Return False if it is no longer due."""
    with locked_return(return_id=return_id) as return_order:
        now, due = timezone.now(), return_order.due_at
        is_waiting = return_order.status in REMINDER_TEXTS and return_order.reminded_at is None
        # The customer may have acted, or the deadline may have passed, since the query.
        if not is_waiting or due is None or not now <= due < now + REMIND_BEFORE:
            return False
        return_order.reminded_at = now
        text = REMINDER_TEXTS[return_order.status].format(day=f"{timezone.localtime(due):%Y-%m-%d}")
        return_record(
            return_order,
            actor=None,
            kind=ReturnEventKind.REMINDED,
            before=return_order.status,
            reason=text,
        )
    return True
