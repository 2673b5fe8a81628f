"""对账单 in the back office: the figures of each enterprise, its remarks, and replies."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.common.days import format_moment, get_next_month
from apps.common.money import ZERO
from apps.common.numbers import parse_key
from apps.invoices.enums import DebtAge, StatementStatus
from apps.invoices.models import BankMatch, Statement, StatementLine
from apps.invoices.selectors.bank_receipts import list_open_orders
from apps.invoices.selectors.debts import get_debts
from apps.invoices.selectors.statements import list_disputed_statements, list_statement_remarks
from apps.invoices.services.statements import ANSWERABLE, statement_reply
from apps.office.acts import Act, ActPageMixin
from apps.office.cells import build_money_column, format_yuan
from apps.office.dossier import DossierMixin, Fact, describe_waiting, register_timeline_words
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import action, cache_on_instance, display, get_request_staff

S = StatementStatus
COLOURS = {S.RUNNING: "info", S.PENDING: "warning", S.DISPUTED: "danger", S.CONFIRMED: "success"}
FIGURES = (
    build_money_column("opening", "期初应付"),
    build_money_column("deliveries", "本期签收"),
    build_money_column("returns", "本期退货"),
    build_money_column("invoiced", "本期开票"),
    build_money_column("paid", "本期付款"),
    build_money_column("closing", "期末应付"),
)


class ReplyForm(forms.Form):
    text = forms.CharField(
        label="答复", max_length=500, widget=UnfoldAdminTextareaWidget(attrs={"rows": 4})
    )


class StatementLineInline(ReadOnlyInline):
    model = StatementLine
    fields = (
        "kind",
        "at",
        "reference",
        "text",
        "quantity",
        build_money_column("amount", "金额（含税）"),
    )
    readonly_fields = fields
    per_page = 50


@admin.register(Statement)
class StatementAdmin(DossierMixin, ActPageMixin, ReadOnlyAdmin):
    """Monthly statements of all enterprises, read-only. Staff reply to the customer's remarks."""

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

    def build_dossier(self, row: Statement) -> list[Fact]:
        """Show the facts of the first screen."""
        return build_statement_facts(row)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer a reply while the customer can still answer. The service refuses everything
        that is not allowed.
        """
        status = (
            Statement.objects.filter(pk=parse_key(object_id))
            .values_list("status", flat=True)
            .first()
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
        return get_statement_due_date(statement)

    @display(description="账龄（当前）")
    def ages(self, statement: Statement) -> str:
        """The enterprise's debts today, by age."""
        return "　".join(
            f"{name} {amount}" for name, amount in get_statement_ages(statement).items()
        )

    @action(description="答复客户", url_path="reply", icon="reply", permissions=["act"])
    def reply(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Reply to the customer's dispute."""
        statement = get_object_or_404(
            Statement.objects.select_related("enterprise"), pk=parse_key(object_id)
        )
        act = Act(
            title="答复客户",
            subject=f"{statement.enterprise} {statement.month:%Y-%m} 对账单",
            page=reverse("admin:invoices_statement_change", args=[statement.pk]),
            form=ReplyForm(request.POST or None),
            facts=[
                ("状态", statement.get_status_display()),
                ("期末应付", format_yuan(statement.closing)),
                ("异议与答复", format_statement_remarks(statement)),
            ],
            result_text=lambda _done: "答复客户成功，对账单回到待确认",
        )
        staff = get_request_staff(request)
        return self.show_act_page(
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


def build_statement_facts(statement: Statement) -> list[Fact]:
    """Return the facts of the first screen."""
    status = S(statement.status)
    owed_amount = sum(_sum_debts_by_age(statement).values(), ZERO)
    overdue = owed_amount - _sum_debts_by_age(statement)[DebtAge.NOT_DUE]
    enterprise = reverse("admin:org_enterprise_change", args=[statement.enterprise_id])
    facts = [
        Fact(
            "状态",
            status.label,
            _status_note(statement),
            tag=COLOURS[status],
            is_late=status == S.DISPUTED,
        ),
        Fact(
            "期末应付", format_yuan(statement.closing), f"期初应付 {format_yuan(statement.opening)}"
        ),
        _open_orders_fact(statement),
        Fact(
            "付款到期日",
            f"{get_statement_due_date(statement):%Y-%m-%d}",
            f"账期 {statement.month:%Y-%m}",
        ),
        Fact(
            "客户",
            format_html('<a href="{}">{}</a>', enterprise, statement.enterprise),
            statement.group,
        ),
        Fact(
            "本期签收",
            format_yuan(statement.deliveries),
            f"本期退货 {format_yuan(statement.returns)}",
        ),
        Fact(
            "本期付款", format_yuan(statement.paid), f"本期开票 {format_yuan(statement.invoiced)}"
        ),
        Fact(
            "客户目前欠款",
            format_yuan(owed_amount),
            f"已逾期 {format_yuan(overdue)}" if overdue else "",
            is_late=bool(overdue),
        ),
    ]
    remarks = format_statement_remarks(statement)
    if remarks == "—":
        return facts
    return [*facts, Fact("异议与答复", remarks, is_wide=True)]


def get_statement_due_date(statement: Statement) -> date:
    """Return the due date of the month's last goods."""
    return (
        get_next_month(statement.month)
        - timedelta(days=1)
        + timedelta(days=statement.enterprise.credit_days)
    )


def get_statement_ages(statement: Statement) -> dict[str, str]:
    """Return the enterprise's debts today by age, as text."""
    return {
        str(name): format_yuan(_sum_debts_by_age(statement)[code]) for code, name in DebtAge.choices
    }


def format_statement_remarks(statement: Statement) -> SafeString | str:
    """Return the remarks, oldest first, or a dash if there are none."""
    rows = (
        (
            format_moment(row.at),
            row.author.nickname,
            row.line.text if row.line else "整单",
            row.text,
        )
        for row in cache_on_instance(
            statement, "talk", lambda: list_statement_remarks(statement=statement)
        )
    )
    return format_html_join("", "<p>{} {}（{}）：{}</p>", rows) or "—"


def _status_note(statement: Statement) -> str:
    match statement.status:
        case S.RUNNING:
            return f"{get_next_month(statement.month):%Y-%m-%d} 起出账"
        case S.PENDING:
            return describe_waiting("等待客户确认", statement.issued_at)
        case S.DISPUTED:
            row = list_disputed_statements().filter(pk=statement.pk).first()
            return describe_waiting("等待我方答复", getattr(row, "disputed_at", None))
    by = f"{statement.confirmed_by} " if statement.confirmed_by else ""
    return f"{by}{format_moment(statement.confirmed_at)}" if statement.confirmed_at else ""


def _open_orders_fact(statement: Statement) -> Fact:
    """Return the unpaid amount of the statement's orders, and the bank receipts matched by the
    statement.
    """
    orders = list_open_orders(enterprise_id=statement.enterprise_id, statement=statement)
    open_amount = sum((row.left for row in orders), ZERO)
    matched_text = (
        BankMatch.objects.filter(statement=statement, undone_at=None).aggregate(sum=Sum("amount"))[
            "sum"
        ]
        or ZERO
    )
    notes = [f"{len(orders)} 张订单未结清"] if orders else ["本期订单已结清"]
    notes += [f"银行到账已匹配 {format_yuan(matched_text)}"] if matched_text else []
    return Fact("本期订单未结", format_yuan(open_amount), "，".join(notes))


def _sum_debts_by_age(statement: Statement) -> dict[str, Decimal]:
    """Return what the statement's enterprise owes today: {DebtAge: 元}."""
    ages = cache_on_instance(
        statement, "ages", lambda: get_debts([statement.enterprise], today=timezone.localdate())
    )
    return ages[statement.enterprise_id]
