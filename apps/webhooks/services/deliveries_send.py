"""Send what is due: claim, post, write down. Who dies with a claim is followed by another; what was taken is never sent again by itself.

Several posts go out at once, so that one slow server holds nobody up for longer than its own time-out, and a webhook that fails
rests as a whole: only one of its deliveries tries until one gets through.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.common.background.outbox import outbox_publish
from apps.common.tenancy import platform_scope, tenant_scope
from apps.org.menus import MenuCode
from apps.org.selectors.entitled import entitled
from apps.webhooks.enums import MOST_TRIES, PAUSE_AFTER, PAUSES, TEST_EVENT, TRIES_KEPT, DeliveryState
from apps.webhooks.models import Webhook, WebhookDelivery
from apps.webhooks.outgoing import TOTAL_SECONDS, Outcome, post
from apps.webhooks.selectors.bodies import as_bytes, when
from apps.webhooks.signing import HEADER, signature_header

log = structlog.get_logger(__name__)
# Longer than a batch may take: look-up, connection and answer of each, all at once.
CLAIM = timedelta(seconds=60)
AT_ONCE, LOOKED_AT, PER_WEBHOOK = 16, 100, 4
WAIT_SECONDS = TOTAL_SECONDS + 4
PAUSED_TOPIC = "webhook.paused"
PAGE = "/userCenter/management/group"
S = DeliveryState


@dataclass(frozen=True, slots=True)
class Letter:
    """What is posted, read while the scope was open."""

    delivery_id: int
    group_id: int
    attempt: int
    url: str
    body: bytes
    headers: dict[str, str]


def webhooks_send() -> int:
    """Send what is due, a batch at a time while there is something; return how many were tried. Runs in the platform's scope."""
    tried, end = 0, time.monotonic() + WAIT_SECONDS
    while claimed := _claim():
        _post_all(claimed)
        tried += len(claimed)
        if time.monotonic() > end:
            break
    return tried


def webhook_send_handler(_key: str, _payload: dict[str, Any]) -> None:
    """The outbox's handler of SEND_TOPIC: something is due."""
    with platform_scope(reason="webhooks: send what is due"):
        webhooks_send()


def delivery_send_now(*, delivery: WebhookDelivery) -> None:
    """Send one that its owner waits for, outside of any transaction; nothing happens where another sends it already."""
    claimed = _claim(only=delivery.pk)
    _post_all(claimed)


def _claim(*, only: int | None = None) -> list[Letter]:
    """Take what is due for CLAIM; rows that others are taking are skipped, those of a disabled group wait until it is enabled."""
    now = timezone.now()
    due = WebhookDelivery.objects.filter(state__in=[S.WAITING, S.SENDING], due_at__lte=now, group__is_active=True)
    if only is None:
        due = due.filter(Q(webhook__rest_until__isnull=True) | Q(webhook__rest_until__lte=now), webhook__is_active=True)
    else:
        due = due.filter(pk=only)
    if not due.exists():  # the usual case takes no lock
        return []
    features = connection.features
    with transaction.atomic():
        locked = due.select_for_update(
            of=("self",) if features.has_select_for_update_of else (), skip_locked=features.has_select_for_update_skip_locked
        )
        rows = _dealt(locked.select_related("webhook").order_by("due_at", "pk")[:LOOKED_AT])
        keys = [row.pk for row in rows]
        WebhookDelivery.objects.filter(pk__in=keys).update(state=S.SENDING, attempts=F("attempts") + 1, due_at=now + CLAIM)
    return [_letter(row) for row in rows]


def _dealt(due: Any) -> list[WebhookDelivery]:
    """Return what goes into one batch: a few of each webhook, one of those that fail."""
    taken: dict[int, int] = {}
    rows: list[WebhookDelivery] = []
    for row in due:
        most = 1 if row.webhook.failures else PER_WEBHOOK
        if taken.get(row.webhook_id, 0) < most and len(rows) < AT_ONCE:
            taken[row.webhook_id] = taken.get(row.webhook_id, 0) + 1
            rows.append(row)
    return rows


