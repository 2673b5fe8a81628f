"""红冲确认单 in the back office: confirm, refuse, withdraw."""

from __future__ import annotations

from functools import partial

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import Form
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter

from apps.invoices.admin.forms import ReasonForm
from apps.invoices.enums import InvoiceEventKind, RedStatus
from apps.invoices.models import RedLetter, RedLine
from apps.invoices.services.red_letters import (
    red_letter_answer_by_staff,
    red_letter_withdraw_by_staff,
)
from apps.office.acts import (
    DocumentAct,
    DocumentActsMixin,
    use_plain_form,
)
from apps.office.cells import build_money_column, format_yuan
from apps.office.dossier import register_timeline_words, render_timeline
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import display

S = RedStatus
ALLOWED_IN: dict[str, tuple[str, ...]] = {
    "confirm": (S.AWAITS_SELLER,),
    "refuse": (S.AWAITS_SELLER,),
    "withdraw": (S.AWAITS_BUYER,),
}
COLOURS = {
    S.AWAITS_SELLER: "warning",
    S.AWAITS_BUYER: "info",
    S.CONFIRMED: "info",
    S.ISSUED: "success",
    S.REFUSED: "danger",
    S.WITHDRAWN: "info",
    S.EXPIRED: "danger",
}
TOTAL, TAX = (
    build_money_column("amount_incl_tax", "红冲金额"),
    build_money_column("tax_amount", "红冲税额"),
)


class RedLineInline(ReadOnlyInline):
    model = RedLine
    list_select_related = ("line",)
    fields = ("line", "quantity", TOTAL, TAX)
    readonly_fields = fields


RED_ACTS = (
    DocumentAct(
        path="confirm",
        title="确认红冲",
        icon="check_circle",
        service=partial(red_letter_answer_by_staff, is_agreed=True),
        form=use_plain_form(Form),
    ),
    DocumentAct(
        path="refuse",
        title="否认",
        icon="cancel",
        service=partial(red_letter_answer_by_staff, is_agreed=False),
        form=use_plain_form(ReasonForm),
    ),
    DocumentAct(
        path="withdraw",
        title="撤销",
        icon="undo",
        service=red_letter_withdraw_by_staff,
        form=use_plain_form(Form),
    ),
)


@admin.register(RedLetter)
class RedLetterAdmin(DocumentActsMixin, ReadOnlyAdmin):
    """红冲确认单 of all groups, read-only. Staff confirm, refuse and withdraw."""

    inlines = (RedLineInline,)
    list_display = (
        "red_no",
        "group",
        "invoice",
        "state",
        "reason",
        TOTAL,
        "is_for_return",
        "opened_at",
        "expires_at",
    )
    list_select_related = ("group", "invoice")
    list_filter = ("status", "reason", "is_for_return", ("group", AutocompleteSelectFilter))
    search_fields = ("red_no", "invoice__invoice_no")
    search_help_text = "按确认单号或发票号码搜索"
    acts = RED_ACTS
    service_key = "letter_id"
    readonly_fields = ("timeline", TOTAL, TAX)
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("red_no", "status"),
                    ("invoice", "red_invoice"),
                    ("reason", "note"),
                    (TOTAL, TAX),
                    "is_for_return",
                )
            },
        ),
        (
            "确认",
            {"fields": (("opened_by", "opened_at"), ("expires_at", "confirmed_at"), "answer")},
        ),
        ("时间线", {"fields": ("timeline",)}),
    )

    @display(description="状态", ordering="status", label=COLOURS)
    def state(self, letter: RedLetter) -> tuple[str, str]:
        return letter.status, letter.get_status_display()

    @admin.display(description="时间线")
    def timeline(self, letter: RedLetter) -> SafeString:
        return render_timeline(letter)

    def list_allowed_acts(self, document: RedLetter) -> tuple[str, ...]:
        return tuple(path for path, states in ALLOWED_IN.items() if document.status in states)

    def list_act_documents(self) -> QuerySet[RedLetter]:
        rows: QuerySet[RedLetter] = RedLetter.objects.all()
        return rows.select_related("invoice")

    def list_act_facts(self, document: RedLetter) -> list[tuple[str, object]]:
        return [
            ("蓝字发票", document.invoice),
            ("原因", document.get_reason_display()),
            ("说明", document.note or "—"),
            ("红冲金额", format_yuan(document.amount_incl_tax)),
            ("确认期限", document.expires_at),
        ]


register_timeline_words(RedLetter, kinds=dict(InvoiceEventKind.choices), states=dict(S.choices))
