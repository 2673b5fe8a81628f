"""Release a client that a rate limit blocks, after staff have decided that it is harmless."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.common.audit import act_log
from apps.common.background.outbox import outbox_publish
from apps.common.errors import BlockEnded
from apps.common.limits.counters import forget
from apps.common.models import RateBlock

TOPIC = "limit.released"


class RedisAway(RuntimeError):
    """Redis is down and may still hold the counter. The outbox retries."""


@transaction.atomic
def block_release(*, staff: Any, block_id: int, reason: str) -> RateBlock:
    """End the block and return it. The client's next call counts from one. The audit log
    records the staff member.

    Raises:
        WrongState: the block has expired, or another staff member has released it.
    """
    now = timezone.now()
    block = (
        RateBlock.objects.select_for_update(no_key=True)
        .filter(pk=block_id, until__gt=now, released_at__isnull=True)
        .first()
    )
    if block is None:
        raise BlockEnded
    block.released_at, block.released_by = now, staff
    block.save(update_fields=["released_at", "released_by"])
    act_log(
        subject=block, staff=staff, changes={"状态": ("限制中", "已解除"), "原因": ("", reason)}
    )
    if not forget(name=block.name):
        outbox_publish(topic=TOPIC, key=str(block.pk), payload={"BlockId": block.pk})
    return block


def block_released_handler(_key: str, payload: dict[str, Any]) -> None:
    """Outbox handler of TOPIC: delete the counter after Redis was down. A block that has begun
    since then remains.

    Raises:
        RedisAway: Redis is still down.
    """
    block = RateBlock.objects.filter(pk=payload["BlockId"], released_at__isnull=False).first()
    if block is not None and not forget(name=block.name):
        raise RedisAway
