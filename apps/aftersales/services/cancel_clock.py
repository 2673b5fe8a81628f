"""Periodic jobs of cancellations: remind staff once, and grant overdue requests."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from apps.aftersales.cancel_enums import CancelEventKind, CancelStatus
from apps.aftersales.cancel_time import remind_before
from apps.aftersales.selectors.cancel_orders import cancels_overdue, cancels_waiting
from apps.aftersales.services.cancel_decide import granted, lock_cancel
from apps.aftersales.services.cancel_flow import cancel_record
from apps.aftersales.services.cancel_staff import staff_told
from apps.common.background.periodic import run_for_each
from apps.common.tenancy import tenant_scope
from apps.orders.locks import lock_order

LATE = "客服逾期未处理，已自动同意"


def cancels_grant_overdue() -> int:
    """Grant overdue requests, each in its own transaction. Returns their number. Runs in the
    platform's scope.

    The pieces are held and not shipped, so granting has no cost, and every request gets an answer.
    """
    rows = cancels_overdue().values_list("pk", "order__order_no", "group_id")
    return run_for_each(list(rows), _grant_overdue)


def cancels_remind() -> int:
    """Remind staff once of each request near its deadline. Returns the number of reminders.
    Runs in the platform's scope.
    """
    near = cancels_waiting().filter(
        reminded_at__isnull=True, decide_by__lte=timezone.now() + remind_before()
    )
    return run_for_each(list(near.values_list("pk", "order__order_no", "group_id")), _remind)


def _grant_overdue(cancel_id: int, order_no: str, group_id: int) -> bool:
    with tenant_scope(group_id=group_id), transaction.atomic():
        order = lock_order(order_no=order_no)
        cancel = lock_cancel(cancel_id, order)
        is_due = (
            cancel.status == CancelStatus.PENDING
            and cancel.decide_by is not None
            and cancel.decide_by <= timezone.now()
        )
        if not is_due:
            return False
        granted(cancel, order, actor=None, note=LATE)
    return True


def _remind(cancel_id: int, order_no: str, group_id: int) -> bool:
    with tenant_scope(group_id=group_id), transaction.atomic():
        cancel = lock_cancel(cancel_id, lock_order(order_no=order_no))
        if cancel.status != CancelStatus.PENDING or cancel.reminded_at is not None:
            return False
        cancel.reminded_at = timezone.now()
        cancel_record(cancel, actor=None, kind=CancelEventKind.REMINDED, before=cancel.status)
        staff_told(cancel)
    return True
