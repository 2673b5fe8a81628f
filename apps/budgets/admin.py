"""Back office: the list of budgets, their ledger, and the forms to create a budget and adjust
its amount.
"""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateFilter
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldAdminTextInputWidget

from apps.budgets.enums import BudgetOwner, BudgetRollover
from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.periods import get_period_around
from apps.budgets.services.budget_manage import (
    budget_adjust,
    budget_create,
    find_parent,
    format_rollover,
    get_rollover_terms,
)
from apps.common.errors import ValidationFailed
from apps.common.money import MoneyFormField
from apps.common.numbers import parse_key
from apps.common.tenancy import tenant_scope
from apps.office.acts import Act, ActPageMixin
from apps.office.cells import build_money_column, format_yuan
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import action, get_request_staff

FIELDS = (
    "name",
    "enterprise",
    "owner_type",
    "department",
    "account",
    "period",
    "period_from",
    "amount",
    "policy",
    "rollover",
    "rollover_cap",
    "parent",
)
HELP_TEXTS = {
    "period_from": "填写周期内任意一天，系统按所选周期取整月、整季度或整年",
    "department": "归属为“部门”时填写",
    "account": "归属为“账号”时填写",
    "amount": "元；创建后只能通过“调整额度”修改",
    "rollover_cap": "元；结转方式为“限额结转”时填写",
    "parent": "同一企业、周期包含本预算的预算；本预算的占用同时计入上级",
}


class BudgetForm(forms.ModelForm[Budget]):
    """A new budget. The owner belongs to the enterprise; the period is a whole month, quarter
    or year.

    The admin class sets model and fields: setting them here would run queries at import, outside
    any tenant scope.
    """

    def clean_amount(self) -> Any:
        amount = self.cleaned_data["amount"]
        if amount is None or amount < 0:
            raise forms.ValidationError("额度不能小于 0")
        return amount

    def clean(self) -> dict[str, Any]:
        cleaned_data: dict[str, Any] = super().clean() or self.cleaned_data
        owner, enterprise = cleaned_data.get("owner_type"), cleaned_data.get("enterprise")
        for name in (BudgetOwner.DEPARTMENT, BudgetOwner.ACCOUNT):
            value = cleaned_data.get(name)
            if owner == name and value is None:
                self.add_error(name, f"请选择{name.label}")
            elif owner is not None and owner != name and value is not None:
                self.add_error(name, f"归属为“{BudgetOwner(owner).label}”时不填{name.label}")
            elif (
                value is not None
                and enterprise is not None
                and value.enterprise_id != enterprise.pk
            ):
                self.add_error(name, f"{name.label}须属于所选企业")
        if cleaned_data.get("period") and cleaned_data.get("period_from"):
            cleaned_data["period_from"], cleaned_data["period_to"] = get_period_around(
                period=cleaned_data["period"], day=cleaned_data["period_from"]
            )
            self._clean_rollover(cleaned_data)
            if enterprise is not None and cleaned_data.get("parent") is not None:
                self._clean_parent(cleaned_data)
        return cleaned_data

    def _clean_parent(self, cleaned_data: dict[str, Any]) -> None:
        try:
            find_parent(
                parent_id=cleaned_data["parent"].pk,
                enterprise_id=cleaned_data["enterprise"].pk,
                first=cleaned_data["period_from"],
                last=cleaned_data["period_to"],
            )
        except ValidationFailed as refused:
            self.add_error("parent", refused.text)

    def _clean_rollover(self, cleaned_data: dict[str, Any]) -> None:
        way, cap = cleaned_data.get("rollover"), cleaned_data.get("rollover_cap")
        try:
            terms = get_rollover_terms(
                rollover=way or BudgetRollover.NONE, cap=cap, last=cleaned_data["period_to"]
            )
        except ValidationFailed as refused:
            self.add_error("rollover", refused.text)
        else:
            cleaned_data["rollover"], cleaned_data["rollover_cap"] = terms

    def _post_clean(self) -> None:
        """Do nothing: the service creates the instance, and the database checks its
        constraints.
        """


class AdjustForm(forms.Form):
    delta = MoneyFormField(
        label="调整金额（元）",
        help_text="调增填正数，调减填负数，例如 -500.00",
        widget=UnfoldAdminDecimalFieldWidget(attrs={"step": "0.01", "autofocus": True}),
    )
    note = forms.CharField(
        label="说明",
        max_length=200,
        help_text="写入预算流水，例如审批单号",
        widget=UnfoldAdminTextInputWidget(),
    )

    def clean_delta(self) -> Any:
        if self.cleaned_data["delta"] == 0:
            raise forms.ValidationError("调整金额不能为 0")
        return self.cleaned_data["delta"]


AMOUNT, LEFT = build_money_column("amount", "额度"), build_money_column("available", "可用")
RESERVED, CONSUMED = (
    build_money_column("reserved", "已预占"),
    build_money_column("consumed", "已使用"),
)
# 可用 is computed from other columns, so the list cannot be sorted by it.
LEFT.admin_order_field = None


