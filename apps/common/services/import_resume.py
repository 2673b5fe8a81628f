"""Continue imports in the background: those that outlast their request, and those whose process
died. A periodic job finds the latter, and an outbox handler continues both.

The bulk queue has one worker on a single machine. So a long import lets the other work of the
queue go first every SLICE_SECONDS: a customer's own sheet or archive waits for seconds, not until
50,000 prices of the staff are written.
"""

from __future__ import annotations

import time
import uuid
from datetime import timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from apps.common.background.delivery import count_messages_before, list_waiting_messages
from apps.common.background.outbox import outbox_publish
from apps.common.background.queues import Queue
from apps.common.models.import_run import OPEN, ImportRun, ImportState
from apps.common.services.import_run import (
    CONTINUE_TOPIC,
    SLICE_SECONDS,
    import_run_continue,
    import_run_hold_in_background,
)
from apps.common.tenancy import platform_scope, tenant_scope

# A run that is still staged after this time has lost its process. Nothing of it was written.
STAGED_FOR = timedelta(hours=1)
# A proposal expires after 7 days. Later nobody can release its sheet.
MAX_TIME_HELD = timedelta(days=8)
RETENTION = timedelta(days=30)


def imports_resume() -> int:
    """Periodic job: request the continuation of each open run without a worker, and delete old
    runs. Return the number of requests.
    """
    now = timezone.now()
    stopped = ImportRun.objects.filter(
        Q(holder="") | Q(held_until__lt=now), state__in=OPEN
    ).order_by("pk")
    # A run that has let other work go first waits in the queue already.
    waiting_keys = set(
        list_waiting_messages(Queue.BULK).filter(topic=CONTINUE_TOPIC).values_list("key", flat=True)
    )
    keys = [pk for pk in stopped.values_list("pk", flat=True) if str(pk) not in waiting_keys]
    for key in keys:
        outbox_publish(topic=CONTINUE_TOPIC, key=str(key))
    abandoned = (
        Q(state=ImportState.STAGED, made_at__lt=now - STAGED_FOR)
        | Q(state=ImportState.HELD, made_at__lt=now - MAX_TIME_HELD)
        | Q(ended_at__lt=now - RETENTION)
    )
    for run in ImportRun.objects.filter(abandoned).order_by("pk")[:100]:
        run.delete()
    return len(keys)


def import_resume_handler(key: str, _payload: dict[str, Any]) -> None:
    """Outbox handler of CONTINUE_TOPIC: continue the run, unless another process works on it.
    Every SLICE_SECONDS the other work of the queue goes first; the run then gets a new message.
    """
    run, holder = ImportRun.objects.get(pk=int(key)), uuid.uuid4().hex
    scope = (
        platform_scope(reason="import.resume")
        if run.group_id is None
        else tenant_scope(group_id=run.group_id)
    )
    with scope:
        if import_run_hold_in_background(run_id=run.pk, holder=holder):
            import_run_continue(
                run_id=run.pk,
                holder=holder,
                until=time.monotonic() + SLICE_SECONDS,
                is_other_work_waiting=lambda: _is_other_work_waiting(run),
            )


def _is_other_work_waiting(run: ImportRun) -> bool:
    """Return whether the bulk queue has a due message that is not of this run."""
    own_messages = Q(topic=CONTINUE_TOPIC, key=str(run.pk))
    return list_waiting_messages(Queue.BULK).exclude(own_messages).exists()


def count_work_before(run: ImportRun) -> int:
    """Return the number of messages of the bulk queue that come before the run's, including one
    that is being processed. 0 if the run does not wait.
    """
    if run.state not in OPEN or run.holder:
        return 0
    message = (
        list_waiting_messages(Queue.BULK).filter(topic=CONTINUE_TOPIC, key=str(run.pk)).first()
    )
    return count_messages_before(message) if message else 0
