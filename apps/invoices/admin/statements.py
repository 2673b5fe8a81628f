"""对账单 in the back office: the figures of each enterprise, its remarks, and the staff's
replies.
"""

from __future__ import annotations

from datetime import date
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.common.keys import key_of
from apps.invoices.admin.statement_shown import (
    COLOURS,
    statement_ages,
    statement_due,
    statement_facts,
    statement_talk,
)
from apps.invoices.models import Statement, StatementLine
from apps.invoices.services.statement_answer import ANSWERABLE, statement_reply
from apps.invoices.statement_enums import StatementStatus
from apps.office.acts import Act, ActPageMixin
from apps.office.cells import money_column, yuan_text
from apps.office.decorators import action, display
from apps.office.dossier import DossierMixin, Fact
from apps.office.read_only import ReadOnlyAdmin, ReadOnlyInline
from apps.office.timeline import register_timeline_words
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
    text = forms.CharField(
        label="答复", max_length=500, widget=UnfoldAdminTextareaWidget(attrs={"rows": 4})
    )


class StatementLineInline(ReadOnlyInline):
    model = StatementLine
    fields = ("kind", "at", "reference", "text", "quantity", money_column("amount", "金额（含税）"))
    readonly_fields = fields
    per_page = 50


@admin.register(Statement)
class StatementAdmin(DossierMixin, ActPageMixin, ReadOnlyAdmin):
    list_display = (
        "statement_no",
        "period",
        "enterprise",
        "state",
        FIGURES[-1],
        "due",
        *FIGURES[:-1],
    )
    list_filter = ("status", "month", ("group", AutocompleteSelectFilter))
    search_fields = ("statement_no", "enterprise__name")
    ordering = ("-pk",)
    fieldsets = (
        (
            "账期",
            {
                "fields": (
                    ("statement_no", "month"),
                    ("enterprise", "due"),
                    ("issued_at", "confirmed_at"),
                ),
                "classes": ("collapse",),
            },
        ),
        ("本期金额", {"fields": (FIGURES[:3], FIGURES[3:]), "classes": ("collapse",)}),
        ("账龄（当前）", {"fields": ("ages",), "classes": ("collapse",)}),
    )
    readonly_fields = ("due", *FIGURES, "ages")
    inlines = (StatementLineInline,)
    actions_detail = ("reply",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Statement]:
        rows: QuerySet[Statement] = super().get_queryset(request)
        return rows.select_related("enterprise", "group", "confirmed_by")

    def dossier(self, row: Statement) -> list[Fact]:
        """Show the facts of the first screen."""
        return statement_facts(row)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer a reply while the customer can still answer. The service refuses everything
        that is not allowed.
        """
        status = (
            Statement.objects.filter(pk=key_of(object_id)).values_list("status", flat=True).first()
        )
        return list(super().get_actions_detail(request, object_id)) if status in ANSWERABLE else []

    @display(description="状态", ordering="status", label=COLOURS)
    def state(self, statement: Statement) -> tuple[str, str]:
        """The state: running, waiting, disputed or confirmed."""
        return statement.status, statement.get_status_display()

    @display(description="账期", ordering="month")
    def period(self, statement: Statement) -> str:
        """The month of the statement."""
        return f"{statement.month:%Y-%m}"

    @display(description="付款到期日", ordering="month")
    def due(self, statement: Statement) -> date:
        """The due date of the month's last goods."""
        return statement_due(statement)

    @display(description="账龄（当前）")
    def ages(self, statement: Statement) -> str:
        """The enterprise's debts today, by age."""
        return "　".join(f"{name} {amount}" for name, amount in statement_ages(statement).items())

    @action(description="答复客户", url_path="reply", icon="reply", permissions=["act"])
    def reply(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Reply to the customer's dispute."""
        statement = get_object_or_404(
            Statement.objects.select_related("enterprise"), pk=key_of(object_id)
        )
        act = Act(
            title="答复客户",
            subject=f"{statement.enterprise} {statement.month:%Y-%m} 对账单",
            page=reverse("admin:invoices_statement_change", args=[statement.pk]),
            form=ReplyForm(request.POST or None),
            facts=[
                ("状态", statement.get_status_display()),
                ("期末应付", yuan_text(statement.closing)),
                ("异议与答复", statement_talk(statement)),
            ],
            result_text=lambda _done: "答复客户成功，对账单回到待确认",
        )
        staff = cast(Account, request.user)
        return self.act_page(
            request,
            act,
            lambda filled: statement_reply(
                actor=staff, statement_id=statement.pk, text=filled["text"]
            ),
        )


register_timeline_words(
    Statement,
    kinds={
        "statement.issued": "出账",
        f"statement.{StatementStatus.PENDING}": "答复客户",
        f"statement.{StatementStatus.DISPUTED}": "客户提出异议",
        f"statement.{StatementStatus.CONFIRMED}": "客户确认",
    },
    states=dict(StatementStatus.choices),
)
