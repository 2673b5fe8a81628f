"""对账单 in the back office: what each enterprise owes, what it says to it, and our answer."""

from __future__ import annotations

from datetime import date, timedelta
from typing import cast

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.common.admin.acting import Act, ActingMixin
from apps.common.admin.kept import kept
from apps.common.admin.looking import LookingAdmin, LookingInline
from apps.common.admin.money import money_column, yuan_text
from apps.common.admin.timeline import timeline_words
from apps.common.days import moment_text
from apps.common.keys import key_of
from apps.invoices.models import Statement, StatementLine
from apps.invoices.months import next_month
from apps.invoices.selectors.debts import debts_of
from apps.invoices.selectors.statements import statement_remarks
from apps.invoices.services.statement_answer import statement_reply
from apps.invoices.statement_enums import DebtAge, StatementStatus
from apps.org.models import Account

FIGURES = (
    money_column("opening", "期初应付"),
    money_column("deliveries", "本期签收"),
    money_column("returns", "本期退货"),
    money_column("invoiced", "本期开票"),
    money_column("paid", "本期付款"),
    money_column("closing", "期末应付"),
)


class ReplyForm(forms.Form):
    text = forms.CharField(label="答复", max_length=500, widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}))


class StatementLineInline(LookingInline):
    model = StatementLine
    fields = ("kind", "at", "reference", "text", "quantity", money_column("amount", "金额（含税）"))
    readonly_fields = fields
    per_page = 50


@admin.register(Statement)
class StatementAdmin(ActingMixin, LookingAdmin):
    list_display = ("statement_no", "period", "enterprise", *FIGURES, "status", "due")
    list_filter = ("status", "month", ("group", AutocompleteSelectFilter))
    search_fields = ("statement_no", "enterprise__name")
    ordering = ("-pk",)
    fields = ("statement_no", "month", "enterprise", "status", "due", *FIGURES, "ages", "talk")
    readonly_fields = ("due", "ages", "talk")
    inlines = (StatementLineInline,)
    actions_detail = ("reply",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Statement]:
        rows: QuerySet[Statement] = super().get_queryset(request)
        return rows.select_related("enterprise")

    @display(description="账期", ordering="month")  # type: ignore[untyped-decorator]
    def period(self, statement: Statement) -> str:
        """The month that it is of."""
        return f"{statement.month:%Y-%m}"

    @display(description="付款到期日", ordering="month")  # type: ignore[untyped-decorator]
    def due(self, statement: Statement) -> date:
        """The day by which the last of the month's goods are to be paid."""
        return next_month(statement.month) - timedelta(days=1) + timedelta(days=statement.enterprise.credit_days)

    @display(description="账龄（当前）")  # type: ignore[untyped-decorator]
    def ages(self, statement: Statement) -> str:
        """What the enterprise owes now, by age."""
        found = kept(statement, "ages", lambda: debts_of([statement.enterprise], today=timezone.localdate()))
        ages = found[statement.enterprise_id]
        return "　".join(f"{name} {yuan_text(ages[code])}" for code, name in DebtAge.choices)

    @display(description="异议与答复")  # type: ignore[untyped-decorator]
    def talk(self, statement: Statement) -> SafeString | str:
        """What was said, oldest first."""
        rows = (
            (moment_text(row.at), row.author.nickname, row.line.text if row.line else "整单", row.text)
            for row in kept(statement, "talk", lambda: statement_remarks(statement=statement))
        )
        return format_html_join("", "<p>{} {}（{}）：{}</p>", rows) or "—"

    @action(description="答复客户", url_path="reply", permissions=["act"])  # type: ignore[untyped-decorator]
    def reply(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Answer what the customer disputes."""
        statement = get_object_or_404(Statement.objects.select_related("enterprise"), pk=key_of(object_id))
        act = Act(
            title="答复客户",
            subject=f"{statement.enterprise} {statement.month:%Y-%m} 对账单",
            page=reverse("admin:invoices_statement_change", args=[statement.pk]),
            form=ReplyForm(request.POST or None),
            facts=[
                ("状态", statement.get_status_display()),
                ("期末应付", yuan_text(statement.closing)),
                ("异议与答复", self.talk(statement)),
            ],
            said=lambda _done: "答复客户成功，对账单回到待确认",
        )
        staff = cast(Account, request.user)
        return self.act_page(request, act, lambda filled: statement_reply(actor=staff, statement_id=statement.pk, text=filled["text"]))


timeline_words(
    Statement,
    kinds={
        "statement.issued": "出账",
        f"statement.{StatementStatus.PENDING}": "答复客户",
        f"statement.{StatementStatus.DISPUTED}": "客户提出异议",
        f"statement.{StatementStatus.CONFIRMED}": "客户确认",
    },
    states=dict(StatementStatus.choices),
)
