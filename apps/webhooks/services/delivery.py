"""Send due deliveries: claim them, post them, save the outcome; replay and purge them.

If a worker dies while it holds a claim, another worker takes over after the claim expires. A
delivery that was accepted is not sent again, except by a replay.

Posts run in parallel, so that a slow server delays others at most by its timeout. A failing webhook
rests as a whole: one of its deliveries is tried at a time until one succeeds.
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

from apps.common.audit import act_log
from apps.common.background.outbox import outbox_publish
from apps.common.tenancy import platform_scope, tenant_scope
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.org.selectors.roles import list_entitled_accounts
from apps.webhooks.enums import (
    KEEP_DAYS,
    MAX_TRIES,
    PAUSE_AFTER,
    PAUSES,
    TEST_EVENT,
    TRIES_KEPT,
    DeliveryState,
)
from apps.webhooks.errors import DeliveryNotEnded, GroupDisabled, WebhookDisabled
from apps.webhooks.models import Webhook, WebhookDelivery
from apps.webhooks.outgoing import HEADER, TOTAL_SECONDS, Outcome, build_signature_header, post
from apps.webhooks.selectors import as_bytes, format_time, get_delivery
from apps.webhooks.services.events import SEND_TOPIC

log = structlog.get_logger(__name__)
# Longer than the resolution, connection and response of one batch can take.
CLAIM = timedelta(seconds=60)
MAX_PARALLEL, LOOKED_AT, PER_WEBHOOK = 16, 100, 4
WAIT_SECONDS = TOTAL_SECONDS + 4
PAUSED_TOPIC = "webhook.paused"
PAGE = "/userCenter/management/group"
S = DeliveryState


@dataclass(frozen=True, slots=True)
class OutgoingPost:
    """The data of one post, read while the tenant scope was open."""

    delivery_id: int
    group_id: int
    attempt: int
    url: str
    body: bytes
    headers: dict[str, str]


def webhooks_send() -> int:
    """Send due deliveries in batches and return how many were tried. The caller must open the
    platform scope.
    """
    count, end = 0, time.monotonic() + WAIT_SECONDS
    while claimed := _claim_deliveries():
        _post_all(claimed)
        count += len(claimed)
        if time.monotonic() > end:
            break
    return count


def handle_webhook_send(_key: str, _payload: dict[str, Any]) -> None:
    """Handle SEND_TOPIC: send the deliveries that are due."""
    with platform_scope(reason="webhooks: send what is due"):
        webhooks_send()


def delivery_send_now(*, delivery: WebhookDelivery) -> None:
    """Send one delivery while its owner waits, outside any transaction. Does nothing if another
    worker has claimed it.
    """
    claimed = _claim_deliveries(only=delivery.pk)
    _post_all(claimed)


def _claim_deliveries(*, only: int | None = None) -> list[OutgoingPost]:
    """Claim due deliveries for the duration CLAIM. Rows that other workers lock are skipped.
    Deliveries of a disabled group wait until it is enabled.
    """
    now = timezone.now()
    due_deliveries = WebhookDelivery.objects.filter(
        state__in=[S.WAITING, S.SENDING], due_at__lte=now, group__is_active=True
    )
    if only is None:
        due_deliveries = due_deliveries.filter(
            Q(webhook__rest_until__isnull=True) | Q(webhook__rest_until__lte=now),
            webhook__is_active=True,
        )
    else:
        due_deliveries = due_deliveries.filter(pk=only)
    if not due_deliveries.exists():  # Usually nothing is due; then no lock is needed.
        return []
    features = connection.features
    with transaction.atomic():
        locked_deliveries = due_deliveries.select_for_update(
            of=("self",) if features.has_select_for_update_of else (),
            skip_locked=features.has_select_for_update_skip_locked,
        )
        rows = _select_batch(
            locked_deliveries.select_related("webhook").order_by("due_at", "pk")[:LOOKED_AT]
        )
        keys = [row.pk for row in rows]
        WebhookDelivery.objects.filter(pk__in=keys).update(
            state=S.SENDING, attempts=F("attempts") + 1, due_at=now + CLAIM
        )
    return [_build_post(row) for row in rows]


def _select_batch(due_deliveries: Any) -> list[WebhookDelivery]:
    """Return one batch: a few deliveries of each webhook, one of a failing webhook."""
    count_by_webhook: dict[int, int] = {}
    rows: list[WebhookDelivery] = []
    for row in due_deliveries:
        most = 1 if row.webhook.failures else PER_WEBHOOK
        if count_by_webhook.get(row.webhook_id, 0) < most and len(rows) < MAX_PARALLEL:
            count_by_webhook[row.webhook_id] = count_by_webhook.get(row.webhook_id, 0) + 1
            rows.append(row)
    return rows


def _build_post(row: WebhookDelivery) -> OutgoingPost:
    """Return the request of a delivery, signed with the secret and, for a while, with the old one
    too.
    """
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
        HEADER: build_signature_header(seeds=seeds, timestamp=at, body=body),
    }
    return OutgoingPost(row.pk, row.group_id, row.attempts + 1, webhook.url, body, headers)


def _post_all(outgoing_posts: Sequence[OutgoingPost]) -> None:
    """Post in parallel and save each outcome. A post that has not ended in time counts as not
    answered.
    """
    if not outgoing_posts:
        return
    pool = ThreadPoolExecutor(max_workers=len(outgoing_posts), thread_name_prefix="webhook")
    posts: dict[Future[Outcome], OutgoingPost] = {
        pool.submit(post, outgoing.url, outgoing.body, outgoing.headers): outgoing
        for outgoing in outgoing_posts
    }
    pool.shutdown(wait=False)
    finished, late = wait(posts, timeout=WAIT_SECONDS)
    for future in [*finished, *late]:
        outcome = (
            future.result()
            if future in finished
            else Outcome(error="对方服务器没有在限定时间内应答")
        )
        _save_outcome(posts[future], outcome)


@transaction.atomic
def _save_outcome(outgoing: OutgoingPost, outcome: Outcome) -> None:
    """Save the outcome. Locks the webhook, then the delivery. Does nothing if the delivery was
    deleted or claimed again.
    """
    now = timezone.now()
    with tenant_scope(group_id=outgoing.group_id):
        webhook_id = (
            WebhookDelivery.objects.filter(pk=outgoing.delivery_id)
            .values_list("webhook_id", flat=True)
            .first()
        )
        webhook = (
            Webhook.objects.select_for_update(no_key=True).filter(pk=webhook_id).first()
            if webhook_id
            else None
        )
        row = (
            WebhookDelivery.objects.select_for_update()
            .filter(pk=outgoing.delivery_id, state=S.SENDING, attempts=outgoing.attempt)
            .first()
        )
        if webhook is None or row is None:
            return
        attempt = {
            "At": format_time(now),
            "StatusCode": outcome.status_code,
            "Error": outcome.error,
            "Milliseconds": outcome.milliseconds,
        }
        row.tries = [*row.tries, attempt][-TRIES_KEPT:]
        row.status_code, row.answer, row.error = (
            outcome.status_code,
            outcome.answer[:500],
            outcome.error[:200],
        )
        if outcome.ok:
            row.state, row.ended_at = S.DELIVERED, now
            webhook.failures, webhook.rest_until, webhook.delivered_at = 0, None, now
        else:
            _apply_failure(webhook, row, outcome)
        row.save(
            update_fields=[
                "tries",
                "status_code",
                "answer",
                "error",
                "state",
                "tries_left",
                "due_at",
                "ended_at",
            ]
        )
        webhook.save(
            update_fields=[
                "failures",
                "rest_until",
                "delivered_at",
                "is_active",
                "paused_reason",
                "updated_at",
            ]
        )
    log.info(
        "webhook_sent",
        webhook=webhook.pk,
        event_id=row.event_id,
        attempt=outgoing.attempt,
        status=outcome.status_code,
        ok=outcome.ok,
    )


def _apply_failure(webhook: Webhook, row: WebhookDelivery, outcome: Outcome) -> None:
    """Schedule the next attempt with a growing pause, or give the delivery up. Pause the
    webhook after PAUSE_AFTER failures in a row.
    """
    now = timezone.now()
    row.tries_left = max(row.tries_left - 1, 0)
    pause = PAUSES[min(MAX_TRIES - row.tries_left, len(PAUSES)) - 1]
    if row.tries_left:
        row.state, row.due_at = S.WAITING, now + pause
    else:
        row.state, row.ended_at = S.FAILED, now
    if row.event == TEST_EVENT:
        return
    webhook.failures += 1
    webhook.rest_until = now + PAUSES[min(webhook.failures, len(PAUSES)) - 1]
    if webhook.failures >= PAUSE_AFTER and webhook.is_active:
        webhook.is_active, webhook.paused_reason = (
            False,
            f"连续 {webhook.failures} 次推送失败：{outcome.error}"[:200],
        )
        _notify_paused(webhook)


def _notify_paused(webhook: Webhook) -> None:
    """Notify the owner that the webhook is paused; if the owner is disabled, everybody who may
    manage it.
    """
    is_here = webhook.owner.is_active
    to = (
        [webhook.owner_id]
        if is_here
        else sorted(
            list_entitled_accounts(menu=MenuCode.MANAGEMENT_GROUP).values_list("pk", flat=True)
        )
    )
    payload = {
        "To": to,
        "Title": f"事件推送“{webhook.name}”已自动暂停",
        "Text": f"{webhook.paused_reason}。未送达的事件已保留，排除故障后请在集团管理中重新启用",
        "Link": PAGE,
        "SubjectKey": f"webhook:{webhook.pk}",
    }
    outbox_publish(topic=PAUSED_TOPIC, key=str(webhook.pk), payload=payload)


ENDED = (DeliveryState.DELIVERED, DeliveryState.FAILED)


@transaction.atomic
def delivery_replay(*, actor: Account, pk: str, delivery_id: str) -> WebhookDelivery:
    """Make an ended delivery due again with all its attempts, under the same event id, and
    return it.

    Raises:
        WebhookNotFound, DeliveryNotFound, Forbidden: the actor cannot see it.
        WrongState: it has not ended, or the webhook or the group is disabled.
    """
    return _replay_delivery(get_delivery(actor=actor, pk=pk, delivery_id=delivery_id))


@transaction.atomic
def delivery_replay_by_staff(*, staff: Any, delivery_id: int) -> WebhookDelivery:
    """Replay for the back office, with an entry in the audit log. The caller must open the platform
    scope.

    Raises:
        WrongState: see delivery_replay.
    """
    delivery = WebhookDelivery.objects.get(pk=delivery_id)
    row = _replay_delivery(delivery)
    act_log(
        subject=row,
        staff=staff,
        changes={"状态": (delivery.get_state_display(), row.get_state_display())},
    )
    return row


def _replay_delivery(delivery: WebhookDelivery) -> WebhookDelivery:
    """Queue an ended delivery again, with all tries.

    Raises:
        GroupDisabled, WebhookDisabled: nothing is sent.
        DeliveryNotEnded: it still waits or is being sent.
    """
    if not delivery.group.is_active:
        raise GroupDisabled
    if not delivery.webhook.is_active:
        raise WebhookDisabled
    now = timezone.now()
    # If two people click at the same time, the second finds it waiting.
    ended_rows = WebhookDelivery.objects.filter(pk=delivery.pk, state__in=ENDED)
    fields = {
        "state": DeliveryState.WAITING,
        "due_at": now,
        "ended_at": None,
        "tries_left": MAX_TRIES,
        "replays": F("replays") + 1,
    }
    if not ended_rows.update(**fields):
        raise DeliveryNotEnded
    outbox_publish(topic=SEND_TOPIC, key=delivery.event_id)
    row: WebhookDelivery = WebhookDelivery.objects.select_related("webhook").get(pk=delivery.pk)
    return row


def deliveries_purge() -> int:
    """Delete deliveries older than 30 days and return how many. The caller must open the platform
    scope.
    """
    deleted: int = WebhookDelivery.objects.filter(
        created_at__lt=timezone.now() - timedelta(days=KEEP_DAYS)
    ).delete()[0]
    return deleted
