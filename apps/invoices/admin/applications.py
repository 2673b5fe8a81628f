"""开票申请 in the back office: the first screen, accept and reject."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import Form
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter

from apps.common.days import format_moment
from apps.invoices.admin.forms import ReasonForm
from apps.invoices.enums import ApplicationStatus, InvoiceEventKind
from apps.invoices.models import Invoice, InvoiceApplication, InvoiceLine
from apps.invoices.services.applications import application_accept, application_reject
from apps.office.acts import DocumentAct, DocumentActsMixin, use_plain_form
from apps.office.cells import build_money_column, format_yuan
from apps.office.dossier import (
    DossierMixin,
    Fact,
    describe_waiting,
    register_timeline_words,
    render_timeline,
)
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import display
from apps.office.work_owners import OWNER_ACTIONS, WorkOwnerMixin

S = ApplicationStatus
COLOURS = {
    S.PENDING: "warning",
    S.ACCEPTED: "info",
    S.ISSUING: "info",
    S.ISSUED: "success",
    S.REJECTED: "danger",
    S.WITHDRAWN: "info",
}
WAITS: dict[str, str] = {
    S.PENDING: "等待财务审核",
    S.ACCEPTED: "等待开票",
    S.ISSUING: "等待开票结果",
}
# An application may have thousands of lines. The invoices' own pages show the rest.
MAX_SHOWN = 10
# Column headers and their CSS classes.
HEADER = (
    ("订单", ""),
    ("商品", ""),
    ("数量", "is-number"),
    ("税率", "is-number"),
    ("价税合计", "is-number"),
)


def build_application_facts(row: InvoiceApplication) -> list[Fact]:
    """Return the facts of the first screen, including the first lines."""
    waits = describe_waiting(
        WAITS.get(row.status, ""), row.submitted_at if row.status == S.PENDING else row.decided_at
    )
    facts = [
        Fact("状态", row.get_status_display(), waits, tag=COLOURS[S(row.status)]),
        Fact(
            "价税合计", format_yuan(row.amount_incl_tax), f"其中税额 {format_yuan(row.tax_amount)}"
        ),
        Fact(
            "发票种类",
            row.get_kind_display(),
            f"{row.line_count} 行，{row.invoice_count} 张 · {row.get_grouping_display()}",
        ),
        Fact(
            "负责人",
            getattr(row, "owner_name", "") or "无人认领",
            f"提交于 {format_moment(row.submitted_at)}",
        ),
        Fact("抬头", row.title or "各订单下单时的抬头"),
        Fact("客户", row.enterprise, row.group),
        Fact("申请人", row.applicant, row.department or ""),
        Fact("交付", row.get_delivery_display(), row.email),
    ]
    facts += [
        Fact(name, text, is_wide=True)
        for name, text in (("发票备注", row.remark), ("驳回原因", row.reason))
        if text
    ]
    return [*facts, Fact("开票明细", _render_lines(row), is_wide=True)]


def _render_lines(row: InvoiceApplication) -> SafeString | str:
    lines = list(
        InvoiceLine.objects.filter(invoice__application=row)
        .select_related("order")
        .order_by("invoice", "no")[: MAX_SHOWN + 1]
    )
    cells = [
        (
            reverse("admin:orders_order_change", args=[line.order_id]),
            line.order,
            line.name,
            line.quantity,
            f"{line.tax_rate:.0%}",
            format_yuan(line.amount_incl_tax),
        )
        for line in lines[:MAX_SHOWN]
    ]
    head = format_html_join("", '<th class="{}">{}</th>', ((kind, name) for name, kind in HEADER))
    number = '<td class="is-number">{}</td>'
    body = format_html_join(
        "",
        f'<tr><td class="is-short"><a href="{{}}">{{}}</a></td><td>{{}}</td>{number * 3}</tr>',
        cells,
    )
    table = format_html(
        '<table class="office-table"><thead><tr>{}</tr></thead><tbody>{}</tbody></table>',
        head,
        body,
    )
    if len(lines) > MAX_SHOWN:
        return format_html(
            "{}<small>共 {} 行，此处为前 {} 行，其余见各张发票</small>",
            table,
            row.line_count,
            MAX_SHOWN,
        )
    return table if lines else "—"


# URL of an action → the states in which the page offers it
ALLOWED_IN: dict[str, tuple[str, ...]] = {"accept": (S.PENDING,), "reject": (S.PENDING, S.ACCEPTED)}
TOTAL, TAX = (
    build_money_column("amount_incl_tax", "价税合计"),
    build_money_column("tax_amount", "税额"),
)


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
        form=use_plain_form(Form),
    ),
    DocumentAct(
        path="reject",
        title="驳回",
        icon="cancel",
        service=application_reject,
        form=use_plain_form(ReasonForm),
    ),
)


@admin.register(InvoiceApplication)
class InvoiceApplicationAdmin(DossierMixin, WorkOwnerMixin, DocumentActsMixin, ReadOnlyAdmin):
    """The staff's list of 开票申请, read-only. Staff accept or reject an application as a whole."""

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

    def build_dossier(self, row: InvoiceApplication) -> list[Fact]:
        """Show the facts of the first screen."""
        return build_application_facts(row)

    @display(description="状态", ordering="status", label=COLOURS)
    def state(self, application: InvoiceApplication) -> tuple[str, str]:
        return application.status, application.get_status_display()

    @admin.display(description="时间线")
    def timeline(self, application: InvoiceApplication) -> SafeString:
        return render_timeline(application)

    def list_allowed_acts(self, document: InvoiceApplication) -> tuple[str, ...]:
        return tuple(path for path, states in ALLOWED_IN.items() if document.status in states)

    def list_act_documents(self) -> QuerySet[InvoiceApplication]:
        rows: QuerySet[InvoiceApplication] = InvoiceApplication.objects.all()
        return rows.select_related("applicant", "enterprise", "title")

    def list_act_facts(self, document: InvoiceApplication) -> list[tuple[str, object]]:
        return [
            ("申请人", document.applicant),
            ("企业", document.enterprise),
            ("抬头", document.title or "各订单下单时的抬头"),
            ("发票种类", document.get_kind_display()),
            ("张数", document.invoice_count),
            ("价税合计", format_yuan(document.amount_incl_tax)),
        ]


register_timeline_words(
    InvoiceApplication, kinds=dict(InvoiceEventKind.choices), states=dict(S.choices)
)
