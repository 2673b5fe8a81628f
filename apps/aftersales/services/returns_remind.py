"""Remind customers once, two days before the deadline of their step."""

from __future__ import annotations

from django.utils import timezone

from apps.aftersales.deadlines import REMIND_BEFORE
from apps.aftersales.enums import ReturnEventKind, ReturnStatus, ReturnWay
from apps.aftersales.locks import locked_return
from apps.aftersales.models import ReturnOrder
from apps.aftersales.services.return_flow import return_record
from apps.common.background.periodic import run_for_each

# State → the text of the reminder: the task and the consequence of missing the deadline.
WORDS: dict[str, str] = {
    ReturnStatus.PENDING_SEND: "请在 {day} 前寄回商品并填写运单号，逾期将自动撤销",
    ReturnStatus.PENDING_CONFIRM: "请在 {day} 前核对并确认，逾期将自动确认完成",
}


def returns_remind() -> int:
    """Remind of steps with a deadline within two days, each in its own transaction. Returns the
    number of reminders. Runs in the platform's scope.
    """
    soon = ReturnOrder.objects.filter(
        status__in=WORDS, reminded_at__isnull=True, due_at__lt=timezone.now() + REMIND_BEFORE
    )
    rows = (
        soon.exclude(status=ReturnStatus.PENDING_SEND, way=ReturnWay.PICKUP)
        .order_by("pk")
        .values_list("pk")
    )
    return run_for_each(rows, _remind)


def _remind(return_id: int) -> bool:
    with locked_return(return_id=return_id) as return_order:
        now, due = timezone.now(), return_order.due_at
        is_waiting = return_order.status in WORDS and return_order.reminded_at is None
        # The customer may have acted, or the deadline may have passed, since the query.
        if not is_waiting or due is None or not now <= due < now + REMIND_BEFORE:
            return False
        return_order.reminded_at = now
        words = WORDS[return_order.status].format(day=f"{timezone.localtime(due):%Y-%m-%d}")
        return_record(
            return_order,
            actor=None,
            kind=ReturnEventKind.REMINDED,
            before=return_order.status,
            reason=words,
        )
    return True
