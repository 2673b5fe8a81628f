"""The one-time link of a letter: it leads its addressee, signed in, to what waits for him. It decides nothing."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.identity.tokens import hash_of
from apps.notices.errors import NoticeLinkSpent, NoticeLinkUnknown
from apps.notices.models import Notice, NoticeLink
from apps.notices.services.notice_read import notices_read
from apps.org.models import Account

LIFETIME = timedelta(hours=72)
PAGE = "/mailLink"


def link_issue(*, notice: Notice) -> str:
    """Return the whole address of a new link to the notice; the key stands behind the #: no server, proxy or log sees it."""
    key = secrets.token_urlsafe(32)
    NoticeLink.objects.create(notice=notice, key_hash=hash_of(key), expires_at=timezone.now() + LIFETIME)
    return f"{settings.MALL_URL}{PAGE}#key={key}"


@transaction.atomic
def link_follow(*, actor: Account, key: str) -> str:
    """Return the path the link leads to; it is spent by this, and its notice read.

    Raises:
        NoticeLinkUnknown: there is none, or it was sent to somebody else.
        NoticeLinkSpent: it was used, or has run out; the body says where its owner finds the matter.
    """
    link = NoticeLink.objects.select_related("notice").filter(key_hash=hash_of(key), notice__recipient=actor).first()
    if link is None:
        raise NoticeLinkUnknown
    now = timezone.now()
    # The conditional UPDATE is what makes it one-time.
    if not NoticeLink.objects.filter(pk=link.pk, used_at__isnull=True, expires_at__gt=now).update(used_at=now):
        raise NoticeLinkSpent(_why(link), body={"Link": link.notice.link})
    notices_read(actor=actor, ids=[link.notice_id])
    path: str = link.notice.link
    return path


def _why(link: NoticeLink) -> str:
    used = NoticeLink.objects.filter(pk=link.pk).values_list("used_at", flat=True).get()
    if used is not None:
        return f"该链接已于 {timezone.localtime(used):%m-%d %H:%M} 使用过，每个链接只能使用一次"
    return "该链接已超过 72 小时有效期"
