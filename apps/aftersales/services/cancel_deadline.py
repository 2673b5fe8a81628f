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
from apps.aftersales.models import CancelOrder
from apps.aftersales.selectors.cancels import cancels_overdue, cancels_waiting
from apps.aftersales.services.cancel_decide import granted, lock_cancel
from apps.aftersales.services.cancel_flow import cancel_record
from apps.common.background.outbox import message_number, outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.tenancy import platform_scope, tenant_scope
from apps.identity.services.mail import account_mail
from apps.orders.locks import lock_order
from apps.org.models import Account

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


REMIND_TOPIC = "cancel.remind_staff"


def staff_told(cancel: CancelOrder) -> None:
    """Publish the reminder in the caller's transaction."""
    outbox_publish(topic=REMIND_TOPIC, key=cancel.cancel_no, payload={"cancel_id": cancel.pk})


def remind_staff_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox: mail the staff who may decide. Does nothing if the request is no longer pending."""
    cancel = (
        CancelOrder.objects.select_related("order__enterprise")
        .filter(pk=payload["cancel_id"], status=CancelStatus.PENDING)
        .first()
    )
    if cancel is None:
        return
    page = f"{settings.MALL_URL}{reverse('admin:aftersales_cancelorder_change', args=[cancel.pk])}"
    for person in deciders():
        number = f"cancel-{cancel.pk}-{person.pk}-{message_number() or 0}"
        subject = f"取消申请 {cancel.cancel_no} 即将到处理时限"
        account_mail(
            account=person,
            subject=subject,
            template="cancel_waiting",
            number=number,
            cancel=cancel,
            page=page,
        )


def deciders() -> list[Account]:
    """Return the active staff with an email address who may decide on cancellations."""
    codes = (
        {"user_permissions__codename": "change_cancelorder"},
        {"groups__permissions__codename": "change_cancelorder"},
    )
    may = Q(is_superuser=True) | Q(**codes[0]) | Q(**codes[1])
    with platform_scope(reason="staff who decide on cancellations"):
        return list(
            Account.objects.filter(may, is_staff=True, is_active=True)
            .exclude(email="")
            .distinct()
            .order_by("pk")
        )
