"""Start the sends that are due: one send per period, with any number of processes and after any
downtime. Delete old sends.

One recipient's letter: claim it, check the access, write its files, mail it, mark it. The outbox
retries with growing delays; after one day and eight attempts the letter fails.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.calendar.selectors import get_working_calendar
from apps.common.background.outbox import outbox_publish_all
from apps.common.background.periodic import run_for_each
from apps.common.files.kinds import XLSX_TYPE
from apps.common.tenancy import tenant_scope
from apps.identity.services.mail import MailFile, send_address_mail
from apps.org.models import Account
from apps.reports.enums import Frequency, LetterState, SendState
from apps.reports.errors import SubscriptionSending, SubscriptionWithoutView, ViewNotFound
from apps.reports.models import (
    ReportLetter,
    ReportRecipient,
    ReportSend,
    ReportSubscription,
    SavedView,
)
from apps.reports.schedule import DAY, find_due_after, list_dues_between
from apps.reports.selectors.question import MENU_OF, build_view_question
from apps.reports.selectors.report_pdf import write_report_pdf
from apps.reports.selectors.saved_views import (
    find_accounts_by_mail,
    get_mail_domain,
    get_subscription,
    get_view,
    list_mail_domains,
)
from apps.reports.selectors.sheets import get_report_sheet, sheet_write
from apps.reports.services.subscriptions import (
    REPORT_PAGES,
    get_subscription_name,
    one_click_link,
    subscription_pause,
    trouble_notify,
    unsubscribe_link,
)

LETTER_TOPIC = "report.letter"
NO_RECIPIENTS = "收件人均已退订或移出名单"
KEEP_SENDS = timedelta(days=366)


def subscriptions_send_due() -> int:
    """Start the sends that are due and return their number. The caller must open the platform
    scope.

    Subscriptions of a disabled group wait until the group is enabled again.
    """
    due_subscriptions = ReportSubscription.objects.filter(
        is_active=True, next_at__lte=timezone.now(), group__is_active=True
    ).order_by("next_at", "pk")
    return run_for_each(
        list(due_subscriptions.values_list("pk", "group_id", "next_at")), subscription_begin
    )


def subscription_begin(pk: int, group_id: int, due_at: datetime) -> bool:
    """Start the send that was due at `due_at`. Return False if another process has started it,
    or if the calendar has moved it since.

    If several due times have passed, only the last one is sent.
    """
    now = timezone.now()
    try:
        with tenant_scope(group_id=group_id), transaction.atomic():
            subscription = ReportSubscription.objects.get(pk=pk)
            is_worked = get_working_calendar().is_worked
            due_times = list_dues_between(subscription.schedule, due_at, now, is_worked)
            next_due_at = find_due_after(subscription.schedule, now, is_worked)
            # Conditional UPDATE: only the first process finds the old due time.
            is_first = ReportSubscription.objects.filter(
                pk=pk, is_active=True, next_at=due_at
            ).update(next_at=next_due_at)
            if not is_first or not due_times:
                return False
            _create_send(subscription, due_times[-1], is_asked=False)
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
    visible_subscription = get_subscription(actor=actor, pk=pk)
    subscription = ReportSubscription.objects.select_for_update(no_key=True).get(
        pk=visible_subscription.pk
    )
    if subscription.view_id is None:
        raise SubscriptionWithoutView
    if subscription.sends.filter(
        state=SendState.SENDING, created_at__gt=timezone.now() - DAY
    ).exists():
        raise SubscriptionSending
    return _create_send(subscription, timezone.now(), is_asked=True)


def _create_send(
    subscription: ReportSubscription, due_at: datetime, *, is_asked: bool
) -> ReportSend:
    """Create a send with one letter per recipient, and queue the letters. Without recipients it
    is skipped.
    """
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
    """Delete sends older than one year with their letters. Return the number of deleted rows. The
    caller must open the platform scope.
    """
    deleted: int = ReportSend.objects.filter(created_at__lt=timezone.now() - KEEP_SENDS).delete()[0]
    return deleted


log = structlog.get_logger(__name__)
# Longer than a letter takes. If a worker dies with a claim, another worker takes over after this.
CLAIM_TIMEOUT = timedelta(minutes=5)
GIVE_UP_AFTER = timedelta(days=1)
# After a downtime of days, a letter still gets this number of attempts.
MIN_ATTEMPTS = 8
S = LetterState
OPEN = (S.WAITING, S.SENDING)
# Limit of rows for an attached sheet. For a longer report the letter links to the page.
MAX_SHEET_ROWS = 20_000
PDF_TYPE = "application/pdf"


class ClaimedElsewhere(RuntimeError):
    """Another process is sending the letter. The outbox delivers the message again."""


class NothingToSend(Exception):
    """This letter cannot be sent. The text is the reason."""


class SubscriptionEnds(NothingToSend):
    """No letter of the subscription can be sent until its owner changes something."""


@dataclass(frozen=True, slots=True)
class LetterContent:
    """The content of a letter. `rows` is the number of rows in the report. `period` holds the
    report's days as query parameters of its page.
    """

    files: list[MailFile]
    rows: int
    days: str
    is_too_long: bool
    period: dict[str, str]


def handle_report_letter(_key: str, payload: dict[str, Any]) -> None:
    """Mail one report letter and store its outcome. Outbox handler of LETTER_TOPIC.

    A letter that has ended or no longer exists is skipped. A letter with nothing to send becomes
    SKIPPED, and its subscription is paused if only its owner can repair it. Any other error leaves
    the letter WAITING and is raised again for a retry. The letter becomes FAILED when it has had
    MIN_ATTEMPTS attempts and its send is older than GIVE_UP_AFTER.

    Raises:
        ClaimedElsewhere: another worker holds the letter.
    """
    rows = ReportLetter.objects.filter(pk=payload["LetterId"])
    if not _claim_letter(rows):
        return
    related = (
        "send__subscription__owner__group",
        "send__subscription__view",
        "recipient__account",
        "recipient__subscription__owner",
    )
    letter = rows.select_related(*related).get()
    try:
        _deliver_letter(letter)
    except SubscriptionEnds as why:
        subscription_pause(letter.send.subscription, why=str(why))
        _save_letter_result(letter, S.SKIPPED, str(why))
    except NothingToSend as why:
        _save_letter_result(letter, S.SKIPPED, str(why))
    except Exception as error:
        log.exception("report_letter_failed", letter=letter.pk, attempts=letter.attempts)
        note = f"{type(error).__name__}: {error}"[:200]
        is_last = (
            letter.attempts >= MIN_ATTEMPTS
            and timezone.now() >= letter.send.created_at + GIVE_UP_AFTER
        )
        if is_last:
            _save_letter_result(letter, S.FAILED, note)
            return
        ReportLetter.objects.filter(pk=letter.pk).update(state=S.WAITING, note=note)
        raise
    else:
        _save_letter_result(letter, S.SENT, letter.note)


def _claim_letter(rows: Any) -> bool:
    """Claim the letter. Return False if it has ended or no longer exists.

    Raises:
        ClaimedElsewhere: another worker is sending it.
    """
    now = timezone.now()
    free = Q(state=S.WAITING) | Q(state=S.SENDING, claimed_at__lt=now - CLAIM_TIMEOUT)
    if rows.filter(free).update(state=S.SENDING, claimed_at=now, attempts=F("attempts") + 1):
        return True
    if rows.filter(state=S.SENDING).exists():
        raise ClaimedElsewhere
    return False


def _deliver_letter(letter: ReportLetter) -> None:
    subscription = letter.send.subscription
    view = get_view_of_subscription(subscription)
    reader, address = get_reader(letter, view)
    content = letter_write(letter=letter, view=view, reader=reader)
    letter.rows = content.rows
    letter.note = "行数过多，未附 Excel" if content.is_too_long else ""
    _send_mail(letter, view, content, address)


def get_view_of_subscription(subscription: ReportSubscription) -> SavedView:
    """Return the view, after a check of the owner's current rights.

    Raises:
        NothingToSend: the group is disabled. Its subscriptions continue when it is enabled again.
        SubscriptionEnds: the owner is disabled or has lost the report's menu code, or the view is
            deleted or no longer shared.
    """
    owner = subscription.owner
    if owner.group is None or not owner.group.is_active:
        raise NothingToSend("集团已停用")
    if not owner.is_active:
        raise SubscriptionEnds("订阅创建人的账号已停用")
    if subscription.view is None:
        raise SubscriptionEnds("视图已被其创建人删除")
    if not owner.has_menu_code(MENU_OF[subscription.view.report]):
        raise SubscriptionEnds("订阅创建人已没有该报表的权限")
    try:
        return get_view(actor=owner, pk=str(subscription.view_id))
    except ViewNotFound as missing:
        raise SubscriptionEnds("视图已取消共享") from missing


def get_reader(letter: ReportLetter, view: SavedView) -> tuple[Account, str]:
    """Return (account whose data scope applies, mail address). A colleague reads with the
    colleague's own scope, a plain address with the owner's.

    Raises:
        NothingToSend: the recipient is off the list, unsubscribed, disabled, without a mail address
            or without the report's menu code, or the address no longer has a mail domain of the
            group.
    """
    recipient: ReportRecipient | None = letter.recipient
    if recipient is None or not recipient.is_listed:
        raise NothingToSend("已移出名单")
    if recipient.unsubscribed_at is not None:
        raise NothingToSend("已退订")
    if recipient.account is None:
        return recipient.subscription.owner, _check_address(recipient.address)
    person = recipient.account
    if not person.is_active:
        raise NothingToSend("账号已停用")
    if not person.has_menu_code(MENU_OF[view.report]):
        raise NothingToSend("已没有该报表的权限")
    if not person.email:
        raise NothingToSend("账号没有登记邮箱")
    return person, person.email


def _check_address(address: str) -> str:
    if find_accounts_by_mail([address]).exists():
        raise NothingToSend("该邮箱已属于同事账号，请改为选择同事")
    if get_mail_domain(address) not in list_mail_domains():
        raise NothingToSend("不再是贵司的企业邮箱")
    return address


def letter_write(*, letter: ReportLetter, view: SavedView, reader: Account) -> LetterContent:
    """Return the files of a letter in the reader's data scope, as of the day on which the send
    was due.

    Raises:
        ValidationFailed: the days of the view make no valid period.
    """
    subscription = letter.send.subscription
    due_at = timezone.localtime(letter.send.due_at)
    question = build_view_question(view, as_of=due_at.date())
    sort = str(view.filters.get("Sort") or "")
    sheet = get_report_sheet(actor=reader, name=view.report, question=question, sort=sort)
    window = question.get_windows().window
    name = f"{view.name}_{window.since:%Y%m%d}-{window.until:%Y%m%d}"
    files = []
    is_too_long = subscription.has_xlsx and sheet.row_count > MAX_SHEET_ROWS
    if subscription.has_pdf:
        paper = write_report_pdf(
            actor=reader, name=view.report, question=question, sort=sort, title=view.name
        )
        files.append(MailFile(f"{name}.pdf", paper, PDF_TYPE))
    if subscription.has_xlsx and not is_too_long:
        file = io.BytesIO()
        sheet_write(sheet, file)
        files.append(MailFile(f"{name}.xlsx", file.getvalue(), XLSX_TYPE))
    since, until = window.since.isoformat(), window.until.isoformat()
    return LetterContent(
        files=files,
        rows=sheet.row_count,
        days=f"{since} 至 {until}",
        is_too_long=is_too_long,
        period={"Period": "custom", "From": since, "To": until},
    )


def _send_mail(letter: ReportLetter, view: SavedView, content: LetterContent, address: str) -> None:
    subscription, recipient = letter.send.subscription, letter.recipient
    if recipient is None:  # for the type checker: get_reader has already refused it
        raise NothingToSend
    send_address_mail(
        to=address,
        subject=f"{view.name}（{content.days}）",
        template="report",
        number=f"report-{letter.pk}",
        files=content.files,
        leave=unsubscribe_link(recipient),
        end=one_click_link(recipient),
        account=recipient.account,
        view=view,
        report=view.get_report_display(),
        owner=subscription.owner,
        content=content,
        often=Frequency(subscription.frequency).label,
        is_asked=letter.send.is_asked,
        page=(
            f"{settings.MALL_URL}{REPORT_PAGES[view.report]}"
            f"?{urlencode({**view.filters, **content.period}, doseq=True)}"
        ),
    )


def _save_letter_result(letter: ReportLetter, state: LetterState, note: str) -> None:
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
        send.state = _outcome_of_send(states)
        send.ended_at = timezone.now()
        send.save(update_fields=["state", "ended_at"])
        if S.FAILED in states:
            text = (
                f"应于 {timezone.localtime(send.due_at):%m-%d %H:%M} "
                "发送的邮件多次尝试后仍未送达，请在报表页的“订阅”中查看发送记录"
            )
            subscription = letter.send.subscription
            trouble_notify(
                subscription,
                title=f"报表订阅“{get_subscription_name(subscription)}”发送失败",
                text=text,
            )


def _outcome_of_send(states: set[str]) -> SendState:
    if S.FAILED in states:
        return SendState.PARTLY if S.SENT in states else SendState.FAILED
    return SendState.SENT if S.SENT in states else SendState.SKIPPED
