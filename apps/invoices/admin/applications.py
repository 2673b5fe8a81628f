"""开票申请 in the back office: accepted or rejected."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import admin
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.decorators import action, display

from apps.common.admin.acting import Act, ActingMixin
from apps.common.admin.dossier import DossierMixin, Fact
from apps.common.admin.looking import LookingAdmin, LookingInline
from apps.common.admin.money import money_column, yuan_text
from apps.common.admin.owned import OWNING, OwnedMixin
from apps.common.admin.timeline import timeline_table, timeline_words
from apps.common.keys import key_of
from apps.invoices.admin.application_shown import COLOURS, application_facts
from apps.invoices.admin.forms import NothingForm, ReasonForm
from apps.invoices.enums import ApplicationStatus, InvoiceEventKind
from apps.invoices.models import Invoice, InvoiceApplication
from apps.invoices.services.application_decide import application_accept, application_reject

S = ApplicationStatus
# url of an action → the states in which the page offers it
ALLOWED_IN: dict[str, tuple[str, ...]] = {"accept": (S.PENDING,), "reject": (S.PENDING, S.ACCEPTED)}
TOTAL, TAX = money_column("amount_incl_tax", "价税合计"), money_column("tax_amount", "税额")


class InvoiceInline(LookingInline):
    model = Invoice
    show_change_link = True
    fields = ("request_no", "invoice_no", "status", TOTAL, TAX, "issued_at", "failure")
    readonly_fields = fields


@admin.register(InvoiceApplication)
class InvoiceApplicationAdmin(DossierMixin, OwnedMixin, ActingMixin, LookingAdmin):
    inlines = (InvoiceInline,)
    list_display = ("application_no", "group", "enterprise", "applicant", "state", "kind", "invoice_count", TOTAL, "submitted_at")
    list_select_related = ("group", "enterprise", "applicant")
    list_filter = ("status", "kind", ("group", AutocompleteSelectFilter), ("submitted_at", RangeDateTimeFilter))
    search_fields = ("application_no", "enterprise__name", "invoices__invoice_no")
    search_help_text = "按申请单号、企业或发票号码搜索"
    ordering = ("-pk",)
    actions = OWNING
    actions_detail = ("accept_one", "reject_one")
    readonly_fields = ("timeline", TOTAL, TAX)
    fieldsets = (
        ("时间线", {"fields": ("timeline",), "classes": ("collapse",)}),
        (
            "申请单",
            {
                "fields": (("application_no", "status"), ("group", "enterprise"), ("applicant", "department"), "submitted_at"),
                "classes": ("collapse",),
            },
        ),
        (
            "开票",
            {
                "fields": (("kind", "title"), ("grouping", "is_split_by_rate"), (TOTAL, TAX), ("line_count", "invoice_count"), "remark"),
                "classes": ("collapse",),
            },
        ),
        ("交付", {"fields": (("delivery", "email"), "reason"), "classes": ("collapse",)}),
    )

    def dossier(self, row: InvoiceApplication) -> list[Fact]:
        """The first screen."""
        return application_facts(row)

    @display(description="状态", ordering="status", label=COLOURS)  # type: ignore[untyped-decorator]
    def state(self, application: InvoiceApplication) -> tuple[str, str]:
        return application.status, application.get_status_display()

    @admin.display(description="时间线")
    def timeline(self, application: InvoiceApplication) -> SafeString:
        return timeline_table(application)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer only what the state allows; the services refuse the rest."""
        status = InvoiceApplication.objects.filter(pk=key_of(object_id)).values_list("status", flat=True).first()
        return [each for each in super().get_actions_detail(request, object_id) if status in ALLOWED_IN[each.path]]

    @action(description="审核通过", url_path="accept", icon="check_circle", permissions=["act"])  # type: ignore[untyped-decorator]
    def accept_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = _application(object_id)
        service = partial(application_accept, actor=request.user, application_id=row.pk)  # type: ignore[arg-type]
        return self._act(request, row, "审核通过", NothingForm(request.POST or None), lambda _filled: service())

    @action(description="驳回", url_path="reject", icon="cancel", permissions=["act"])  # type: ignore[untyped-decorator]
    def reject_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        row = _application(object_id)
        service = partial(application_reject, actor=request.user, application_id=row.pk)  # type: ignore[arg-type]
        return self._act(request, row, "驳回", ReasonForm(request.POST or None), lambda filled: service(**filled))

    def _act(
        self, request: HttpRequest, row: InvoiceApplication, title: str, form: Form, service: Callable[[dict[str, Any]], object]
    ) -> HttpResponse:
        facts: list[tuple[str, object]] = [
            ("申请人", row.applicant),
            ("企业", row.enterprise),
            ("抬头", row.title or "各订单下单时的抬头"),
            ("发票种类", row.get_kind_display()),
            ("张数", row.invoice_count),
            ("价税合计", yuan_text(row.amount_incl_tax)),
        ]
        page = reverse("admin:invoices_invoiceapplication_change", args=[row.pk])
        return self.act_page(request, Act(title, row.application_no, page, form, facts), service)


def _application(object_id: str) -> InvoiceApplication:
    rows = InvoiceApplication.objects.select_related("applicant", "enterprise", "title")
    row: InvoiceApplication = get_object_or_404(rows, pk=key_of(object_id))
    return row


timeline_words(InvoiceApplication, kinds=dict(InvoiceEventKind.choices), states=dict(S.choices))
