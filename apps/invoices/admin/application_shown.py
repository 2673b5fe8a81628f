"""The first screen of an application: state, waiting time, amounts, title and the lines to
invoice.
"""

from __future__ import annotations

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.common.days import moment_text
from apps.invoices.enums import ApplicationStatus
from apps.invoices.models import InvoiceApplication, InvoiceLine
from apps.office.cells import yuan_text
from apps.office.dossier import Fact, waiting_text

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
SHOWN = 10
# Column headers and their CSS classes.
HEADER = (
    ("订单", ""),
    ("商品", ""),
    ("数量", "is-number"),
    ("税率", "is-number"),
    ("价税合计", "is-number"),
)


def application_facts(row: InvoiceApplication) -> list[Fact]:
    """Return the facts of the first screen, including the first lines."""
    waits = waiting_text(
        WAITS.get(row.status, ""), row.submitted_at if row.status == S.PENDING else row.decided_at
    )
    facts = [
        Fact("状态", row.get_status_display(), waits, tag=COLOURS[S(row.status)]),
        Fact("价税合计", yuan_text(row.amount_incl_tax), f"其中税额 {yuan_text(row.tax_amount)}"),
        Fact(
            "发票种类",
            row.get_kind_display(),
            f"{row.line_count} 行，{row.invoice_count} 张 · {row.get_grouping_display()}",
        ),
        Fact(
            "负责人",
            getattr(row, "owner_name", "") or "无人认领",
            f"提交于 {moment_text(row.submitted_at)}",
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
    return [*facts, Fact("开票明细", _lines(row), is_wide=True)]


def _lines(row: InvoiceApplication) -> SafeString | str:
    lines = list(
        InvoiceLine.objects.filter(invoice__application=row)
        .select_related("order")
        .order_by("invoice", "no")[: SHOWN + 1]
    )
    cells = [
        (
            reverse("admin:orders_order_change", args=[line.order_id]),
            line.order,
            line.name,
            line.quantity,
            f"{line.tax_rate:.0%}",
            yuan_text(line.amount_incl_tax),
        )
        for line in lines[:SHOWN]
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
    if len(lines) > SHOWN:
        return format_html(
            "{}<small>共 {} 行，此处为前 {} 行，其余见各张发票</small>",
            table,
            row.line_count,
            SHOWN,
        )
    return table if lines else "—"
