"""事件推送 in the back office: where it goes, what waits, what failed and why; the one act is to send again."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from unfold.decorators import action

from apps.common.admin.acting import Act, ActingMixin
from apps.common.admin.listing import told_values
from apps.common.admin.looking import LookingAdmin
from apps.common.days import moment_text
from apps.common.keys import key_of
from apps.webhooks.enums import EVENTS, TEST_EVENT
from apps.webhooks.models import Webhook, WebhookDelivery
from apps.webhooks.services.delivery_replay import delivery_replay_by_staff


def _at(kept: str) -> str:
    """Return a moment of a try by the clock of here."""
    return moment_text(datetime.fromisoformat(kept), has_seconds=True)


@admin.register(Webhook)
class WebhookAdmin(LookingAdmin):
    list_display = ("group", "name", "url", "is_active", "failures", "paused_reason", "delivered_at")
    list_filter = ("is_active",)
    list_select_related = ("group",)
    search_fields = ("group__name", "name", "url")
    search_help_text = "按集团、名称或地址搜索"
    exclude = ("secret_seed", "old_seed")


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ActingMixin, LookingAdmin):
    list_display = ("created_at", "group", "webhook", "event", "subject", "standing", "attempts", "status_code", "error")
    list_filter = ("state", told_values("event", "事件", [(name, name) for name in (*EVENTS, TEST_EVENT)]))
    list_select_related = ("group", "webhook")
    search_fields = ("event_id", "subject")
    search_help_text = "按事件编号或单号搜索"
    exclude = ("state", "payload", "tries")
    readonly_fields = ("standing", "body", "course")
    actions_detail = ("replay",)

    def has_replay_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Whether the person may send again; the service knows the states."""
        return self._may(request, "replay")

    @action(description="重放", url_path="replay", icon="replay", permissions=["replay"])  # type: ignore[untyped-decorator]
    def replay(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask, then send it once more."""
        row: WebhookDelivery = get_object_or_404(WebhookDelivery.objects.select_related("group", "webhook"), pk=key_of(object_id))

        def service(_filled: dict[str, Any]) -> None:
            delivery_replay_by_staff(staff=request.user, delivery_id=row.pk)

        facts: list[tuple[str, object]] = [
            ("集团", row.group),
            ("推送地址", row.webhook.url),
            ("事件", f"{row.event} · {row.subject}"),
            ("状态", row.standing),
            ("最近错误", row.error or "—"),
        ]
        page = reverse("admin:webhooks_webhookdelivery_change", args=[row.pk])
        notice = "以同一事件编号再次推送给对方，对方可据此识别重复。"
        return self.act_page(request, Act("重放", row.event_id, page, forms.Form(request.POST or None), facts, notice), service)

    @admin.display(description="状态", ordering="state")
    def standing(self, delivery: WebhookDelivery) -> str:
        return delivery.standing

    @admin.display(description="推送内容")
    def body(self, delivery: WebhookDelivery) -> str:
        return json.dumps(delivery.payload, ensure_ascii=False, indent=2)

    @admin.display(description="推送经过")
    def course(self, delivery: WebhookDelivery) -> str:
        rows = [
            f"{_at(one['At'])} · {one['StatusCode'] or '无应答'} · {one['Milliseconds']} ms · {one['Error'] or '已送达'}"
            for one in delivery.tries
        ]
        return "\n".join(rows)
