"""发票 in the back office: issue by hand, request again, post, open a red request."""

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

from apps.common.numbers import key_of
from apps.invoices.admin.forms import NothingForm, NumberForm, PostForm, RedOpenForm
from apps.invoices.enums import ApplicationStatus, InvoiceEventKind, InvoiceStatus
from apps.invoices.models import Invoice, InvoiceLine
from apps.invoices.services.invoice_issue import invoice_issue_by_hand, invoice_sent_by_post
from apps.invoices.services.invoice_request import invoice_retry
from apps.invoices.services.red_letters import RedForm, red_open_by_staff
from apps.office.acts import Act, ActPageMixin
from apps.office.cells import money_column, two_lines, yuan_text
from apps.office.dossier import register_timeline_words, timeline_table
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import action, display, request_staff

S = InvoiceStatus
COLOURS = {
    S.PLANNED: "warning",
    S.ISSUING: "info",
    S.FAILED: "danger",
    S.ISSUED: "success",
    S.PARTLY_RED: "info",
    S.RED: "info",
    S.VOID: "info",
}
# URL of an action → the states in which the page offers it
ALLOWED_IN: dict[str, tuple[str, ...]] = {
    "issue": (S.PLANNED, S.FAILED),
    "retry": (S.PLANNED, S.FAILED),
    "post": (S.ISSUED, S.PARTLY_RED, S.RED),
    "red": (S.ISSUED, S.PARTLY_RED),
}
BEING_ISSUED = (ApplicationStatus.ACCEPTED, ApplicationStatus.ISSUING)
TOTAL, NET, TAX = (
    money_column("amount_incl_tax", "价税合计"),
    money_column("net_amount", "不含税"),
    money_column("tax_amount", "税额"),
)
RED = money_column("red_amount", "已红冲")


class InvoiceLineInline(ReadOnlyInline):
    model = InvoiceLine
    list_select_related = ("order",)
    fields = ("no", "order", "name", "quantity", "red_quantity", "unit", "tax_rate", TOTAL, TAX)
    readonly_fields = fields


@admin.register(Invoice)
class InvoiceAdmin(ActPageMixin, ReadOnlyAdmin):
    inlines = (InvoiceLineInline,)
    list_display = ("__str__", "customer", "state", "kind", TOTAL, RED, "issued_at", "gateway")
    list_select_related = ("group", "enterprise")
    list_filter = (
        "status",
        "kind",
        ("group", AutocompleteSelectFilter),
        ("issued_at", RangeDateTimeFilter),
    )
    search_fields = ("invoice_no", "request_no", "application__application_no")
    search_help_text = "按发票号码、流水号或申请单号搜索"
    actions_detail = ("issue_one", "retry_one", "post_one", "red_one")
    readonly_fields = ("timeline", TOTAL, NET, TAX, RED)
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("request_no", "status"),
                    ("invoice_code", "invoice_no"),
                    ("application", "original"),
                    "kind",
                )
            },
        ),
        ("金额", {"fields": ((TOTAL, NET), (TAX, RED), "remark")}),
        (
            "开具",
            {
                "fields": (
                    ("issued_at", "issued_by"),
                    ("gateway", "attempts"),
                    ("requested_at", "failure"),
                    "is_unsure",
                )
            },
        ),
        ("交付", {"fields": ("emailed_at", ("carrier", "tracking_no"), "sent_at")}),
        ("时间线", {"fields": ("timeline",)}),
    )

    @display(description="客户", ordering="enterprise")
    def customer(self, invoice: Invoice) -> SafeString:
        """The enterprise and its group."""
        return two_lines(invoice.enterprise, invoice.group)

    @display(description="状态", ordering="status", label=COLOURS)
    def state(self, invoice: Invoice) -> tuple[str, str]:
        return invoice.status, invoice.get_status_display()

    @admin.display(description="时间线")
    def timeline(self, invoice: Invoice) -> SafeString:
        return timeline_table(invoice)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer the actions that the state allows. Offer no issue for an application that is
        not accepted. The services refuse everything that is not allowed.
        """
        invoice = Invoice.objects.select_related("application").filter(pk=key_of(object_id)).first()
        offered = {
            path for path, states in ALLOWED_IN.items() if invoice and invoice.status in states
        }
        if invoice and not invoice.is_red and invoice.application.status not in BEING_ISSUED:
            offered -= {"issue", "retry"}
        return [
            each for each in super().get_actions_detail(request, object_id) if each.path in offered
        ]

    @action(description="登记开票", url_path="issue", icon="edit_document", permissions=["act"])
    def issue_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        service = partial(
            invoice_issue_by_hand, actor=request_staff(request), invoice_id=key_of(object_id)
        )
        return self._act(
            request,
            object_id,
            "登记开票",
            NumberForm(request.POST or None),
            lambda filled: service(**filled),
        )

    @action(description="重新提交渠道", url_path="retry", icon="refresh", permissions=["act"])
    def retry_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        service = partial(invoice_retry, actor=request_staff(request), invoice_id=key_of(object_id))
        return self._act(
            request,
            object_id,
            "重新提交渠道",
            NothingForm(request.POST or None),
            lambda _filled: service(),
        )

    @action(description="登记邮寄", url_path="post", icon="local_shipping", permissions=["act"])
    def post_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        service = partial(
            invoice_sent_by_post, actor=request_staff(request), invoice_id=key_of(object_id)
        )
        return self._act(
            request,
            object_id,
            "登记邮寄",
            PostForm(request.POST or None),
            lambda filled: service(**filled),
        )

    @action(description="发起红冲", url_path="red", icon="undo", permissions=["act"])
    def red_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        service = partial(
            red_open_by_staff, actor=request_staff(request), invoice_id=key_of(object_id)
        )
        form = RedOpenForm(request.POST or None)
        return self._act(
            request,
            object_id,
            "发起红冲",
            form,
            lambda filled: service(form=RedForm(filled["reason"], filled["note"])),
        )

    def _act(
        self,
        request: HttpRequest,
        object_id: str,
        title: str,
        form: Form,
        service: Callable[[dict[str, Any]], object],
    ) -> HttpResponse:
        rows = Invoice.objects.select_related("application", "enterprise")
        row: Invoice = get_object_or_404(rows, pk=key_of(object_id))
        facts: list[tuple[str, object]] = [
            ("申请单", row.application),
            ("企业", row.enterprise),
            ("抬头", row.title_snapshot.get("Title", "")),
            ("发票种类", row.get_kind_display()),
            ("价税合计", yuan_text(row.amount_incl_tax)),
            ("失败原因", row.failure or "—"),
        ]
        page = reverse("admin:invoices_invoice_change", args=[row.pk])
        return self.act_page(request, Act(title, str(row), page, form, facts), service)


register_timeline_words(Invoice, kinds=dict(InvoiceEventKind.choices), states=dict(S.choices))
