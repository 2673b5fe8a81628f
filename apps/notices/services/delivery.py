"""Send notices: one by mail or 企业微信, or all of a day in one mail (每日汇总). Each is claimed,
sent and saved with its state.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.tenancy import tenant_scope
from apps.identity.errors import WeChatWorkUnavailable
from apps.identity.selectors import list_members
from apps.identity.services.mail import send_account_mail
from apps.identity.wechat_work import get_wechat_work_provider
from apps.notices.enums import KINDS, Channel, DeliveryState, NoticeKind
from apps.notices.models import Notice, NoticeDelivery, NoticeDigest
from apps.notices.selectors import get_digest_time, list_unmailed_kinds
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


def handle_notice_delivery(_key: str, payload: dict[str, Any]) -> None:
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
    send_account_mail(
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
        provider = get_wechat_work_provider()
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


DIGEST_TOPIC = "notice.digest"
# Further notices are only counted.
MAX_LISTED = 50


def notices_send_digests() -> int:
    """Start the digest for every account with due mails and return how many. The caller must open
    the platform scope.
    """
    now = timezone.now()
    due_deliveries = NoticeDelivery.objects.filter(
        state=DeliveryState.WAITING, due_at__lte=now, digest__isnull=True
    )
    recipients = (
        due_deliveries.order_by("group_id", "notice__recipient_id")
        .values_list("notice__recipient_id", "group_id")
        .distinct()
    )
    day = timezone.localdate(now)
    return run_for_each([(recipient, group, day) for recipient, group in recipients], digest_begin)


def digest_begin(recipient_id: int, group_id: int, day: date) -> bool:
    """Create the digest of the day and publish it. Return False if another worker created it,
    or the digest of the day was already sent.
    """
    with tenant_scope(group_id=group_id), transaction.atomic():
        digest, is_new = NoticeDigest.objects.get_or_create(recipient_id=recipient_id, day=day)
        if not is_new:
            return False
        due_deliveries = NoticeDelivery.objects.filter(
            notice__recipient=recipient_id,
            state=DeliveryState.WAITING,
            due_at__lte=timezone.now(),
            digest__isnull=True,
        )
        NoticeDelivery.objects.filter(
            pk__in=list(due_deliveries.values_list("pk", flat=True))
        ).update(digest=digest)
        outbox_publish(topic=DIGEST_TOPIC, key=str(digest.pk), payload={"DigestId": digest.pk})
    return True


def handle_notice_digest(_key: str, payload: dict[str, Any]) -> None:
    """Handle DIGEST_TOPIC: send one mail and save the state of its deliveries."""
    rows = NoticeDigest.objects.filter(pk=payload["DigestId"])
    if not delivery_claim(rows):
        return
    digest = rows.select_related("recipient").get()
    _skip_obsolete(digest)
    try:
        is_sent = _send_digest_mail(digest)
    except Exception as error:  # noqa: BLE001
        delivery_record_failure(digest, error, since=get_digest_time(digest.day))
        _list_pending(digest).update(state=DeliveryState.FAILED, last_error=digest.last_error)
        return
    state = DeliveryState.SENT if is_sent else DeliveryState.SKIPPED
    with transaction.atomic():
        delivery_close(digest, state)
        _list_pending(digest).update(state=state, sent_at=digest.sent_at)


def _skip_obsolete(digest: NoticeDigest) -> None:
    """Skip notices that were read or switched off since."""
    is_obsolete = Q(notice__read_at__isnull=False) | Q(
        notice__kind__in=list_unmailed_kinds(digest.recipient)
    )
    obsolete_ids = _list_pending(digest).filter(is_obsolete).values_list("pk", flat=True)
    NoticeDelivery.objects.filter(pk__in=list(obsolete_ids)).update(state=DeliveryState.SKIPPED)


def _list_pending(digest: NoticeDigest) -> QuerySet[NoticeDelivery]:
    rows: QuerySet[NoticeDelivery] = NoticeDelivery.objects.filter(
        digest=digest, state=DeliveryState.WAITING
    )
    return rows


def _send_digest_mail(digest: NoticeDigest) -> bool:
    """Send the digest. Return False if it has no notices left or the account cannot receive it."""
    account = digest.recipient
    notices = list(
        Notice.objects.filter(deliveries__in=_list_pending(digest)).order_by("-created_at", "-pk")[
            : MAX_LISTED + 1
        ]
    )
    if not account.is_active or not account.email or not notices:
        return False
    total = _list_pending(digest).count()
    send_account_mail(
        account=account,
        subject=f"{digest.day:%m-%d} 消息汇总（{total} 条）",
        template="notice_digest",
        number=f"digest-{digest.pk}",
        rows=_group_by_section(notices[:MAX_LISTED]),
        total=total,
        more=max(total - MAX_LISTED, 0),
        inbox=f"{settings.MALL_URL}{INBOX_PAGE}",
        settings_link=f"{settings.MALL_URL}{SETTINGS_PAGE}",
    )
    return True


def _group_by_section(notices: list[Notice]) -> list[dict[str, Any]]:
    """Return the notices grouped by section, in the order of the sections."""
    rows_by_section: dict[str, list[dict[str, Any]]] = {}
    for kind in KINDS:
        for notice in notices:
            if notice.kind == kind:
                section = str(KINDS[NoticeKind(notice.kind)].section.label)
                rows_by_section.setdefault(section, []).append(
                    {"notice": notice, "link": build_page_url(notice)}
                )
    return [{"section": section, "rows": rows} for section, rows in rows_by_section.items()]
