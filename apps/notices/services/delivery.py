"""Send one notice by mail or 企业微信: claim it, send it, save the state. A failed delivery is
retried with growing pauses and given up after three days.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import F, Q
from django.utils import timezone

from apps.identity.errors import WeChatWorkUnavailable
from apps.identity.selectors import list_members
from apps.identity.services.mail import account_mail
from apps.identity.wechat_work import wechat_work_provider
from apps.notices.enums import KINDS, Channel, DeliveryState, NoticeKind
from apps.notices.models import Notice, NoticeDelivery, NoticeDigest
from apps.notices.services.notice import link_issue
from apps.org.models import Account

# Longer than sending can take. After that, another worker may take over the claim.
CLAIM = timedelta(minutes=3)
# A mail server may be down for a weekend. The outbox retries after 5 s, 10 s, 20 s … at most an
# hour.
GIVE_UP_AFTER = timedelta(days=3)
# If the worker was down for days, the first attempt must not be the last.
MIN_TRIES = 8
S = DeliveryState


class ClaimedElsewhere(RuntimeError):
    """Another worker sends it now. The outbox retries the message."""


def delivery_claim(rows: Any) -> bool:
    """Claim the single row of a queryset of deliveries or digests. Return False if it has ended.

    Raises:
        ClaimedElsewhere: another worker holds the claim.
    """
    now = timezone.now()
    free = Q(state=S.WAITING) | Q(state=S.SENDING, claimed_at__lt=now - CLAIM)
    if rows.filter(free).update(state=S.SENDING, claimed_at=now, attempts=F("attempts") + 1):
        return True
    if rows.filter(state=S.SENDING).exists():
        raise ClaimedElsewhere
    return False


def delivery_record_failure(
    row: NoticeDelivery | NoticeDigest, error: Exception, *, since: datetime
) -> None:
    """Save the error and raise it again, so that the outbox retries. Three days after `since`
    the delivery ends as failed instead.
    """
    row.last_error = f"{type(error).__name__}: {error}"[:200]
    is_last = row.attempts >= MIN_TRIES and timezone.now() >= since + GIVE_UP_AFTER
    row.state = S.FAILED if is_last else S.WAITING
    row.save(update_fields=["state", "last_error"])
    if not is_last:
        raise error


def delivery_close(row: NoticeDelivery | NoticeDigest, state: DeliveryState) -> None:
    """Set the final state."""
    row.state, row.sent_at = state, timezone.now() if state == S.SENT else None
    row.save(update_fields=["state", "sent_at"])


def notice_deliver_handler(_key: str, payload: dict[str, Any]) -> None:
    """Handle DELIVER_TOPIC: send one delivery."""
    rows = NoticeDelivery.objects.filter(pk=payload["DeliveryId"])
    if not delivery_claim(rows):
        return
    delivery = rows.select_related("notice__recipient").get()
    try:
        is_sent = not is_obsolete(delivery.notice) and SENDERS[Channel(delivery.channel)](
            delivery.notice
        )
    except Exception as error:  # noqa: BLE001
        delivery_record_failure(delivery, error, since=delivery.notice.created_at)
    else:
        delivery_close(delivery, S.SENT if is_sent else S.SKIPPED)


def is_obsolete(notice: Notice) -> bool:
    """Return whether the notice asked for an act that is no longer needed: it was read, or the
    act was done.
    """
    return notice.read_at is not None and KINDS[NoticeKind(notice.kind)].needs_act


def _send_mail(notice: Notice) -> bool:
    """Send the notice to the recipient's address. Return False if the account is disabled or has
    no address.

    If the notice asks for an act, the mail contains a new one-time link. Otherwise it contains the
    address of the page.
    """
    account: Account = notice.recipient
    if not account.is_active or not account.email:
        return False
    needs_act = KINDS[NoticeKind(notice.kind)].needs_act
    link = link_issue(notice=notice) if needs_act and notice.link else build_page_url(notice)
    account_mail(
        account=account,
        subject=notice.title,
        template="notice",
        number=f"notice-{notice.pk}",
        notice=notice,
        link=link,
        needs_act=needs_act,
        settings_link=f"{settings.MALL_URL}{SETTINGS_PAGE}",
    )
    return True


def _send_wechat_work(notice: Notice) -> bool:
    """Send the notice to the recipient in 企业微信. Return False if the account is disabled or
    not linked, or if 企业微信 is not available.
    """
    account: Account = notice.recipient
    member = list_members(account_ids=[account.pk]).get(account.pk)
    if member is None or not account.is_active:
        return False
    try:
        provider = wechat_work_provider()
    except WeChatWorkUnavailable:
        return False
    provider.send(member=member, title=notice.title, text=notice.text, url=build_page_url(notice))
    return True


SENDERS: dict[Channel, Callable[[Notice], bool]] = {
    Channel.MAIL: _send_mail,
    Channel.WECHAT_WORK: _send_wechat_work,
}
SETTINGS_PAGE = "/userCenter/user/notice?View=settings"
INBOX_PAGE = "/userCenter/user/notice"


def build_page_url(notice: Notice) -> str:
    """Return the full URL of the notice's subject."""
    return f"{settings.MALL_URL}{notice.link or INBOX_PAGE}"
