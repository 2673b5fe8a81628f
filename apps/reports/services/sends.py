"""Start the sends that are due: one send per period, with any number of processes and after any
downtime. Delete old sends.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from apps.calendar.selectors import working_calendar
from apps.common.background.outbox import outbox_publish_all
from apps.common.background.periodic import run_for_each
from apps.common.tenancy import tenant_scope
from apps.org.models import Account
from apps.reports.enums import SendState
from apps.reports.errors import SubscriptionSending, SubscriptionWithoutView
from apps.reports.models import ReportLetter, ReportRecipient, ReportSend, ReportSubscription
from apps.reports.schedule import DAY, due_after, dues_between
from apps.reports.selectors.subscriptions import get_subscription

LETTER_TOPIC = "report.letter"
NO_RECIPIENTS = "收件人均已退订或移出名单"
KEEP_SENDS = timedelta(days=366)


def subscriptions_due() -> int:
    """Start the sends that are due and return their number. Runs in the platform's scope.

    Subscriptions of a disabled group wait until the group is enabled again.
    """
    due = ReportSubscription.objects.filter(
        is_active=True, next_at__lte=timezone.now(), group__is_active=True
    ).order_by("next_at", "pk")
    return run_for_each(list(due.values_list("pk", "group_id", "next_at")), subscription_begin)


def subscription_begin(pk: int, group_id: int, due_at: datetime) -> bool:
    """Start the send that was due at `due_at`. Return False if another process has started it,
    or if the calendar has moved it since.

    If several due times have passed, only the last one is sent.
    """
    now = timezone.now()
    try:
        with tenant_scope(group_id=group_id), transaction.atomic():
            subscription = ReportSubscription.objects.get(pk=pk)
            is_worked = working_calendar().is_worked
            missed = dues_between(subscription.schedule, due_at, now, is_worked)
            upcoming = due_after(subscription.schedule, now, is_worked)
            # Conditional UPDATE: only the first process finds the old due time.
            mine = ReportSubscription.objects.filter(pk=pk, is_active=True, next_at=due_at).update(
                next_at=upcoming
            )
            if not mine or not missed:
                return False
            _begin(subscription, missed[-1], is_asked=False)
    except ReportSubscription.DoesNotExist:  # deleted by a concurrent request
        return False
    return True


@transaction.atomic
def subscription_send_now(*, actor: Account, pk: str) -> ReportSend:
    """Return a new send that starts now. The schedule does not change.

    Raises:
        SubscriptionNotFound: the actor has no subscription with this key.
        WrongState: a send is in progress, or the view has been deleted.
    """
    found = get_subscription(actor=actor, pk=pk)
    subscription = ReportSubscription.objects.select_for_update(no_key=True).get(pk=found.pk)
    if subscription.view_id is None:
        raise SubscriptionWithoutView
    if subscription.sends.filter(
        state=SendState.SENDING, created_at__gt=timezone.now() - DAY
    ).exists():
        raise SubscriptionSending
    return _begin(subscription, timezone.now(), is_asked=True)


def _begin(subscription: ReportSubscription, due_at: datetime, *, is_asked: bool) -> ReportSend:
    send: ReportSend = ReportSend.objects.create(
        group_id=subscription.group_id, subscription=subscription, due_at=due_at, is_asked=is_asked
    )
    rows = ReportRecipient.objects.filter(
        subscription=subscription, is_listed=True, unsubscribed_at__isnull=True
    )
    letters = [
        ReportLetter(
            group_id=send.group_id,
            send=send,
            recipient=row,
            to=row.account.nickname if row.account else row.address,
        )
        for row in rows.select_related("account").order_by("pk")
    ]
    ReportLetter.objects.bulk_create(letters)
    outbox_publish_all(
        topic=LETTER_TOPIC,
        messages=[(str(letter.pk), {"LetterId": letter.pk}) for letter in letters],
    )
    if not letters:
        send.state, send.note, send.ended_at = SendState.SKIPPED, NO_RECIPIENTS, timezone.now()
        send.save(update_fields=["state", "note", "ended_at"])
    return send


def sends_purge() -> int:
    """Delete sends older than one year with their letters. Return the number of deleted rows.
    Runs in the platform's scope.
    """
    deleted: int = ReportSend.objects.filter(created_at__lt=timezone.now() - KEEP_SENDS).delete()[0]
    return deleted
