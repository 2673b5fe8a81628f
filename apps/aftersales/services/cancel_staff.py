"""Mail staff when a cancellation is near its deadline. Notices exist only for customers, and
the work list sends no messages.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Q
from django.urls import reverse

from apps.aftersales.cancel_enums import CancelStatus
from apps.aftersales.models import CancelOrder
from apps.common.background.outbox import message_number, outbox_publish
from apps.common.tenancy import platform_scope
from apps.identity.services.mail import account_mail
from apps.org.models import Account

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
