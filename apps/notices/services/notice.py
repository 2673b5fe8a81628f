"""Create notices with their deliveries, mark them as read, purge old ones, save the preferences of
an account, and issue and follow the one-time links of mails.

A link leads its recipient, signed in, to the subject. It makes no decision.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.common.background.outbox import outbox_publish_all
from apps.common.tenancy import tenant_scope
from apps.identity.tokens import hash_text
from apps.notices.enums import KINDS, Channel, MailMode, NoticeKind
from apps.notices.errors import (
    NoticeLinkSpent,
    NoticeLinkUnknown,
    PageNoticeFixed,
    PreferenceRepeated,
)
from apps.notices.models import (
    MAX_TEXT_CHARACTERS,
    MAX_TITLE_CHARACTERS,
    Notice,
    NoticeDelivery,
    NoticeDigest,
    NoticeLink,
    NoticePreference,
)
from apps.notices.selectors import Ways, get_ways, list_unread
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.roles import find_holder_ids

DELIVER_TOPIC = "notice.deliver"
NEEDS_ACT = [kind for kind, rule in KINDS.items() if rule.needs_act]
LINK_LIFETIME = timedelta(hours=72)
LINK_PAGE = "/mailLink"
KEEP_FOR = timedelta(days=365)
PURGE_BATCH = 2000


@dataclass(frozen=True, slots=True)
class NoticeMessage:
    """The content and the recipients of a notice. `once` identifies it forever, so that nobody
    gets it twice. `link` is a path of this site.
    """

    kind: NoticeKind
    to: Collection[int]
    title: str
    once: str
    text: str = ""
    link: str = ""
    subject_key: str = ""
    # The link for readers without the menu of approvals.
    own_link: str = ""


def notices_create(*messages: NoticeMessage) -> list[Notice]:
    """Create, for each message, one notice for each enabled recipient in the open scope that has
    not received it, and return the notices. One transaction per group. No query for no message.
    """
    recipient_ids = sorted({pk for message in messages for pk in message.to})
    if not recipient_ids:
        return []
    people = Account.objects.filter(pk__in=recipient_ids, is_active=True, is_staff=False).order_by(
        "group_id", "pk"
    )
    created: list[Notice] = []
    for group_id, readers in groupby(people, key=lambda account: account.group_id):
        if group_id is not None:
            created += _create_for_group(messages, group_id, {row.pk: row for row in readers})
    return created


def _create_for_group(
    messages: Sequence[NoticeMessage], group_id: int, readers: dict[int, Account]
) -> list[Notice]:
    """Create the notices for readers of one group and return the new ones. A reader who has a
    notice with the `once` of a message gets no second one.
    """
    message_by_once = {message.once: message for message in reversed(messages)}
    with tenant_scope(group_id=group_id), transaction.atomic():
        present = set(
            Notice.objects.filter(recipient__in=readers, once__in=message_by_once).values_list(
                "recipient_id", "once"
            )
        )
        new = [
            (message, readers[pk])
            for message in messages
            if message_by_once[message.once] is message
            for pk in sorted(set(message.to) & readers.keys())
            if (pk, message.once) not in present
        ]
        ways = get_ways(
            accounts={account for _, account in new}, kinds={message.kind for message, _ in new}
        )
        new = [(message, account) for message, account in new if ways[account.pk, message.kind].any]
        approvers = _find_approver_ids(new)
        rows = [
            _build_notice(
                message,
                account,
                ways[account.pk, message.kind],
                message.own_link
                if message.own_link and account.pk not in approvers
                else message.link,
            )
            for message, account in new
        ]
        # Another worker may handle the same message. The first row wins.
        Notice.objects.bulk_create(rows, ignore_conflicts=True)
        keys = {(row.recipient_id, row.once) for row in rows}
        notices = [
            notice
            for notice in Notice.objects.filter(
                recipient__in={pk for pk, _ in keys}, once__in={once for _, once in keys}
            )
            if (notice.recipient_id, notice.once) in keys
        ]
        _create_deliveries(notices, ways)
    return notices


def _find_approver_ids(new: Sequence[tuple[NoticeMessage, Account]]) -> set[int]:
    """Return the ids of the readers with the menu of approvals, of those to whom it matters."""
    readers = {account for message, account in new if message.own_link}
    return find_holder_ids(readers, menu=MenuCode.ORDER_APPROVAL) if readers else set()


def _build_notice(message: NoticeMessage, account: Account, ways: Ways, link: str) -> Notice:
    return Notice(
        recipient=account,
        kind=message.kind,
        title=" ".join(message.title.split())[:MAX_TITLE_CHARACTERS],
        text=message.text[:MAX_TEXT_CHARACTERS],
        link=link,
        subject_key=message.subject_key,
        once=message.once,
        is_on_page=ways.page,
        created_at=timezone.now(),
    )


def _create_deliveries(notices: list[Notice], ways: Mapping[tuple[int, NoticeKind], Ways]) -> None:
    """Create the missing deliveries, and publish every delivery that does not wait for a digest.

    If another worker has created the notices, its deliveries are published a second time; the
    handler sends a delivery once.
    """
    rows = []
    for notice in notices:
        way = ways[notice.recipient_id, NoticeKind(notice.kind)]
        if way.mail != MailMode.OFF:
            rows.append(NoticeDelivery(notice=notice, channel=Channel.MAIL, due_at=way.digest_at))
        if way.wechat_work:
            rows.append(NoticeDelivery(notice=notice, channel=Channel.WECHAT_WORK))
    NoticeDelivery.objects.bulk_create(rows, ignore_conflicts=True)
    at_once = (
        NoticeDelivery.objects.filter(notice__in=notices, due_at__isnull=True)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    outbox_publish_all(
        topic=DELIVER_TOPIC, messages=[(str(pk), {"DeliveryId": pk}) for pk in at_once]
    )


def notices_read(*, actor: Account, ids: list[int] | None) -> int:
    """Mark the actor's notices as read (None: all) and return how many were unread. Notices of
    other accounts are ignored.
    """
    condition = Q() if ids is None else Q(pk__in=ids)
    read_count: int = list_unread(actor=actor).filter(condition).update(read_at=timezone.now())
    return read_count


def subject_mark_done(
    *,
    subject_key: str,
    kinds: Collection[NoticeKind] = NEEDS_ACT,
    except_for: Collection[int] = (),
    until: datetime | None = None,
) -> int:
    """Mark the notices of a subject as read, because the act was done; return how many.
    Accounts in `except_for` keep theirs.

    `until` limits it to notices created by then.
    """
    open_notices = Notice.objects.filter(
        subject_key=subject_key, kind__in=kinds, read_at__isnull=True
    ).exclude(recipient__in=except_for)
    if until is not None:
        open_notices = open_notices.filter(created_at__lte=until)
    marked_count: int = open_notices.update(read_at=timezone.now())
    return marked_count


def notices_purge() -> int:
    """Delete notices older than a year in batches of 2,000, and old digests; return how many
    notices. The caller must open the platform scope.
    """
    before, deleted_count = timezone.now() - KEEP_FOR, 0
    while keys := list(
        Notice.objects.filter(created_at__lt=before)
        .order_by("created_at")
        .values_list("pk", flat=True)[:PURGE_BATCH]
    ):
        Notice.objects.filter(pk__in=keys).delete()
        deleted_count += len(keys)
    NoticeDigest.objects.filter(day__lt=timezone.localdate(before)).delete()
    return deleted_count


def link_issue(*, notice: Notice) -> str:
    """Create a link and return its URL. The key is behind the #, so that servers, proxies and
    logs do not see it.
    """
    key = secrets.token_urlsafe(32)
    NoticeLink.objects.create(
        notice=notice, key_hash=hash_text(key), expires_at=timezone.now() + LINK_LIFETIME
    )
    return f"{settings.MALL_URL}{LINK_PAGE}#key={key}"


@transaction.atomic
def link_follow(*, actor: Account, key: str) -> str:
    """Use the link, mark its notice as read, and return its path.

    Raises:
        NoticeLinkUnknown: there is no such link, or it belongs to another account.
        NoticeLinkSpent: it was used or has expired; the body contains the path of the subject.
    """
    link = (
        NoticeLink.objects.select_related("notice")
        .filter(key_hash=hash_text(key), notice__recipient=actor)
        .first()
    )
    if link is None:
        raise NoticeLinkUnknown
    now = timezone.now()
    # The conditional UPDATE makes the link one-time.
    if not NoticeLink.objects.filter(pk=link.pk, used_at__isnull=True, expires_at__gt=now).update(
        used_at=now
    ):
        raise NoticeLinkSpent(_describe_spent_link(link), body={"Link": link.notice.link})
    notices_read(actor=actor, ids=[link.notice_id])
    path: str = link.notice.link
    return path


def _describe_spent_link(link: NoticeLink) -> str:
    used_at = NoticeLink.objects.filter(pk=link.pk).values_list("used_at", flat=True).get()
    if used_at is not None:
        return f"该链接已于 {timezone.localtime(used_at):%m-%d %H:%M} 使用过，每个链接只能使用一次"
    return "该链接已超过 72 小时有效期"


@dataclass(frozen=True, slots=True)
class PreferenceChange:
    """The channels wanted for one kind."""

    kind: NoticeKind
    page: bool
    mail: MailMode
    wechat_work: bool


@transaction.atomic
def preferences_save(*, actor: Account, changes: Sequence[PreferenceChange]) -> None:
    """Save the changes. Other kinds stay as they are.

    Raises:
        ValidationFailed: a kind is given twice, or a fixed kind would be hidden from the page.
    """
    if len({row.kind for row in changes}) < len(changes):
        raise PreferenceRepeated
    hidden = [row.kind.label for row in changes if KINDS[row.kind].is_page_fixed and not row.page]
    if hidden:
        raise PageNoticeFixed(hidden[0])
    rows = [
        NoticePreference(
            account=actor, kind=row.kind, page=row.page, mail=row.mail, wechat_work=row.wechat_work
        )
        for row in changes
    ]
    NoticePreference.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["group", "account", "kind"],
        update_fields=["page", "mail", "wechat_work"],
    )
