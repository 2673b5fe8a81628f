"""AI 用量 in the back office: usage and tokens of answers with totals. Staff do not see
the texts of conversations.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Avg, Count, Q, Sum
from django.http import HttpRequest, HttpResponse
from unfold.contrib.filters.admin import RangeDateTimeFilter

from apps.assistant.enums import MessageStatus, Provider
from apps.assistant.models import AssistantUsage
from apps.office.lists import MAX_COUNTED, ReadOnlyAdmin

SUMS = {
    "answers": Count("pk"),
    "prompt": Sum("prompt_tokens", default=0),
    "completion": Sum("completion_tokens", default=0),
    "first": Avg("first_ms", default=0),
    "whole": Avg("total_ms", default=0),
    "fallbacks": Count("pk", filter=Q(provider=Provider.FALLBACK)),
    "failures": Count("pk", filter=Q(outcome=MessageStatus.FAILED)),
}


@admin.register(AssistantUsage)
class AssistantUsageAdmin(ReadOnlyAdmin):
    """Usage of the assistant with totals, read-only. The texts of conversations are not shown."""

    list_display = (
        "at",
        "account",
        "provider",
        "model",
        "prompt_tokens",
        "completion_tokens",
        "first_ms",
        "total_ms",
        "tools",
        "outcome",
    )
    list_filter = ("provider", "outcome", ("at", RangeDateTimeFilter))
    list_select_related = ("account",)
    search_fields = ("account__username", "account__nickname", "model")
    search_help_text = "按账号或模型搜索"
    ordering = ("-pk",)
    list_before_template = "admin/assistant/usage_sums.html"

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the rows, and totals over the newest filtered rows up to the limit of paging. Runs
        one more query.
        """
        response: HttpResponse = super().changelist_view(request, extra_context)
        page = getattr(response, "context_data", None) or {}
        if "cl" in page:
            sums = page["cl"].queryset.order_by("-pk")[:MAX_COUNTED].aggregate(**SUMS)
            # Formatted here, because Django groups digits by four in Chinese.
            page["sums"] = {name: f"{value or 0:,.0f}" for name, value in sums.items()}
        return response
