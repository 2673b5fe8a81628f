"""Tell people something: one notice each, once, and on its way out of the page as each has chosen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from django.db import transaction
from django.utils import timezone

from apps.common.background.outbox import outbox_publish_all
from apps.common.tenancy import tenant_scope
from apps.notices.enums import Channel, MailMode, NoticeKind
from apps.notices.models import Notice, NoticeDelivery
from apps.notices.models.notice import LONGEST_TEXT, LONGEST_TITLE
from apps.notices.selectors.ways import Ways, ways_of
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.entitled import holders_among

DELIVER_TOPIC = "notice.deliver"


@dataclass(frozen=True, slots=True)
class Told:
    """What is told to whom. `once` names it for ever: whoever has heard of it is not told again; `link` is a path of this site."""

    kind: NoticeKind
    to: Iterable[int]
    title: str
    once: str
    text: str = ""
    link: str = ""
    subject_key: str = ""
    # Where it leads a reader who may not open approvals.
    own_link: str = ""


def notices_tell(told: Told) -> list[Notice]:
    """Return the new notices: one for each enabled person of the open scope who has not had it, in one transaction per group."""
    wanted = sorted(set(told.to))
    people = Account.objects.filter(pk__in=wanted, is_active=True, is_staff=False).order_by("group_id", "pk")
    made: list[Notice] = []
    for group_id, readers in groupby(people, key=lambda account: account.group_id):
        if group_id is not None:
            made += _tell(told, group_id, list(readers))
    return made


def _tell(told: Told, group_id: int, readers: list[Account]) -> list[Notice]:
    with tenant_scope(group_id=group_id), transaction.atomic():
        had = set(Notice.objects.filter(recipient__in=readers, once=told.once).values_list("recipient_id", flat=True))
        fresh = [account for account in readers if account.pk not in had]
        ways = ways_of(accounts=fresh, kind=told.kind)
        reached = [account for account in fresh if ways[account.pk].any]
        links = _links(told, reached)
        rows = [_notice(told, account, ways[account.pk], links[account.pk]) for account in reached]
        # Another process may be delivering the same message: whose row is there first has told it.
        Notice.objects.bulk_create(rows, ignore_conflicts=True)
        stored = Notice.objects.filter(recipient__in=[row.recipient_id for row in rows], once=told.once)
        _send(list(stored), ways)
    return list(stored)


def _links(told: Told, readers: list[Account]) -> dict[int, str]:
    """Return where it leads each of them."""
    if not told.own_link:
        return {account.pk: told.link for account in readers}
    approvers = holders_among(readers, menu=MenuCode.ORDER_APPROVAL)
    return {account.pk: told.link if account.pk in approvers else told.own_link for account in readers}


def _notice(told: Told, account: Account, ways: Ways, link: str) -> Notice:
    return Notice(
        recipient=account,
        kind=told.kind,
        title=" ".join(told.title.split())[:LONGEST_TITLE],
        text=told.text[:LONGEST_TEXT],
        link=link,
        subject_key=told.subject_key,
        once=told.once,
        is_on_page=ways.page,
        created_at=timezone.now(),
    )


def _send(notices: list[Notice], ways: dict[int, Ways]) -> None:
    """Write the deliveries and publish those that go at once; what another process has written already it has published too."""
    rows = []
    for notice in notices:
        way = ways[notice.recipient_id]
        if way.mail != MailMode.OFF:
            rows.append(NoticeDelivery(notice=notice, channel=Channel.MAIL, due_at=way.digest_at))
        if way.wechat_work:
            rows.append(NoticeDelivery(notice=notice, channel=Channel.WECHAT_WORK))
    NoticeDelivery.objects.bulk_create(rows, ignore_conflicts=True)
    at_once = NoticeDelivery.objects.filter(notice__in=notices, due_at__isnull=True).order_by("pk").values_list("pk", flat=True)
    outbox_publish_all(topic=DELIVER_TOPIC, messages=[(str(pk), {"DeliveryId": pk}) for pk in at_once])
