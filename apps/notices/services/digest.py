"""The daily digest: one mail with all notices of an account that chose 每日汇总."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import run_for_each
from apps.common.tenancy import tenant_scope
from apps.identity.services.mail import account_mail
from apps.notices.enums import KINDS, DeliveryState, NoticeKind
from apps.notices.models import Notice, NoticeDelivery, NoticeDigest
from apps.notices.selectors import digest_time, list_unmailed_kinds
from apps.notices.services.delivery import (
    INBOX_PAGE,
    SETTINGS_PAGE,
    build_page_url,
    delivery_claim,
    delivery_close,
    delivery_record_failure,
)

DIGEST_TOPIC = "notice.digest"
# Further notices are only counted.
MAX_LISTED = 50


def notices_digest() -> int:
    """Start the digest for every account with due mails and return how many. Runs in the
    platform's scope.
    """
    now = timezone.now()
    due = NoticeDelivery.objects.filter(
        state=DeliveryState.WAITING, due_at__lte=now, digest__isnull=True
    )
    recipients = (
        due.order_by("group_id", "notice__recipient_id")
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
        due = NoticeDelivery.objects.filter(
            notice__recipient=recipient_id,
            state=DeliveryState.WAITING,
            due_at__lte=timezone.now(),
            digest__isnull=True,
        )
        NoticeDelivery.objects.filter(pk__in=list(due.values_list("pk", flat=True))).update(
            digest=digest
        )
        outbox_publish(topic=DIGEST_TOPIC, key=str(digest.pk), payload={"DigestId": digest.pk})
    return True


def notice_digest_handler(_key: str, payload: dict[str, Any]) -> None:
    """Handle DIGEST_TOPIC: send one mail and save the state of its deliveries."""
    rows = NoticeDigest.objects.filter(pk=payload["DigestId"])
    if not delivery_claim(rows):
        return
    digest = rows.select_related("recipient").get()
    _skip_obsolete(digest)
    try:
        is_sent = _send_mail(digest)
    except Exception as error:  # noqa: BLE001
        delivery_record_failure(digest, error, since=digest_time(digest.day))
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


def _send_mail(digest: NoticeDigest) -> bool:
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
    account_mail(
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
