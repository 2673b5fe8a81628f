"""The day's letter: what a person wants told together, once a day, however many runners there are."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.background.periodic import done_for_each
from apps.common.tenancy import tenant_scope
from apps.identity.services.mail import account_mail
from apps.notices.enums import KINDS, DeliveryState, NoticeKind
from apps.notices.models import Notice, NoticeDelivery, NoticeDigest
from apps.notices.selectors.ways import digest_time, unmailed_kinds
from apps.notices.services.delivery_send import INBOX_PAGE, SETTINGS_PAGE, claim, ended, failed, page_of

DIGEST_TOPIC = "notice.digest"
# More than this are counted, not listed.
MOST_LISTED = 50


def notices_digest() -> int:
    """Begin the letter of the day for everybody who has something due; return how many. Runs in the platform's scope."""
    now = timezone.now()
    due = NoticeDelivery.objects.filter(state=DeliveryState.WAITING, due_at__lte=now, digest__isnull=True)
    people = due.order_by("group_id", "notice__recipient_id").values_list("notice__recipient_id", "group_id").distinct()
    day = timezone.localdate(now)
    return done_for_each([(recipient, group, day) for recipient, group in people], digest_begin)


def digest_begin(recipient_id: int, group_id: int, day: date) -> bool:
    """Put what is due into the day's letter and publish it; False where another runner has, or the day's letter has gone."""
    with tenant_scope(group_id=group_id), transaction.atomic():
        digest, is_new = NoticeDigest.objects.get_or_create(recipient_id=recipient_id, day=day)
        if not is_new:
            return False
        due = NoticeDelivery.objects.filter(
            notice__recipient=recipient_id, state=DeliveryState.WAITING, due_at__lte=timezone.now(), digest__isnull=True
        )
        NoticeDelivery.objects.filter(pk__in=list(due.values_list("pk", flat=True))).update(digest=digest)
        outbox_publish(topic=DIGEST_TOPIC, key=str(digest.pk), payload={"DigestId": digest.pk})
    return True


def notice_digest_handler(_key: str, payload: dict[str, Any]) -> None:
    """The outbox's handler of DIGEST_TOPIC: one letter of what he still wants told, then all of it is marked."""
    rows = NoticeDigest.objects.filter(pk=payload["DigestId"])
    if not claim(rows):
        return
    digest = rows.select_related("recipient").get()
    _leave_out(digest)
    try:
        is_sent = _mail(digest)
    except Exception as error:  # noqa: BLE001 - written down, and raised again
        failed(digest, error, since=digest_time(digest.day))
        _told_of(digest).update(state=DeliveryState.FAILED, last_error=digest.last_error)
        return
    state = DeliveryState.SENT if is_sent else DeliveryState.SKIPPED
    with transaction.atomic():
        ended(digest, state)
        _told_of(digest).update(state=state, sent_at=digest.sent_at)


def _leave_out(digest: NoticeDigest) -> None:
    """Skip what he has read since it was told, and what he has switched off since."""
    known = Q(notice__read_at__isnull=False) | Q(notice__kind__in=unmailed_kinds(digest.recipient))
    over = _told_of(digest).filter(known).values_list("pk", flat=True)
    NoticeDelivery.objects.filter(pk__in=list(over)).update(state=DeliveryState.SKIPPED)


def _told_of(digest: NoticeDigest) -> QuerySet[NoticeDelivery]:
    rows: QuerySet[NoticeDelivery] = NoticeDelivery.objects.filter(digest=digest, state=DeliveryState.WAITING)
    return rows


def _mail(digest: NoticeDigest) -> bool:
    account = digest.recipient
    notices = list(Notice.objects.filter(deliveries__in=_told_of(digest)).order_by("-created_at", "-pk")[: MOST_LISTED + 1])
    if not account.is_active or not account.email or not notices:
        return False
    total = _told_of(digest).count()
    account_mail(
        account=account,
        subject=f"{digest.day:%m-%d} 消息汇总（{total} 条）",
        template="notice_digest",
        number=f"digest-{digest.pk}",
        rows=_rows(notices[:MOST_LISTED]),
        total=total,
        more=max(total - MOST_LISTED, 0),
        inbox=f"{settings.MALL_URL}{INBOX_PAGE}",
        settings_link=f"{settings.MALL_URL}{SETTINGS_PAGE}",
    )
    return True


def _rows(notices: list[Notice]) -> list[dict[str, Any]]:
    """The notices by section, in the order of the sections."""
    found: dict[str, list[dict[str, Any]]] = {}
    for kind in KINDS:
        for notice in notices:
            if notice.kind == kind:
                section = str(KINDS[NoticeKind(notice.kind)].section.label)
                found.setdefault(section, []).append({"notice": notice, "link": page_of(notice)})
    return [{"section": section, "rows": rows} for section, rows in found.items()]
