"""订阅发送 in the back office: subscription, period, result, number of attempts and error of each
send.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, IntegerField, Max, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from apps.office.cells import two_lines
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.reports.enums import LetterState
from apps.reports.models import ReportLetter, ReportSend
from apps.reports.services.subscriptions import subscription_name


def _of_letters(what: Any) -> Subquery:
    """Return an aggregate of a send's letters as a subquery. The unique index on (send,
    recipient) answers it for the rows of one page.
    """
    rows = (
        ReportLetter.objects.filter(send=OuterRef("pk"))
        .order_by()
        .values("send")
        .annotate(figure=what)
    )
    return Subquery(rows.values("figure"), output_field=IntegerField())


class LetterInline(ReadOnlyInline):
    model = ReportLetter
    fields = readonly_fields = ("to", "state", "attempts", "claimed_at", "sent_at", "rows", "note")
    verbose_name_plural = "邮件"


@admin.register(ReportSend)
class ReportSendAdmin(ReadOnlyAdmin):
    list_display = (
        "due_at",
        "name",
        "whose",
        "often",
        "state",
        "letters",
        "attempts",
        "ended_at",
        "error",
    )
    list_filter = (
        "state",
        "is_asked",
        "subscription__frequency",
        ("group", AutocompleteSelectFilter),
    )
    list_select_related = ("group", "subscription__owner", "subscription__view")
    search_fields = (
        "subscription__owner__username",
        "subscription__owner__nickname",
        "subscription__view__name",
    )
    search_help_text = "按创建人账号、昵称或视图名称搜索"
    ordering = ("-id",)
    fields = (
        ("group", "name"),
        ("often", "is_asked"),
        ("due_at", "state"),
        ("created_at", "ended_at"),
        "note",
    )
    readonly_fields = ("name", "often")
    inlines = (LetterInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ReportSend]:
        troubles = (
            ReportLetter.objects.filter(send=OuterRef("pk"))
            .exclude(state=LetterState.SENT)
            .exclude(note="")
            .order_by("-pk")
        )
        rows: QuerySet[ReportSend] = (
            super().get_queryset(request).select_related(*self.list_select_related)
        )
        return rows.annotate(
            letter_count=_of_letters(Count("pk")),
            most_attempts=_of_letters(Max("attempts")),
            trouble=Subquery(troubles.values("note")[:1]),
        )

    @admin.display(description="视图")
    def name(self, send: ReportSend) -> str:
        return subscription_name(send.subscription)

    @admin.display(description="创建人")
    def whose(self, send: ReportSend) -> Any:
        return two_lines(send.subscription.owner, send.group)

    @admin.display(description="频率")
    def often(self, send: ReportSend) -> str:
        return "立即发送" if send.is_asked else send.subscription.get_frequency_display()

    @admin.display(description="邮件数")
    def letters(self, send: Any) -> int:
        return send.letter_count or 0

    @admin.display(description="最多尝试")
    def attempts(self, send: Any) -> int:
        """Return the highest number of attempts among the send's letters."""
        return send.most_attempts or 0

    @admin.display(description="说明")
    def error(self, send: Any) -> str:
        """Return why nothing was sent, or the note of the latest letter that has not been sent."""
        return send.note or send.trouble or "—"
