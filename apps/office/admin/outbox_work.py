"""Dead outbox messages on the first page of the back office."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse

from apps.common.models import OutboxMessage
from apps.common.task_words import topic_title
from apps.common.waiting import list_waiting
from apps.office.first_page import ROWS, Todo, WorkPart, work_card


def dead_messages_part(request: HttpRequest) -> WorkPart | None:
    """Return the card and list of dead messages; None without the permission to see them."""
    if not request.user.has_perm("common.view_outboxmessage"):
        return None
    dead = list_waiting(
        OutboxMessage.objects.filter(dead_at__isnull=False).order_by("-id"),
        since="dead_at",
        limit=ROWS,
    )
    rows = []
    for message in dead.rows:
        page = reverse("admin:common_outboxmessage_change", args=[message.pk])
        rows.append(
            Todo(
                topic_title(message.topic),
                page,
                message.key,
                message.last_error[:30],
                message.dead_at,
                "查看",
                page,
                is_late=True,
            )
        )
    link = reverse("admin:common_outboxmessage_changelist") + "?state=dead"
    card = work_card(
        title="投递失败",
        number=dead.number,
        icon="outbox",
        link=link,
        oldest=dead.oldest,
        is_late=dead.number > 0,
    )
    return WorkPart(card, {"title": "投递失败的消息", "rows": rows, "all": link})
