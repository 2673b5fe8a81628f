"""The deadline of a cancellation: a mail reminds staff once before it, and a periodic job grants
overdue requests.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from apps.aftersales.deadlines import remind_before
from apps.aftersales.enums import CancelEventKind, CancelStatus
from apps.aftersales.locks import lock_cancel
from apps.aftersales.models import CancelOrder
from apps.aftersales.selectors.cancels import list_overdue_cancels, list_waiting_cancels
from apps.aftersales.services.cancel_decide import cancel_grant_locked
from apps.aftersales.services.cancel_flow import cancel_record
from apps.common.background.outbox import message_number, outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.tenancy import platform_scope, tenant_scope
from apps.identity.services.mail import account_mail
from apps.orders.locks import lock_order
from apps.org.models import Account

LATE = "客服逾期未处理，已自动同意"
REMIND_TOPIC = "cancel.remind_staff"


def cancels_grant_overdue() -> int:
    """Grant overdue requests, each in its own transaction. Returns their number. Runs in the
    platform's scope.

    The pieces are held and not shipped, so granting has no cost, and every request gets an answer.
    """
    rows = list_overdue_cancels().values_list("pk", "order__order_no", "group_id")
    return run_for_each(list(rows), _grant_overdue)


def cancels_remind() -> int:
    """Remind staff once of each request near its deadline. Returns the number of reminders.
    Runs in the platform's scope.
    """
    near = list_waiting_cancels().filter(
        reminded_at__isnull=True, decide_by__lte=timezone.now() + remind_before()
    )
    return run_for_each(
        list(near.values_list("pk", "order__order_no", "group_id")), _remind_about_cancel
    )


def _grant_overdue(cancel_id: int, order_no: str, group_id: int) -> bool:
    """Grant a request whose deadline has passed. Return False if it was decided meanwhile."""
    with tenant_scope(group_id=group_id), transaction.atomic():
        cancel = lock_cancel(cancel_id, order=lock_order(order_no=order_no))
        is_due = (
            cancel.status == CancelStatus.PENDING
            and cancel.decide_by is not None
            and cancel.decide_by <= timezone.now()
        )
        if not is_due:
            return False
        cancel_grant_locked(cancel, actor=None, note=LATE)
    return True


def _remind_about_cancel(cancel_id: int, order_no: str, group_id: int) -> bool:
    """Publish the reminder to staff once. Return False if the request was decided or reminded
    of.
    """
    with tenant_scope(group_id=group_id), transaction.atomic():
        cancel = lock_cancel(cancel_id, order=lock_order(order_no=order_no))
        if cancel.status != CancelStatus.PENDING or cancel.reminded_at is not None:
            return False
        cancel.reminded_at = timezone.now()
        cancel_record(cancel, actor=None, kind=CancelEventKind.REMINDED, before=cancel.status)
        outbox_publish(topic=REMIND_TOPIC, key=cancel.cancel_no, payload={"cancel_id": cancel.pk})
    return True


def remind_staff_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox: mail the staff who may decide. Does nothing if the request is no longer pending.

    Notices exist only for customers, and the work list sends no messages, so staff get a mail.
    """
    cancel = (
        CancelOrder.objects.select_related("order__enterprise")
        .filter(pk=payload["cancel_id"], status=CancelStatus.PENDING)
        .first()
    )
    if cancel is None:
        return
    page = f"{settings.MALL_URL}{reverse('admin:aftersales_cancelorder_change', args=[cancel.pk])}"
    for person in list_deciders():
        account_mail(
            account=person,
            subject=f"取消申请 {cancel.cancel_no} 即将到处理时限",
            template="cancel_waiting",
            number=f"cancel-{cancel.pk}-{person.pk}-{message_number() or 0}",
            cancel=cancel,
            page=page,
        )


def list_deciders() -> list[Account]:
    """Return the active staff with an email address who may decide on cancellations."""
    may_decide = (
        Q(is_superuser=True)
        | Q(user_permissions__codename="change_cancelorder")
        | Q(groups__permissions__codename="change_cancelorder")
    )
    with platform_scope(reason="staff who decide on cancellations"):
        return list(
            Account.objects.filter(may_decide, is_staff=True, is_active=True)
            .exclude(email="")
            .distinct()
            .order_by("pk")
        )
