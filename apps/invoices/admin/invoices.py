"""发票 in the back office: issue by hand, request again, post, open a red request."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import Form
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter

from apps.invoices.admin.forms import NumberForm, PostForm, RedOpenForm
from apps.invoices.enums import ApplicationStatus, InvoiceEventKind, InvoiceStatus
from apps.invoices.models import Invoice, InvoiceLine
from apps.invoices.services.invoice_issue import invoice_issue_by_hand, invoice_sent_by_post
from apps.invoices.services.invoice_request import invoice_retry
from apps.invoices.services.red_letters import RedForm, red_letter_open_by_staff
from apps.office.acts import DocumentAct, DocumentActsMixin, use_plain_form
from apps.office.cells import build_money_column, format_yuan, render_two_lines
from apps.office.dossier import register_timeline_words, render_timeline
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import display

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
    build_money_column("amount_incl_tax", "价税合计"),
    build_money_column("net_amount", "不含税"),
    build_money_column("tax_amount", "税额"),
)
RED = build_money_column("red_amount", "已红冲")


ACTS = (
    DocumentAct(
        path="issue",
        title="登记开票",
        icon="edit_document",
        service=invoice_issue_by_hand,
        form=use_plain_form(NumberForm),
    ),
    DocumentAct(
        path="retry",
        title="重新提交渠道",
        icon="refresh",
        service=invoice_retry,
        form=use_plain_form(Form),
    ),
    DocumentAct(
        path="post",
        title="登记邮寄",
        icon="local_shipping",
        service=invoice_sent_by_post,
        form=use_plain_form(PostForm),
    ),
    DocumentAct(
        path="red",
        title="发起红冲",
        icon="undo",
        service=red_letter_open_by_staff,
        form=use_plain_form(RedOpenForm),
        arguments=lambda form: {"form": RedForm(**form.cleaned_data)},
    ),
)


class InvoiceLineInline(ReadOnlyInline):
    model = InvoiceLine
    list_select_related = ("order",)
    fields = ("no", "order", "name", "quantity", "red_quantity", "unit", "tax_rate", TOTAL, TAX)
    readonly_fields = fields


@admin.register(Invoice)
class InvoiceAdmin(DocumentActsMixin, ReadOnlyAdmin):
    """Invoices of all groups, read-only. Staff issue by hand, request again, post, and open a red
    request with actions that call the services.
    """

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
    acts = ACTS
    service_key = "invoice_id"
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
        return render_two_lines(invoice.enterprise, invoice.group)

    @display(description="状态", ordering="status", label=COLOURS)
    def state(self, invoice: Invoice) -> tuple[str, str]:
        return invoice.status, invoice.get_status_display()

    @admin.display(description="时间线")
    def timeline(self, invoice: Invoice) -> SafeString:
        return render_timeline(invoice)

    def list_act_documents(self) -> QuerySet[Invoice]:
        """Return the invoices with the rows that `list_act_facts` reads."""
        rows: QuerySet[Invoice] = Invoice.objects.select_related("application", "enterprise")
        return rows

    def list_act_facts(self, document: Invoice) -> list[tuple[str, object]]:
        """Return the facts of the invoice above the form."""
        return [
            ("申请单", document.application),
            ("企业", document.enterprise),
            ("抬头", document.title_snapshot.get("Title", "")),
            ("发票种类", document.get_kind_display()),
            ("价税合计", format_yuan(document.amount_incl_tax)),
            ("失败原因", document.failure or "—"),
        ]

    def list_allowed_acts(self, document: Invoice) -> set[str]:
        """Return the acts that the state allows. Without an accepted application, the invoice
        cannot be issued. The services refuse everything that is not allowed.
        """
        allowed_paths = {path for path, states in ALLOWED_IN.items() if document.status in states}
        if not document.is_red and document.application.status not in BEING_ISSUED:
            allowed_paths -= {"issue", "retry"}
        return allowed_paths


register_timeline_words(Invoice, kinds=dict(InvoiceEventKind.choices), states=dict(S.choices))
