"""One-time links in mails. A link leads its recipient, signed in, to the subject. It makes no
decision.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.identity.tokens import hash_of
from apps.notices.errors import NoticeLinkSpent, NoticeLinkUnknown
from apps.notices.models import Notice, NoticeLink
from apps.notices.services.notice_manage import notices_read
from apps.org.models import Account

LIFETIME = timedelta(hours=72)
PAGE = "/mailLink"


def link_issue(*, notice: Notice) -> str:
    """Create a link and return its URL. The key is behind the #, so that servers, proxies and
    logs do not see it.
    """
    key = secrets.token_urlsafe(32)
    NoticeLink.objects.create(
        notice=notice, key_hash=hash_of(key), expires_at=timezone.now() + LIFETIME
    )
    return f"{settings.MALL_URL}{PAGE}#key={key}"


@transaction.atomic
def link_follow(*, actor: Account, key: str) -> str:
    """Use the link, mark its notice as read, and return its path.

    Raises:
        NoticeLinkUnknown: there is no such link, or it belongs to another account.
        NoticeLinkSpent: it was used or has expired; the body contains the path of the subject.
    """
    link = (
        NoticeLink.objects.select_related("notice")
        .filter(key_hash=hash_of(key), notice__recipient=actor)
        .first()
    )
    if link is None:
        raise NoticeLinkUnknown
    now = timezone.now()
    # The conditional UPDATE makes the link one-time.
    if not NoticeLink.objects.filter(pk=link.pk, used_at__isnull=True, expires_at__gt=now).update(
        used_at=now
    ):
        raise NoticeLinkSpent(_spent_reason(link), body={"Link": link.notice.link})
    notices_read(actor=actor, ids=[link.notice_id])
    path: str = link.notice.link
    return path


def _spent_reason(link: NoticeLink) -> str:
    used = NoticeLink.objects.filter(pk=link.pk).values_list("used_at", flat=True).get()
    if used is not None:
        return f"该链接已于 {timezone.localtime(used):%m-%d %H:%M} 使用过，每个链接只能使用一次"
    return "该链接已超过 72 小时有效期"
