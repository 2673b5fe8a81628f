"""Back office: the list of approvals, and decisions that staff have to make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminTextareaWidget

from apps.approvals.admin.approval_facts import (
    COLOURS,
    build_approval_facts,
    format_reasons,
    format_waiting_approvers,
    subject_link,
)
from apps.approvals.errors import ApprovalStale
from apps.approvals.models import Approval
from apps.approvals.selectors.approvals import list_approvals_for_staff, with_chain
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_decide import approval_approve, approval_reject
from apps.approvals.services.approval_discussion import approval_ask
from apps.approvals.subjects import CurrentLine, get_subject_handler
from apps.common.numbers import parse_key
from apps.common.tenancy import tenant_scope
from apps.office.acts import Act, ActPageMixin
from apps.office.cells import build_money_column, format_yuan
from apps.office.dossier import DossierMixin, Fact
from apps.office.lists import ReadOnlyAdmin
from apps.office.pages import action, display

LINE = "line_"


class AmendForm(forms.Form):
    """One quantity field for each line; quantities can only be lowered, 0 drops the line.
    Cleaned data: `quantities` of the changed lines, and `reason`.
    """

    def __init__(self, data: Mapping[str, Any] | None, lines: list[CurrentLine]) -> None:
        super().__init__(data)
        self.lines = lines
        for line in lines:
            self.fields[f"{LINE}{line.line_id}"] = forms.IntegerField(
                label=line.name,
                min_value=0,
                max_value=line.quantity,
                initial=line.quantity,
                help_text=f"现有 {line.quantity} {line.unit}，只能减少，填 0 移除该商品",
                widget=UnfoldAdminIntegerFieldWidget,
                error_messages={
                    "max_value": f"不能多于现有的 {line.quantity} {line.unit}",
                    "min_value": "不能小于 0",
                },
            )
        self.fields["reason"] = forms.CharField(
            label="调整原因",
            max_length=300,
            help_text="申请人会看到这段话",
            error_messages={"required": "请填写此项"},
            widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        )

    def clean(self) -> dict[str, Any]:
        """Keep only the changed lines."""
        quantities = {
            line.line_id: self.cleaned_data.get(f"{LINE}{line.line_id}", line.quantity)
            for line in self.lines
        }
        changed_pieces = {
            line.line_id: quantities[line.line_id]
            for line in self.lines
            if quantities[line.line_id] != line.quantity
        }
        if not self.errors and not changed_pieces:
            raise forms.ValidationError("请先减少数量或移除商品")
        return {"quantities": changed_pieces, "reason": self.cleaned_data.get("reason", "")}


STAFF = "staff"
AMOUNT = build_money_column("amount", "金额")


class VersionForm(forms.Form):
    """`version` is the approval's version on the page. If somebody lowers quantities meanwhile,
    the decision is refused.
    """

    version = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class ApproveForm(VersionForm):
    comment = forms.CharField(
        label="意见",
        max_length=200,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


class RejectForm(VersionForm):
    reason = forms.CharField(
        label="驳回原因",
        max_length=200,
        help_text="申请人会看到这段话，请写明需要修改什么",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3, "autofocus": True}),
    )


class AskForm(forms.Form):
    text = forms.CharField(
        label="要问的问题",
        max_length=500,
        help_text="申请人答复后，单据仍在“待客服审批”中；等待期间也可以直接同意或驳回",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3, "autofocus": True}),
    )


class WaitingFilter(admin.SimpleListFilter):
    """待客服审批: the approvals that the dashboard counts."""

    title = "等待谁"
    parameter_name = "waiting"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(STAFF, "待客服审批")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Approval]) -> QuerySet[Approval]:
        return (
            queryset.filter(pk__in=list_approvals_for_staff().values("pk"))
            if self.value() == STAFF
            else queryset
        )


@admin.register(Approval)
class ApprovalAdmin(DossierMixin, ActPageMixin, ReadOnlyAdmin):
    """All approvals, read-only. Staff decide, amend and ask in the steps that belong to staff."""

    list_display = ("subject_no", "group", "requester", AMOUNT, "state", "waits_for", "created_at")
    list_select_related = ("group", "requester")
    list_filter = (
        WaitingFilter,
        "status",
        ("group", AutocompleteSelectFilter),
        ("created_at", RangeDateTimeFilter),
    )
    search_fields = ("subject_no", "requester__username", "requester__nickname")
    search_help_text = "按单号或申请人搜索"
    ordering = ("-pk",)
    actions_detail = ("approve_one", "amend_one", "reject_one", "ask_one")
    readonly_fields = (
        "subject",
        "group",
        "requester",
        AMOUNT,
        "status",
        "created_at",
        "decided_at",
    )
    fieldsets = (
        (
            "审批单",
            {
                "fields": (
                    ("subject", "status"),
                    ("group", "requester"),
                    (AMOUNT, "created_at"),
                    "decided_at",
                ),
                "classes": ("collapse",),
            },
        ),
    )

    def build_dossier(self, row: Approval) -> list[Fact]:
        """Return the facts of the first screen."""
        return build_approval_facts(row)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Approval]:
        return with_chain(super().get_queryset(request)).select_related("group")

    @display(description="状态", ordering="status", label=COLOURS)
    def state(self, approval: Approval) -> tuple[str, str]:
        return approval.status, approval.get_status_display()

    @admin.display(description="当前审批人")
    def waits_for(self, approval: Approval) -> str:
        return format_waiting_approvers(approval)

    @admin.display(description="单号")
    def subject(self, approval: Approval) -> str | SafeString:
        return subject_link(approval)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer the actions only if staff have to decide now. The services check it again."""
        actions = super().get_actions_detail(request, object_id)
        return (
            actions
            if actions and list_approvals_for_staff().filter(pk=parse_key(object_id)).exists()
            else []
        )

    @action(description="同意", url_path="approve", icon="check_circle", permissions=["act"])
    def approve_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(
            request,
            object_id,
            "同意",
            self._build_version_form(request, object_id, ApproveForm),
            approval_approve,
        )

    @action(description="调整数量", url_path="amend", icon="edit", permissions=["act"])
    def amend_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        approval: Approval = get_object_or_404(
            Approval.objects.select_related("group"), pk=parse_key(object_id)
        )
        with tenant_scope(group_id=approval.group_id):
            lines = get_subject_handler(approval.subject_type).list_lines(approval.subject_id)
        # If somebody lowers a line after the form was opened, its field reports the
        # error.
        return self._decide(
            request, object_id, "调整数量", AmendForm(request.POST or None, lines), approval_amend
        )

    @action(description="驳回", url_path="reject", icon="cancel", permissions=["act"])
    def reject_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(
            request,
            object_id,
            "驳回",
            self._build_version_form(request, object_id, RejectForm),
            approval_reject,
            is_destructive=True,
        )

    @action(description="退回询问", url_path="ask", icon="help", permissions=["act"])
    def ask_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(
            request, object_id, "退回询问", AskForm(request.POST or None), approval_ask
        )

    def _build_version_form(
        self, request: HttpRequest, object_id: str, form: type[VersionForm]
    ) -> VersionForm:
        version = (
            Approval.objects.filter(pk=parse_key(object_id))
            .values_list("version", flat=True)
            .first()
        )
        return form(request.POST or None, initial={"version": version})

    def _decide(
        self,
        request: HttpRequest,
        object_id: str,
        title: str,
        form: forms.Form,
        service: Callable[..., object],
        *,
        is_destructive: bool = False,
    ) -> HttpResponse:
        approval: Approval = get_object_or_404(
            with_chain(Approval.objects.select_related("group")), pk=parse_key(object_id)
        )

        def decide(cleaned_data: dict[str, Any]) -> None:
            try:
                with tenant_scope(group_id=approval.group_id):
                    service(actor=request.user, approval_id=approval.pk, **cleaned_data)
            except ApprovalStale:
                # The page is shown again with the current facts and their
                # version, so that sending it again decides on them.
                form.data = {**form.data, "version": str(approval.version)}
                raise

        facts: list[tuple[str, object]] = [
            ("集团", approval.group.name),
            ("申请人", approval.requester),
            ("金额", format_yuan(approval.amount)),
            ("审批原因", format_reasons(approval)),
        ]
        page = reverse("admin:approvals_approval_change", args=[approval.pk])
        act = Act(title, approval.subject_no, page, form, facts, is_destructive=is_destructive)
        return self.show_act_page(request, act, decide)
