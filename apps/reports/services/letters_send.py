"""Send one recipient's letter: claim it, write it, mail it, mark it. The outbox retries with
growing delays; after one day and eight attempts the letter fails.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.identity.services.mail import address_mail
from apps.reports.enums import Frequency, LetterState, SendState
from apps.reports.models import ReportLetter, ReportSend, SavedView
from apps.reports.services.letter_leave import end_link, leave_link
from apps.reports.services.letter_write import (
    NothingToSend,
    SubscriptionEnds,
    Written,
    letter_written,
    reader_of,
    view_of,
)
from apps.reports.services.subscription_pause import (
    REPORT_PAGES,
    name_of,
    subscription_pause,
    trouble_tell,
)

log = structlog.get_logger(__name__)
# Longer than a letter takes. If a worker dies with a claim, another worker takes over after this.
CLAIM = timedelta(minutes=5)
GIVE_UP_AFTER = timedelta(days=1)
# After a downtime of days, a letter still gets this number of attempts.
LEAST_TRIES = 8
S = LetterState
OPEN = (S.WAITING, S.SENDING)


class ClaimedElsewhere(RuntimeError):
    """Another process is sending the letter. The outbox delivers the message again."""


def report_letter_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox handler of LETTER_TOPIC."""
    rows = ReportLetter.objects.filter(pk=payload["LetterId"])
    if not _claim(rows):
        return
    named = (
        "send__subscription__owner__group",
        "send__subscription__view",
        "recipient__account",
        "recipient__subscription__owner",
    )
    letter = rows.select_related(*named).get()
    try:
        _send(letter)
    except SubscriptionEnds as why:
        subscription_pause(letter.send.subscription, why=str(why))
        _ended(letter, S.SKIPPED, str(why))
    except NothingToSend as why:
        _ended(letter, S.SKIPPED, str(why))
    except Exception as error:
        log.exception("report_letter_failed", letter=letter.pk, attempts=letter.attempts)
        said = f"{type(error).__name__}: {error}"[:200]
        is_last = (
            letter.attempts >= LEAST_TRIES
            and timezone.now() >= letter.send.created_at + GIVE_UP_AFTER
        )
        if is_last:
            _ended(letter, S.FAILED, said)
            return
        ReportLetter.objects.filter(pk=letter.pk).update(state=S.WAITING, note=said)
        raise
    else:
        _ended(letter, S.SENT, letter.note)


def _claim(rows: Any) -> bool:
    """Claim the letter. Return False if it has ended or no longer exists."""
    now = timezone.now()
    free = Q(state=S.WAITING) | Q(state=S.SENDING, claimed_at__lt=now - CLAIM)
    if rows.filter(free).update(state=S.SENDING, claimed_at=now, attempts=F("attempts") + 1):
        return True
    if rows.filter(state=S.SENDING).exists():
        raise ClaimedElsewhere
    return False


def _send(letter: ReportLetter) -> None:
    subscription = letter.send.subscription
    view = view_of(subscription)
    reader, address = reader_of(letter, view)
    written = letter_written(letter=letter, view=view, reader=reader)
    letter.rows, letter.note = written.rows, "行数过多，未附 Excel" if written.is_too_long else ""
    _mail(letter, view, written, address)


def _mail(letter: ReportLetter, view: SavedView, written: Written, address: str) -> None:
    subscription, recipient = letter.send.subscription, letter.recipient
    if recipient is None:  # for the type checker: reader_of has already refused it
        raise NothingToSend
    address_mail(
        to=address,
        subject=f"{view.name}（{written.days}）",
        template="report",
        number=f"report-{letter.pk}",
        files=written.files,
        leave=leave_link(recipient),
        end=end_link(recipient),
        account=recipient.account,
        view=view,
        report=view.get_report_display(),
        owner=subscription.owner,
        written=written,
        often=Frequency(subscription.frequency).label,
        is_asked=letter.send.is_asked,
        page=(
            f"{settings.MALL_URL}{REPORT_PAGES[view.report]}"
            f"?{urlencode({**view.filters, **written.period}, doseq=True)}"
        ),
    )


def _ended(letter: ReportLetter, state: LetterState, note: str) -> None:
    """Set the letter's final state. After the last letter, set the send's state too. The send
    is locked first, so that of two concurrent letters the second one sees both results.
    """
    with transaction.atomic():
        send = ReportSend.objects.select_for_update(no_key=True).filter(pk=letter.send_id).first()
        if send is None:
            return
        sent_at = timezone.now() if state == S.SENT else None
        ReportLetter.objects.filter(pk=letter.pk).update(
            state=state, note=note, rows=letter.rows, sent_at=sent_at
        )
        states = set(send.letters.values_list("state", flat=True))
        if states & set(OPEN):
            return
        send.state = _outcome(states)
        send.ended_at = timezone.now()
        send.save(update_fields=["state", "ended_at"])
        if S.FAILED in states:
            said = (
                f"应于 {timezone.localtime(send.due_at):%m-%d %H:%M} "
                "发送的邮件多次尝试后仍未送达，请在报表页的“订阅”中查看发送记录"
            )
            subscription = letter.send.subscription
            trouble_tell(
                subscription, title=f"报表订阅“{name_of(subscription)}”发送失败", text=said
            )


def _outcome(states: set[str]) -> SendState:
    if S.FAILED in states:
        return SendState.PARTLY if S.SENT in states else SendState.FAILED
    return SendState.SENT if S.SENT in states else SendState.SKIPPED