class EntryInline(ReadOnlyInline):
    model = BudgetEntry
    fk_name = "budget"
    verbose_name_plural = "预算流水"
    per_page = 20
    fields = ("at", "kind", build_money_column("amount", "金额"), "reference", "actor", "note")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[BudgetEntry]:
        queryset: QuerySet[BudgetEntry] = super().get_queryset(request)
        return queryset.select_related("actor").order_by("-at", "-pk")


@admin.register(Budget)
class BudgetAdmin(ActPageMixin, ReadOnlyAdmin):
    """Staff open a budget with its form and adjust its amount (元, 含税) with an action. Both call
    the services, which write the ledger. No figure is edited.
    """

    list_display = (
        "name",
        "group",
        "owner",
        "period_text",
        AMOUNT,
        RESERVED,
        CONSUMED,
        LEFT,
        "policy",
    )
    list_select_related = (
        "group",
        "enterprise",
        "department",
        "account",
        "parent",
        "category",
        "dimension",
    )
    list_filter = (
        "owner_type",
        "period",
        "policy",
        ("group", AutocompleteSelectFilter),
        ("period_from", RangeDateFilter),
    )
    search_fields = (
        "name",
        "enterprise__name",
        "department__name",
        "account__username",
        "account__nickname",
    )
    search_help_text = "按预算名称、企业、部门或账号搜索"
    ordering = ("-pk",)
    autocomplete_fields = ("enterprise", "department", "account", "parent")
    actions_detail = ("adjust_one",)
    looked_at = (
        "name",
        "group",
        "owner",
        "parent",
        "earmark_words",
        "period_text",
        "policy",
        "rollover_words",
        "rolled_at",
        AMOUNT,
        RESERVED,
        CONSUMED,
        LEFT,
    )

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow staff with the permission to create budgets, although the page is read-only."""
        return self._may(request, "add")

    def get_inlines(
        self, request: HttpRequest, obj: Budget | None
    ) -> tuple[type[EntryInline], ...]:
        return (EntryInline,) if obj is not None else ()

    def get_form(
        self, request: HttpRequest, obj: Budget | None = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Use the form of a new budget on the page that adds one."""
        return super().get_form(
            request,
            obj,
            change=change,
            **({} if obj is not None else {"form": BudgetForm, "help_texts": HELP_TEXTS}),
            **kwargs,
        )

    def get_fieldsets(self, request: HttpRequest, obj: Budget | None = None) -> Any:
        if obj is None:
            return ((None, {"fields": FIELDS}),)
        return (
            (
                None,
                {
                    "fields": (
                        ("name", "policy"),
                        ("group", "owner"),
                        ("period_text", "rollover_words"),
                        ("parent", "rolled_at"),
                        ("earmark_words",),
                    )
                },
            ),
            ("金额", {"fields": ((AMOUNT, LEFT), (RESERVED, CONSUMED))}),
        )

    def get_readonly_fields(
        self, request: HttpRequest, obj: Budget | None = None
    ) -> tuple[Any, ...]:
        return self.looked_at if obj is not None else ()

    def save_model(self, request: HttpRequest, obj: Budget, form: Any, change: bool) -> None:
        values = {name: form.cleaned_data[name] for name in (*FIELDS, "period_to")}
        with tenant_scope(group_id=values["enterprise"].group_id):
            budget = budget_create(actor=get_request_staff(request), **values)
        obj.__dict__.update(budget.__dict__)

    @admin.display(description="归属", ordering="owner_type")
    def owner(self, budget: Budget) -> str:
        owner = budget.account or budget.department
        return f"{budget.enterprise.name} / {owner}" if owner else str(budget.enterprise.name)

    @admin.display(description="周期", ordering="period_from")
    def period_text(self, budget: Budget) -> str:
        return (
            f"{budget.get_period_display()} {budget.period_from:%Y-%m-%d} 至 "
            f"{budget.period_to:%Y-%m-%d}"
        )

    @admin.display(description="结转")
    def rollover_words(self, budget: Budget) -> str:
        return format_rollover(budget)

    @admin.display(description="限定范围")
    def earmark_words(self, budget: Budget) -> str:
        return budget.earmark_text or "不限"

    @action(description="调整额度", url_path="adjust", icon="tune", permissions=["act"])
    def adjust_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        budget: Budget = get_object_or_404(
            Budget.objects.select_related("group", *self.list_select_related),
            pk=parse_key(object_id),
        )

        def adjust(cleaned_data: dict[str, Any]) -> None:
            with tenant_scope(group_id=budget.group_id):
                budget_adjust(actor=get_request_staff(request), budget=budget, **cleaned_data)

        facts: list[tuple[str, object]] = [
            ("归属", self.owner(budget)),
            ("周期", self.period_text(budget)),
            ("额度", format_yuan(budget.amount)),
            ("已预占", format_yuan(budget.reserved)),
            ("已使用", format_yuan(budget.consumed)),
            ("可用", format_yuan(budget.available)),
        ]
        page = reverse("admin:budgets_budget_change", args=[budget.pk])
        return self.show_act_page(
            request,
            Act("调整额度", budget.name, page, AdjustForm(request.POST or None), facts),
            adjust,
        )


auditlog.register(Budget, exclude_fields=["updated_at", "reserved", "consumed"])
