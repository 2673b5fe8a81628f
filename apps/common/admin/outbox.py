"""后台消息 in the back office: what waits, what failed and why, what was given up; the one act is to deliver again."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from unfold.decorators import action

from apps.common.admin.looking import LookingAdmin
from apps.common.errors import DomainError
from apps.common.keys import key_of
from apps.common.models import OutboxMessage
from apps.common.services.outbox_replay import outbox_replay

STATES = (("waiting", "待投递"), ("failing", "失败后重试中"), ("dead", "已放弃（待处理）"), ("delivered", "已投递"))


class StateFilter(admin.SimpleListFilter):
    """How a message stands."""

    title = "状态"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        return STATES

    def queryset(self, request: HttpRequest, queryset: QuerySet[OutboxMessage]) -> QuerySet[OutboxMessage]:
        wanted: dict[str | None, dict[str, Any]] = {
            "waiting": {"delivered_at__isnull": True, "dead_at__isnull": True, "last_error": ""},
            "failing": {"delivered_at__isnull": True, "dead_at__isnull": True, "last_error__gt": ""},
            "dead": {"dead_at__isnull": False},
            "delivered": {"delivered_at__isnull": False},
        }
        return queryset.filter(**wanted.get(self.value(), {}))


@admin.register(OutboxMessage)
class OutboxMessageAdmin(LookingAdmin):
    list_display = ("created_at", "topic", "key", "queue", "state", "attempts", "available_at", "last_error")
    list_filter = (StateFilter, "queue")
    search_fields = ("=key", "=topic")
    search_help_text = "按键或主题精确搜索"
    show_full_result_count = False
    ordering = ("-id",)
    exclude = ("payload",)
    readonly_fields = ("state", "content")
    actions_detail = ("replay",)

    def has_replay_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Whether the person may deliver again; the service knows the states."""
        return self._may(request, "replay")

    @action(description="重新投递", permissions=["replay"])  # type: ignore[untyped-decorator]
    def replay(self, request: HttpRequest, object_id: Any) -> HttpResponse:
        """Make it due and lead back."""
        try:
            outbox_replay(message_id=key_of(object_id))
        except DomainError as error:
            messages.error(request, error.text)
        else:
            messages.success(request, "已重新加入投递队列")
        return HttpResponseRedirect(reverse("admin:common_outboxmessage_change", args=[object_id]))

    @admin.display(description="状态")
    def state(self, message: OutboxMessage) -> str:
        """Return how it stands, in words."""
        if message.delivered_at:
            return "已投递"
        if message.dead_at:
            return "已放弃（待处理）"
        return "失败后重试中" if message.last_error else "待投递"

    @admin.display(description="内容")
    def content(self, message: OutboxMessage) -> str:
        """Return what it tells; no publisher puts a code or a key into it."""
        return json.dumps(message.payload, ensure_ascii=False, indent=2)
