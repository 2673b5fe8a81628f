"""Back office: export jobs with owner, progress, duration and error, which staff can run again,
and the sends of subscriptions.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, IntegerField, Max, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.widgets import UnfoldAdminTextInputWidget

from apps.common.numbers import parse_key
from apps.office.acts import Act, ActPageMixin
from apps.office.cells import render_two_lines
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import action
from apps.reports.enums import LetterState
from apps.reports.models import ExportJob, ReportLetter, ReportSend
from apps.reports.services.exports import export_cancel_by_staff, export_requeue_by_staff
from apps.reports.services.subscriptions import get_subscription_name


class CancelForm(forms.Form):
    reason = forms.CharField(
        label="原因",
        max_length=100,
        help_text="将通知导出人，例如：统计期间过长，请分月导出",
        error_messages={"required": "请填写原因"},
        widget=UnfoldAdminTextInputWidget(),
    )


@admin.register(ExportJob)
class ExportJobAdmin(ActPageMixin, ReadOnlyAdmin):
    """Export jobs with progress, duration and error. Staff queue a job again, or cancel it with a
    reason.
    """

    list_display = ("created_at", "whose", "title", "state", "rows", "seconds", "attempts", "error")
    list_filter = ("state", "report", ("group", AutocompleteSelectFilter))
    list_select_related = ("group", "owner")
    search_fields = ("owner__username", "owner__nickname", "title")
    search_help_text = "按导出人账号、昵称或名称搜索"
    ordering = ("-id",)
    fields = (
        ("group", "owner"),
        ("title", "report"),
        ("state", "attempts"),
        ("rows", "seconds"),
        ("created_at", "started_at"),
        ("ended_at", "expires_at"),
        "error",
    )
    readonly_fields = ("rows", "seconds")
    actions_detail = ("requeue", "cancel")

    @action(description="重新排队", url_path="requeue", icon="replay", permissions=["act"])
    def requeue(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for confirmation, then queue the export again."""
        job = self._get_job(object_id)

        def service(_filled: dict[str, Any]) -> None:
            export_requeue_by_staff(staff=request.user, job_id=job.pk)

        notice = "按原筛选条件和期间重新生成，完成后通知导出人。请先确认失败的原因已经排除。"
        return self._show_act(
            request, job, "重新排队", forms.Form(request.POST or None), notice, service
        )

    @action(description="取消导出", url_path="cancel", icon="cancel", permissions=["act"])
    def cancel(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ask for a reason, then cancel the export."""
        job = self._get_job(object_id)

        def service(filled: dict[str, Any]) -> None:
            export_cancel_by_staff(staff=request.user, job_id=job.pk, reason=filled["reason"])

        notice = "已写入的内容不保留；导出人会收到通知，可以自行重新导出。"
        return self._show_act(
            request, job, "取消导出", CancelForm(request.POST or None), notice, service
        )

    def _get_job(self, object_id: str) -> ExportJob:
        job: ExportJob = get_object_or_404(
            ExportJob.objects.select_related("group", "owner"), pk=parse_key(object_id)
        )
        return job

    def _show_act(
        self,
        request: HttpRequest,
        job: ExportJob,
        title: str,
        form: forms.Form,
        notice: str,
        service: Any,
    ) -> HttpResponse:
        facts: list[tuple[str, object]] = [
            ("集团", job.group),
            ("导出人", job.owner),
            ("状态", job.get_state_display()),
        ]
        facts += [
            ("行数", self.rows(job)),
            ("已尝试", f"{job.attempts} 次"),
            ("失败原因", job.error or "—"),
        ]
        page = reverse("admin:reports_exportjob_change", args=[job.pk])
        return self.show_act_page(
            request, Act(title, job.title, page, form, facts, notice), service
        )

    @admin.display(description="导出人", ordering="owner")
    def whose(self, job: ExportJob) -> Any:
        return render_two_lines(job.owner, job.group)

    @admin.display(description="行数（已写 / 共）")
    def rows(self, job: ExportJob) -> str:
        return f"{job.rows_done:,} / {job.rows_total:,}" if job.rows_total else "—"

    @admin.display(description="用时（秒）")
    def seconds(self, job: ExportJob) -> str:
        """Return the duration of the latest attempt in seconds. Empty while the export has not
        ended.
        """
        return (
            f"{(job.ended_at - job.started_at).total_seconds():.1f}"
            if job.started_at and job.ended_at
            else "—"
        )


def _build_letter_aggregate(aggregate: Any) -> Subquery:
    """Return an aggregate of a send's letters as a subquery. The unique index on (send,
    recipient) answers it for the rows of one page.
    """
    rows = (
        ReportLetter.objects.filter(send=OuterRef("pk"))
        .order_by()
        .values("send")
        .annotate(figure=aggregate)
    )
    return Subquery(rows.values("figure"), output_field=IntegerField())


class LetterInline(ReadOnlyInline):
    model = ReportLetter
    fields = readonly_fields = ("to", "state", "attempts", "claimed_at", "sent_at", "rows", "note")
    verbose_name_plural = "邮件"


@admin.register(ReportSend)
class ReportSendAdmin(ReadOnlyAdmin):
    """The sends of report subscriptions with their letters and the last error, read-only."""

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
            letter_count=_build_letter_aggregate(Count("pk")),
            most_attempts=_build_letter_aggregate(Max("attempts")),
            trouble=Subquery(troubles.values("note")[:1]),
        )

    @admin.display(description="视图")
    def name(self, send: ReportSend) -> str:
        return get_subscription_name(send.subscription)

    @admin.display(description="创建人")
    def whose(self, send: ReportSend) -> Any:
        return render_two_lines(send.subscription.owner, send.group)

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
