"""审批 in the back office: every chain, and the decision where it is the staff's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.approvals.admin.amend_form import AmendForm
from apps.approvals.admin.approval_shown import COLOURS, approval_facts, subject_link, waits_for, why
from apps.approvals.errors import ApprovalStale
from apps.approvals.models import Approval
from apps.approvals.selectors.approvals import approvals_for_staff, with_chain
from apps.approvals.services.approval_amend import approval_amend
from apps.approvals.services.approval_ask import approval_ask
from apps.approvals.services.approval_decide import approval_approve, approval_reject
from apps.approvals.subjects import subject_handler
from apps.common.admin.acting import Act, ActingMixin
from apps.common.admin.dossier import DossierMixin, Fact
from apps.common.admin.looking import LookingAdmin
from apps.common.admin.money import money_column, yuan_text
from apps.common.keys import key_of
from apps.common.tenancy import tenant_scope

STAFF = "staff"
AMOUNT = money_column("amount", "金额")


class SeenForm(forms.Form):
    """`version` is the approval's as the page shows it: what a second person lowers meanwhile is not decided unseen."""

    version = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class ApproveForm(SeenForm):
    comment = forms.CharField(label="意见", max_length=200, required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}))


class RejectForm(SeenForm):
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
    """待客服审批: what the first page counts."""

    title = "等待谁"
    parameter_name = "waiting"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(STAFF, "待客服审批")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Approval]) -> QuerySet[Approval]:
        return queryset.filter(pk__in=approvals_for_staff().values("pk")) if self.value() == STAFF else queryset


@admin.register(Approval)
class ApprovalAdmin(DossierMixin, ActingMixin, LookingAdmin):
    list_display = ("subject_no", "group", "requester", AMOUNT, "state", "waits_for", "created_at")
    list_select_related = ("group", "requester")
    list_filter = (WaitingFilter, "status", ("group", AutocompleteSelectFilter), ("created_at", RangeDateTimeFilter))
    search_fields = ("subject_no", "requester__username", "requester__nickname")
    search_help_text = "按单号或申请人搜索"
    ordering = ("-pk",)
    actions_detail = ("approve_one", "amend_one", "reject_one", "ask_one")
    readonly_fields = ("subject", "group", "requester", AMOUNT, "status", "created_at", "decided_at")
    fieldsets = (
        (
            "审批单",
            {"fields": (("subject", "status"), ("group", "requester"), (AMOUNT, "created_at"), "decided_at"), "classes": ("collapse",)},
        ),
    )

    def dossier(self, row: Approval) -> list[Fact]:
        """The first screen."""
        return approval_facts(row)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Approval]:
        return with_chain(super().get_queryset(request)).select_related("group")

    @display(description="状态", ordering="status", label=COLOURS)  # type: ignore[untyped-decorator]
    def state(self, approval: Approval) -> tuple[str, str]:
        return approval.status, approval.get_status_display()

    @admin.display(description="当前审批人")
    def waits_for(self, approval: Approval) -> str:
        return waits_for(approval)

    @admin.display(description="单号")
    def subject(self, approval: Approval) -> str | SafeString:
        return subject_link(approval)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer the decision only where it is the staff's now; the services refuse the rest."""
        offered = super().get_actions_detail(request, object_id)
        return offered if offered and approvals_for_staff().filter(pk=key_of(object_id)).exists() else []

    @action(description="同意", url_path="approve", icon="check_circle", permissions=["act"])  # type: ignore[untyped-decorator]
    def approve_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, "同意", self._seen(request, object_id, ApproveForm), approval_approve)

    @action(description="调整数量", url_path="amend", icon="edit", permissions=["act"])  # type: ignore[untyped-decorator]
    def amend_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        approval: Approval = get_object_or_404(Approval.objects.select_related("group"), pk=key_of(object_id))
        with tenant_scope(group_id=approval.group_id):
            lines = subject_handler(approval.subject_type).lines(approval.subject_id)
        # What a second person has lowered since the form was opened is no legal quantity of it any more, and told beside its line.
        return self._decide(request, object_id, "调整数量", AmendForm(request.POST or None, lines), approval_amend)

    @action(description="驳回", url_path="reject", icon="cancel", permissions=["act"])  # type: ignore[untyped-decorator]
    def reject_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, "驳回", self._seen(request, object_id, RejectForm), approval_reject)

    @action(description="退回询问", url_path="ask", icon="help", permissions=["act"])  # type: ignore[untyped-decorator]
    def ask_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, "退回询问", AskForm(request.POST or None), approval_ask)

    def _seen(self, request: HttpRequest, object_id: str, form: type[SeenForm]) -> SeenForm:
        version = Approval.objects.filter(pk=key_of(object_id)).values_list("version", flat=True).first()
        return form(request.POST or None, initial={"version": version})

    def _decide(self, request: HttpRequest, object_id: str, title: str, form: forms.Form, service: Callable[..., object]) -> HttpResponse:
        approval: Approval = get_object_or_404(with_chain(Approval.objects.select_related("group")), pk=key_of(object_id))

        def decide(filled: dict[str, Any]) -> None:
            try:
                with tenant_scope(group_id=approval.group_id):
                    service(actor=request.user, approval_id=approval.pk, **filled)
            except ApprovalStale:
                # The page comes back with the facts as they are now: sent again, it decides on these.
                form.data = {**form.data, "version": str(approval.version)}
                raise

        facts: list[tuple[str, object]] = [
            ("集团", approval.group.name),
            ("申请人", approval.requester),
            ("金额", yuan_text(approval.amount)),
            ("审批原因", why(approval)),
        ]
        page = reverse("admin:approvals_approval_change", args=[approval.pk])
        act = Act(title, approval.subject_no, page, form, facts, is_final=title == "驳回")
        return self.act_page(request, act, decide)