def _letter(row: WebhookDelivery) -> Letter:
    webhook, now = row.webhook, timezone.now()
    body, at = as_bytes(row.payload), int(now.timestamp())
    seeds = [webhook.secret_seed]
    if webhook.old_seed and webhook.old_seed_until and webhook.old_seed_until > now:
        seeds.append(webhook.old_seed)
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "Mall-Webhook/1",
        "X-Mall-Event": row.event,
        "X-Mall-Event-Id": row.event_id,
        "X-Mall-Attempt": str(row.attempts + 1),
        HEADER: signature_header(seeds=seeds, timestamp=at, body=body),
    }
    return Letter(row.pk, row.group_id, row.attempts + 1, webhook.url, body, headers)


def _post_all(letters: Sequence[Letter]) -> None:
    """Post all at once and write down what became of each; who has not ended in time counts as silent."""
    if not letters:
        return
    pool = ThreadPoolExecutor(max_workers=len(letters), thread_name_prefix="webhook")
    sent: dict[Future[Outcome], Letter] = {pool.submit(post, letter.url, letter.body, letter.headers): letter for letter in letters}
    pool.shutdown(wait=False)
    done, late = wait(sent, timeout=WAIT_SECONDS)
    for future in [*done, *late]:
        outcome = future.result() if future in done else Outcome(error="对方服务器没有在限定时间内应答")
        _written(sent[future], outcome)


@transaction.atomic
def _written(letter: Letter, outcome: Outcome) -> None:
    """Write the outcome: webhook first, then the delivery; one that was claimed again, or deleted, is another's."""
    now = timezone.now()
    with tenant_scope(group_id=letter.group_id):
        found = WebhookDelivery.objects.filter(pk=letter.delivery_id).values_list("webhook_id", flat=True).first()
        webhook = Webhook.objects.select_for_update(no_key=True).filter(pk=found).first() if found else None
        row = WebhookDelivery.objects.select_for_update().filter(pk=letter.delivery_id, state=S.SENDING, attempts=letter.attempt).first()
        if webhook is None or row is None:
            return
        told = {"At": when(now), "StatusCode": outcome.status_code, "Error": outcome.error, "Milliseconds": outcome.milliseconds}
        row.tries = [*row.tries, told][-TRIES_KEPT:]
        row.status_code, row.answer, row.error = outcome.status_code, outcome.answer[:500], outcome.error[:200]
        if outcome.ok:
            row.state, row.ended_at = S.DELIVERED, now
            webhook.failures, webhook.rest_until, webhook.delivered_at = 0, None, now
        else:
            _failed(webhook, row, outcome)
        row.save(update_fields=["tries", "status_code", "answer", "error", "state", "tries_left", "due_at", "ended_at"])
        webhook.save(update_fields=["failures", "rest_until", "delivered_at", "is_active", "paused_reason", "updated_at"])
    log.info("webhook_sent", webhook=webhook.pk, event_id=row.event_id, attempt=letter.attempt, status=outcome.status_code, ok=outcome.ok)


def _failed(webhook: Webhook, row: WebhookDelivery, outcome: Outcome) -> None:
    """Let the delivery, and its webhook, rest the longer the oftener it failed; in the end give the one up and pause the other."""
    now = timezone.now()
    row.tries_left = max(row.tries_left - 1, 0)
    pause = PAUSES[min(MOST_TRIES - row.tries_left, len(PAUSES)) - 1]
    if row.tries_left:
        row.state, row.due_at = S.WAITING, now + pause
    else:
        row.state, row.ended_at = S.FAILED, now
    if row.event == TEST_EVENT:
        return
    webhook.failures += 1
    webhook.rest_until = now + PAUSES[min(webhook.failures, len(PAUSES)) - 1]
    if webhook.failures >= PAUSE_AFTER and webhook.is_active:
        webhook.is_active, webhook.paused_reason = False, f"连续 {webhook.failures} 次推送失败：{outcome.error}"[:200]
        _tell(webhook)


def _tell(webhook: Webhook) -> None:
    """Say to its owner that it is paused, or, where he has left, to all who may keep it."""
    is_here = webhook.owner.is_active
    to = [webhook.owner_id] if is_here else sorted(entitled(menu=MenuCode.MANAGEMENT_GROUP).values_list("pk", flat=True))
    payload = {
        "To": to,
        "Title": f"事件推送“{webhook.name}”已自动暂停",
        "Text": f"{webhook.paused_reason}。未送达的事件已保留，排除故障后请在集团管理中重新启用",
        "Link": PAGE,
        "SubjectKey": f"webhook:{webhook.pk}",
    }
    outbox_publish(topic=PAUSED_TOPIC, key=str(webhook.pk), payload=payload)
