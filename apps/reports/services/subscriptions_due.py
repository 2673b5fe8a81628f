"""Take what is due: one send for each period, however many processes look and however long none did."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish_all
from apps.common.background.periodic import done_for_each
from apps.common.errors import WrongState
from apps.common.tenancy import tenant_scope
from apps.content.selectors.working_time import working_calendar
from apps.org.models import Account
from apps.reports.enums import SendState
from apps.reports.models import ReportLetter, ReportRecipient, ReportSend, ReportSubscription
from apps.reports.schedule import DAY, due_after, dues_between
from apps.reports.selectors.subscriptions import subscription_get

LETTER_TOPIC = "report.letter"
NOBODY_LEFT = "收件人均已退订或移出名单"


def subscriptions_due() -> int:
    """Begin the sends that are due; return how many. Runs in the platform's scope.

    Those of a disabled group wait, and go on by themselves when it is enabled.
    """
    due = ReportSubscription.objects.filter(is_active=True, next_at__lte=timezone.now(), group__is_active=True).order_by("next_at", "pk")
    return done_for_each(list(due.values_list("pk", "group_id", "next_at")), subscription_begin)


def subscription_begin(pk: int, group_id: int, seen_at: datetime) -> bool:
    """Begin the send that was due at `seen_at`; False where another process has, or the calendar has moved it since.

    Of several times that passed while nobody looked the last is sent, once.
    """
    now = timezone.now()
    try:
        with tenant_scope(group_id=group_id), transaction.atomic():
            subscription = ReportSubscription.objects.get(pk=pk)
            is_worked = working_calendar().is_worked
            missed = dues_between(subscription.schedule, seen_at, now, is_worked)
            upcoming = due_after(subscription.schedule, now, is_worked)
            # The conditional UPDATE is what makes it once: the second finds the time moved on.
            mine = ReportSubscription.objects.filter(pk=pk, is_active=True, next_at=seen_at).update(next_at=upcoming)
            if not mine or not missed:
                return False
            _begin(subscription, missed[-1], is_asked=False)
    except ReportSubscription.DoesNotExist:  # deleted meanwhile
        return False
    return True


@transaction.atomic
def subscription_send_now(*, actor: Account, pk: str) -> ReportSend:
    """Return a send begun now, beside those that are due by the clock.

    Raises:
        SubscriptionNotFound: he has none of that number.
        WrongState: it is being sent, or its view has been deleted.
    """
    found = subscription_get(actor=actor, pk=pk)
    subscription = ReportSubscription.objects.select_for_update(no_key=True).get(pk=found.pk)
    if subscription.view_id is None:
        raise WrongState("该订阅的视图已删除，请先选择其他视图")
    if subscription.sends.filter(state=SendState.SENDING, created_at__gt=timezone.now() - DAY).exists():
        raise WrongState("该订阅正在发送，请在发送记录中查看进度")
    return _begin(subscription, timezone.now(), is_asked=True)


def _begin(subscription: ReportSubscription, due_at: datetime, *, is_asked: bool) -> ReportSend:
    send: ReportSend = ReportSend.objects.create(
        group_id=subscription.group_id, subscription=subscription, due_at=due_at, is_asked=is_asked
    )
    rows = ReportRecipient.objects.filter(subscription=subscription, is_listed=True, unsubscribed_at__isnull=True)
    letters = [
        ReportLetter(group_id=send.group_id, send=send, recipient=row, to=row.account.nickname if row.account else row.address)
        for row in rows.select_related("account").order_by("pk")
    ]
    ReportLetter.objects.bulk_create(letters)
    outbox_publish_all(topic=LETTER_TOPIC, messages=[(str(letter.pk), {"LetterId": letter.pk}) for letter in letters])
    if not letters:
        send.state, send.note, send.ended_at = SendState.SKIPPED, NOBODY_LEFT, timezone.now()
        send.save(update_fields=["state", "note", "ended_at"])
    return send
