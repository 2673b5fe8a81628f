"""Back office: webhooks and their deliveries. Staff can send a delivery again."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from apps.common.days import format_moment
from apps.common.numbers import parse_key
from apps.office.acts import Act, ActPageMixin
from apps.office.lists import ReadOnlyAdmin, build_value_filter
from apps.office.pages import action
from apps.webhooks.enums import EVENTS, TEST_EVENT
from apps.webhooks.models import Webhook, WebhookDelivery
from apps.webhooks.services.delivery import delivery_replay_by_staff


def _describe_attempt(attempt: dict[str, Any]) -> str:
    at = format_moment(datetime.fromisoformat(attempt["At"]), has_seconds=True)
    status, error = attempt["StatusCode"] or "无应答", attempt["Error"] or "已送达"
    return f"{at} · {status} · {attempt['Milliseconds']} ms · {error}"


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    list_display = (
        "group",
        "name",
        "url",
        "is_active",
        "failures",
        "paused_reason",
        "delivered_at",
    )
    list_filter = ("is_active",)
    list_select_related = ("group",)
    search_fields = ("group__name", "name", "url")
    search_help_text = "按集团、名称或地址搜索"
    exclude = ("secret_seed", "old_seed")


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ActPageMixin, ReadOnlyAdmin):
    """Deliveries of events to partners' URLs, read-only. The only action sends a delivery again."""

    list_display = (
        "created_at",
        "group",
        "webhook",
        "event",
        "subject",
        "state_text",
        "attempts",
        "status_code",
        "error",
    )
    list_filter = (
        "state",
        build_value_filter("event", "事件", [(name, name) for name in (*EVENTS, TEST_EVENT)]),
    )
    list_select_related = ("group", "webhook")
    search_fields = ("event_id", "subject")
    search_help_text = "按事件编号或单号搜索"
    exclude = ("state", "payload", "tries")
    readonly_fields = ("state_text", "body", "course")
    actions_detail = ("replay",)

    def has_replay_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Return whether the member of staff may send again. The service checks the state."""
        return self._may(request, "replay")

    @action(description="重放", url_path="replay", icon="replay", permissions=["replay"])
    def replay(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for confirmation, then send the delivery again."""
        row: WebhookDelivery = get_object_or_404(
            WebhookDelivery.objects.select_related("group", "webhook"), pk=parse_key(object_id)
        )

        def service(_filled: dict[str, Any]) -> None:
            delivery_replay_by_staff(staff=request.user, delivery_id=row.pk)

        facts: list[tuple[str, object]] = [
            ("集团", row.group),
            ("推送地址", row.webhook.url),
            ("事件", f"{row.event} · {row.subject}"),
            ("状态", row.state_text),
            ("最近错误", row.error or "—"),
        ]
        page = reverse("admin:webhooks_webhookdelivery_change", args=[row.pk])
        notice = "以同一事件编号再次推送给对方，对方可据此识别重复。"
        return self.show_act_page(
            request,
            Act("重放", row.event_id, page, forms.Form(request.POST or None), facts, notice),
            service,
        )

    @admin.display(description="状态", ordering="state")
    def state_text(self, delivery: WebhookDelivery) -> str:
        return delivery.state_text

    @admin.display(description="推送内容")
    def body(self, delivery: WebhookDelivery) -> str:
        return json.dumps(delivery.payload, ensure_ascii=False, indent=2)

    @admin.display(description="推送经过")
    def course(self, delivery: WebhookDelivery) -> str:
        return "\n".join(_describe_attempt(attempt) for attempt in delivery.tries)
