"""The page 后台消息: waiting, failed and dead outbox messages. Its only action delivers again. Dead
messages also appear on the first page of the back office.
"""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import DropdownFilter

from apps.common.background.delivery import outbox_replay
from apps.common.background.queues import find_topics, get_topic_title, list_topics
from apps.common.models import OutboxMessage
from apps.common.numbers import parse_key
from apps.common.queries import list_waiting
from apps.office.acts import Act, ActPageMixin
from apps.office.cells import render_two_lines
from apps.office.first_page import ROWS, Todo, WorkPart, build_work_card
from apps.office.lists import ReadOnlyAdmin
from apps.office.pages import action

STATES = (
    ("waiting", "待投递"),
    ("failing", "失败后重试中"),
    ("dead", "已放弃（待处理）"),
    ("delivered", "已投递"),
)


class TopicFilter(DropdownFilter):
    """Filters by topic. The choices are the topics that the apps name, not those of the rows."""

    title = "主题"
    parameter_name = "topic"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return list(list_topics().items())

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[OutboxMessage]
    ) -> QuerySet[OutboxMessage]:
        return queryset.filter(topic=self.value()) if self.value() in list_topics() else queryset


class StateFilter(admin.SimpleListFilter):
    """Filters by the state of a message."""

    title = "状态"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return STATES

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[OutboxMessage]
    ) -> QuerySet[OutboxMessage]:
        """Return the messages in the chosen state; all without a choice."""
        conditions: dict[str | None, dict[str, Any]] = {
            "waiting": {"delivered_at__isnull": True, "dead_at__isnull": True, "last_error": ""},
            "failing": {
                "delivered_at__isnull": True,
                "dead_at__isnull": True,
                "last_error__gt": "",
            },
            "dead": {"dead_at__isnull": False},
            "delivered": {"delivered_at__isnull": False},
        }
        return queryset.filter(**conditions.get(self.value(), {}))


@admin.register(OutboxMessage)
class OutboxMessageAdmin(ActPageMixin, ReadOnlyAdmin):
    """Outbox messages, newest first, read-only. The only action delivers a message again."""

    list_display = (
        "created_at",
        "titled_topic",
        "key",
        "queue",
        "state",
        "attempts",
        "available_at",
        "last_error",
    )
    list_filter = (StateFilter, TopicFilter, "queue")
    list_filter_submit = True
    search_fields = ("=key", "=topic")
    search_help_text = "按主题的中文或原名、键搜索"
    show_full_result_count = False
    ordering = ("-id",)
    fields = (
        ("titled_topic", "state"),
        ("key", "group_id"),
        ("queue", "attempts"),
        ("created_at", "available_at"),
        ("delivered_at", "dead_at"),
        "last_error",
        "content",
    )
    readonly_fields = ("titled_topic", "state", "created_at", "content")
    actions_detail = ("replay",)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search topic titles for the text; without a match, search keys and topics. Return the
        rows and whether rows can repeat.
        """
        topics = find_topics(search_term.strip()) if search_term.strip() else []
        return (
            (queryset.filter(topic__in=topics), False)
            if topics
            else super().get_search_results(request, queryset, search_term)
        )

    @admin.display(description="主题", ordering="topic")
    def titled_topic(self, message: OutboxMessage) -> SafeString:
        """Return the topic's title above its name."""
        return render_two_lines(get_topic_title(message.topic), message.topic)

    def has_replay_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return whether the person may deliver again. The service checks the state."""
        return self._may(request, "replay")

    @action(description="重新投递", url_path="replay", icon="replay", permissions=["replay"])
    def replay(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for confirmation, then make the message due."""
        message = get_object_or_404(OutboxMessage, pk=parse_key(object_id))

        def service(_filled: dict[str, Any]) -> None:
            outbox_replay(staff=request.user, message_id=message.pk)

        facts: list[tuple[str, object]] = [
            ("状态", self.state(message)),
            ("已尝试", f"{message.attempts} 次"),
        ]
        facts.append(("最近错误", message.last_error or "—"))
        page = reverse("admin:common_outboxmessage_change", args=[message.pk])
        notice = "立即再次投递，并重新开始计算重试次数。请先确认失败的原因已经排除。"
        act = Act("重新投递", str(message), page, forms.Form(request.POST or None), facts, notice)
        return self.show_act_page(request, act, service)

    @admin.display(description="状态")
    def state(self, message: OutboxMessage) -> str:
        """Return the state in words."""
        if message.delivered_at:
            return "已投递"
        if message.dead_at:
            return "已放弃（待处理）"
        return "失败后重试中" if message.last_error else "待投递"

    @admin.display(description="内容")
    def content(self, message: OutboxMessage) -> str:
        """Return the payload. Publishers never put codes or keys into it."""
        return json.dumps(message.payload, ensure_ascii=False, indent=2)


def build_dead_messages_part(request: HttpRequest) -> WorkPart | None:
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
                get_topic_title(message.topic),
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
    card = build_work_card(
        title="投递失败",
        number=dead.number,
        icon="outbox",
        link=link,
        oldest=dead.oldest,
        is_late=dead.number > 0,
    )
    return WorkPart(card, {"title": "投递失败的消息", "rows": rows, "all": link})
