"""Every step of a cancellation after it was requested: staff grant or refuse it, the customer
withdraws it, a mail reminds staff once before the deadline, and a periodic job grants overdue
requests.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from apps.aftersales.deadlines import remind_before
from apps.aftersales.enums import CancelEventKind, CancelReason, CancelStatus
from apps.aftersales.errors import CancelOrderNotFound, CancelRefusalReasonMissing
from apps.aftersales.locks import lock_cancel, locked_cancel
from apps.aftersales.models import CancelOrder
from apps.aftersales.selectors.cancels import (
    list_overdue_cancels,
    list_visible_cancels,
    list_waiting_cancels,
)
from apps.common.background.outbox import get_message_number, outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.document_kit.flow import DocumentFlow, mention_step
from apps.common.tenancy import platform_scope, tenant_scope
from apps.identity.services.mail import send_account_mail
from apps.orders.locks import lock_order, lock_own_order
from apps.orders.services.cancellations import order_pieces_cancel, pieces_free
from apps.org.models import Account

K = CancelEventKind
REFRESH = "请刷新后查看结果"
CANCELLATIONS = DocumentFlow(
    name="cancel",
    number="cancel_no",
    state_texts={
        CancelStatus.DONE: ("取消申请已完成取消", REFRESH),
        CancelStatus.REFUSED: ("取消申请已被拒绝", REFRESH),
        CancelStatus.WITHDRAWN: ("取消申请已撤销", REFRESH),
    },
    columns=[
        "status", "decided_at", "decided_by", "decision_note", "reminded_at", "is_whole",
        "total_before", "total_after", "freight_before", "freight_after", "refund_amount",
    ],
)  # fmt: skip
# The steps that the order's timeline shows too. The order itself records what is cancelled.
IN_ORDER_TIMELINE = {
    K.ASKED: "cancel.asked",
    K.REFUSED: "cancel.refused",
    K.WITHDRAWN: "cancel.withdrawn",
}
# Step → the second part of its outbox topic (`cancel.done`). The other steps inform nobody.
TOPICS = {K.DONE: "done", K.GRANTED: "granted", K.GRANTED_LATE: "granted", K.REFUSED: "refused"}


def cancel_record(
    cancel: CancelOrder,
    *,
    actor: Account | None,
    kind: CancelEventKind,
    before: str,
    reason: str = "",
) -> None:
    """Save the cancellation, write its event and the order's, and publish the message if there is
    a topic. A cancellation at once informs the order's requester, any other its own requester.
    """
    CANCELLATIONS.record(cancel, actor=actor, kind=kind, before=before, reason=reason)
    if kind in IN_ORDER_TIMELINE:
        mention_step(
            cancel.order,
            actor=actor,
            kind=IN_ORDER_TIMELINE[kind],
            document_text=cancel.cancel_no,
            reason=reason,
        )
    if kind in TOPICS:
        orderer = cancel.order.requester_id
        receiver = orderer if kind == K.DONE else cancel.requester_id
        is_order_over = cancel.status == CancelStatus.DONE and cancel.is_whole
        # The order's own message informs its requester when the whole order is cancelled.
        if not (is_order_over and receiver == orderer):
            CANCELLATIONS.publish(
                cancel,
                actor=actor,
                kind=TOPICS[kind],
                reason=reason,
                payload={"requester_id": receiver, "order_no": cancel.order.order_no},
            )


def cancel_reason_text(reason_kind: str, reason: str) -> str:
    """Return the reason in one line of text."""
    label = str(CancelReason(reason_kind).label)
    return f"{label}：{reason}" if reason else label


def cancel_grant(*, actor: Account, cancel_id: int, note: str = "") -> CancelOrder:
    """Grant the cancellation and return it. The pieces are cancelled; stock, budget and money
    are released.

    Raises:
        WrongState: it is already decided or withdrawn.
    """
    with locked_cancel(cancel_id=cancel_id) as cancel:
        cancel_grant_locked(cancel, actor=actor, note=note)
    return cancel


def cancel_grant_locked(cancel: CancelOrder, *, actor: Account | None, note: str) -> None:
    """Grant a locked cancellation of a locked order. The actor is None for the periodic job."""
    CANCELLATIONS.transition(cancel, "grant", "同意", at=timezone.now())
    order, pieces = cancel.order, _get_pieces_by_line(cancel)
    cancel.total_before, cancel.freight_before = order.total_amount, order.freight_amount
    reason = cancel_reason_text(cancel.reason_kind, cancel.reason)
    outcome = order_pieces_cancel(
        order,
        actor=actor,
        pieces=pieces,
        held=pieces,
        reason=reason if actor else f"{note}，取消原因：{reason}",
        reference=cancel.cancel_no,
    )
    # The freight rules may have changed since the request, so save the actual amounts.
    cancel.is_whole = outcome.reduced.is_whole
    cancel.total_after, cancel.freight_after = outcome.reduced.total, outcome.reduced.freight
    cancel.refund_amount = outcome.refunded
    cancel.decided_by, cancel.decision_note = actor, note
    kind = CancelEventKind.GRANTED if actor else CancelEventKind.GRANTED_LATE
    _record_decision(cancel, actor=actor, kind=kind, reason=note)


def cancel_refuse(*, actor: Account, cancel_id: int, reason: str) -> CancelOrder:
    """Refuse the cancellation with a reason and return it. Its pieces can be shipped again.

    Raises:
        ValidationFailed: the reason is empty.
        WrongState: it is already decided or withdrawn.
    """
    note = reason.strip()
    if not note:
        raise CancelRefusalReasonMissing
    with locked_cancel(cancel_id=cancel_id) as cancel:
        CANCELLATIONS.transition(cancel, "refuse", "拒绝", at=timezone.now())
        pieces_free(cancel.order, _get_pieces_by_line(cancel))
        cancel.decided_by, cancel.decision_note = actor, note
        _record_decision(cancel, actor=actor, kind=CancelEventKind.REFUSED, reason=note)
    return cancel


@transaction.atomic
def cancel_withdraw(*, actor: Account, cancel_id: int) -> CancelOrder:
    """Withdraw the customer's cancellation and return it. Its pieces can be shipped again.

    Raises:
        CancelOrderNotFound, NotYourOrder: the actor cannot see or change it.
        WrongState: it is already decided.
    """
    visible = list_visible_cancels(actor=actor).select_related("order").filter(pk=cancel_id).first()
    if visible is None:
        raise CancelOrderNotFound
    order = lock_own_order(actor=actor, order_no=visible.order.order_no)
    cancel = lock_cancel(cancel_id, order=order)
    CANCELLATIONS.transition(cancel, "withdraw", "撤销", at=timezone.now())
    pieces_free(order, _get_pieces_by_line(cancel))
    _record_decision(cancel, actor=actor, kind=CancelEventKind.WITHDRAWN)
    return cancel


def _get_pieces_by_line(cancel: CancelOrder) -> dict[int, int]:
    """Return {order line pk: pieces} of the cancellation."""
    return dict(cancel.lines.order_by().values_list("order_line_id", "quantity"))


def _record_decision(
    cancel: CancelOrder, *, actor: Account | None, kind: CancelEventKind, reason: str = ""
) -> None:
    cancel_record(cancel, actor=actor, kind=kind, before=CancelStatus.PENDING, reason=reason)


LATE = "客服逾期未处理，已自动同意"
REMIND_TOPIC = "cancel.remind_staff"


def cancels_grant_overdue() -> int:
    """Grant overdue requests, each in its own transaction. Returns their number. The caller must
    open the platform scope.

    The pieces are held and not shipped, so granting has no cost, and every request gets an answer.
    """
    rows = list_overdue_cancels().values_list("pk", "order__order_no", "group_id")
    return run_for_each(list(rows), _grant_overdue_cancel)


def cancels_remind() -> int:
    """Remind staff once of each request near its deadline. Returns the number of reminders. The
    caller must open the platform scope.
    """
    due_soon = list_waiting_cancels().filter(
        reminded_at__isnull=True, decide_by__lte=timezone.now() + remind_before()
    )
    return run_for_each(
        list(due_soon.values_list("pk", "order__order_no", "group_id")), _remind_about_cancel
    )


def _grant_overdue_cancel(cancel_id: int, order_no: str, group_id: int) -> bool:
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
        send_account_mail(
            account=person,
            subject=f"取消申请 {cancel.cancel_no} 即将到处理时限",
            template="cancel_waiting",
            number=f"cancel-{cancel.pk}-{person.pk}-{get_message_number() or 0}",
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
