"""开票申请 in the back office: accept and reject."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import Form
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter

from apps.invoices.admin.application_shown import COLOURS, application_facts
from apps.invoices.admin.forms import ReasonForm
from apps.invoices.enums import ApplicationStatus, InvoiceEventKind
from apps.invoices.models import Invoice, InvoiceApplication
from apps.invoices.services.application_decide import application_accept, application_reject
from apps.office.act_table import DocumentAct, DocumentActsMixin, plain_form
from apps.office.cells import money_column, yuan_text
from apps.office.decorators import display
from apps.office.dossier import DossierMixin, Fact
from apps.office.read_only import ReadOnlyAdmin, ReadOnlyInline
from apps.office.timeline import register_timeline_words, timeline_table
from apps.office.work_owners import OWNER_ACTIONS, WorkOwnerMixin

S = ApplicationStatus
# URL of an action → the states in which the page offers it
ALLOWED_IN: dict[str, tuple[str, ...]] = {"accept": (S.PENDING,), "reject": (S.PENDING, S.ACCEPTED)}
TOTAL, TAX = money_column("amount_incl_tax", "价税合计"), money_column("tax_amount", "税额")


class InvoiceInline(ReadOnlyInline):
    model = Invoice
    show_change_link = True
    fields = ("request_no", "invoice_no", "status", TOTAL, TAX, "issued_at", "failure")
    readonly_fields = fields


APPLICATION_ACTS = (
    DocumentAct(
        path="accept",
        title="审核通过",
        icon="check_circle",
        service=application_accept,
        form=plain_form(Form),
    ),
    DocumentAct(
        path="reject",
        title="驳回",
        icon="cancel",
        service=application_reject,
        form=plain_form(ReasonForm),
    ),
)


@admin.register(InvoiceApplication)
class InvoiceApplicationAdmin(DossierMixin, WorkOwnerMixin, DocumentActsMixin, ReadOnlyAdmin):
    inlines = (InvoiceInline,)
    list_display = (
        "application_no",
        "group",
        "enterprise",
        "applicant",
        "state",
        "kind",
        "invoice_count",
        TOTAL,
        "submitted_at",
    )
    list_select_related = ("group", "enterprise", "applicant")
    list_filter = (
        "status",
        "kind",
        ("group", AutocompleteSelectFilter),
        ("submitted_at", RangeDateTimeFilter),
    )
    search_fields = ("application_no", "enterprise__name", "invoices__invoice_no")
    search_help_text = "按申请单号、企业或发票号码搜索"
    ordering = ("-pk",)
    actions = OWNER_ACTIONS
    acts = APPLICATION_ACTS
    service_key = "application_id"
    readonly_fields = ("timeline", TOTAL, TAX)
    fieldsets = (
        ("时间线", {"fields": ("timeline",), "classes": ("collapse",)}),
        (
            "申请单",
            {
                "fields": (
                    ("application_no", "status"),
                    ("group", "enterprise"),
                    ("applicant", "department"),
                    "submitted_at",
                ),
                "classes": ("collapse",),
            },
        ),
        (
            "开票",
            {
                "fields": (
                    ("kind", "title"),
                    ("grouping", "is_split_by_rate"),
                    (TOTAL, TAX),
                    ("line_count", "invoice_count"),
                    "remark",
                ),
                "classes": ("collapse",),
            },
        ),
        ("交付", {"fields": (("delivery", "email"), "reason"), "classes": ("collapse",)}),
    )

    def dossier(self, row: InvoiceApplication) -> list[Fact]:
        """Show the facts of the first screen."""
        return application_facts(row)

    @display(description="状态", ordering="status", label=COLOURS)
    def state(self, application: InvoiceApplication) -> tuple[str, str]:
        return application.status, application.get_status_display()

    @admin.display(description="时间线")
    def timeline(self, application: InvoiceApplication) -> SafeString:
        return timeline_table(application)

    def allowed_acts(self, document: InvoiceApplication) -> tuple[str, ...]:
        return tuple(path for path, states in ALLOWED_IN.items() if document.status in states)

    def act_documents(self) -> QuerySet[InvoiceApplication]:
        rows: QuerySet[InvoiceApplication] = InvoiceApplication.objects.all()
        return rows.select_related("applicant", "enterprise", "title")

    def act_facts(self, document: InvoiceApplication) -> list[tuple[str, object]]:
        return [
            ("申请人", document.applicant),
            ("企业", document.enterprise),
            ("抬头", document.title or "各订单下单时的抬头"),
            ("发票种类", document.get_kind_display()),
            ("张数", document.invoice_count),
            ("价税合计", yuan_text(document.amount_incl_tax)),
        ]


register_timeline_words(
    InvoiceApplication, kinds=dict(InvoiceEventKind.choices), states=dict(S.choices)
)
