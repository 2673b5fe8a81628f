"""预算: the list with its four figures, the ledger to look at, 新增 and 调整额度 through the services."""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateFilter
from unfold.decorators import action

from apps.budgets.admin.forms import FIELDS, HELP_TEXTS, AdjustForm, BudgetForm
from apps.budgets.models import Budget, BudgetEntry
from apps.budgets.services.budget_allocate import budget_adjust, budget_create
from apps.budgets.services.budget_rollover import rollover_text
from apps.common.admin.acting import Act, ActingMixin
from apps.common.admin.looking import LookingAdmin, LookingInline
from apps.common.admin.money import money_column, yuan_text
from apps.common.keys import key_of
from apps.common.tenancy import tenant_scope

AMOUNT, LEFT = money_column("amount", "额度"), money_column("available", "可用")
RESERVED, CONSUMED = money_column("reserved", "已预占"), money_column("consumed", "已使用")
# No column of its own behind 可用: nothing to sort by.
LEFT.admin_order_field = None


class EntryInline(LookingInline):
    model = BudgetEntry
    verbose_name_plural = "预算流水"
    per_page = 20
    fields = ("at", "kind", money_column("amount", "金额"), "reference", "actor", "note")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[BudgetEntry]:
        queryset: QuerySet[BudgetEntry] = super().get_queryset(request)
        return queryset.select_related("actor").order_by("-at", "-pk")


@admin.register(Budget)
class BudgetAdmin(ActingMixin, LookingAdmin):
    list_display = ("name", "group", "owner", "period_text", AMOUNT, RESERVED, CONSUMED, LEFT, "policy")
    list_select_related = ("group", "enterprise", "department", "account")
    list_filter = ("owner_type", "period", "policy", ("group", AutocompleteSelectFilter), ("period_from", RangeDateFilter))
    search_fields = ("name", "enterprise__name", "department__name", "account__username", "account__nickname")
    search_help_text = "按预算名称、企业、部门或账号搜索"
    ordering = ("-pk",)
    autocomplete_fields = ("enterprise", "department", "account")
    actions_detail = ("adjust_one",)
    looked_at = ("name", "group", "owner", "period_text", "policy", "rollover_words", "rolled_at", AMOUNT, RESERVED, CONSUMED, LEFT)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, "add")

    def get_inlines(self, request: HttpRequest, obj: Budget | None) -> tuple[type[EntryInline], ...]:
        return (EntryInline,) if obj is not None else ()

    def get_form(self, request: HttpRequest, obj: Budget | None = None, change: bool = False, **kwargs: Any) -> Any:
        return super().get_form(
            request, obj, change=change, **({} if obj is not None else {"form": BudgetForm, "help_texts": HELP_TEXTS}), **kwargs
        )

    def get_fieldsets(self, request: HttpRequest, obj: Budget | None = None) -> Any:
        if obj is None:
            return ((None, {"fields": FIELDS}),)
        return (
            (None, {"fields": (("name", "policy"), ("group", "owner"), ("period_text", "rollover_words"), "rolled_at")}),
            ("金额", {"fields": ((AMOUNT, LEFT), (RESERVED, CONSUMED))}),
        )

    def get_readonly_fields(self, request: HttpRequest, obj: Budget | None = None) -> tuple[Any, ...]:
        return self.looked_at if obj is not None else ()

    def save_model(self, request: HttpRequest, obj: Budget, form: Any, change: bool) -> None:
        filled = {name: form.cleaned_data[name] for name in (*FIELDS, "period_to")}
        with tenant_scope(group_id=filled["enterprise"].group_id):
            made = budget_create(actor=request.user, **filled)  # type: ignore[arg-type]
        obj.__dict__.update(made.__dict__)

    @admin.display(description="归属", ordering="owner_type")
    def owner(self, budget: Budget) -> str:
        named = budget.account or budget.department
        return f"{budget.enterprise.name} / {named}" if named else str(budget.enterprise.name)

    @admin.display(description="周期", ordering="period_from")
    def period_text(self, budget: Budget) -> str:
        return f"{budget.get_period_display()} {budget.period_from:%Y-%m-%d} 至 {budget.period_to:%Y-%m-%d}"

    @admin.display(description="结转")
    def rollover_words(self, budget: Budget) -> str:
        return rollover_text(budget)

    @action(description="调整额度", url_path="adjust", icon="tune", permissions=["act"])  # type: ignore[untyped-decorator]
    def adjust_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        budget: Budget = get_object_or_404(Budget.objects.select_related("group", *self.list_select_related), pk=key_of(object_id))

        def adjust(filled: dict[str, Any]) -> None:
            with tenant_scope(group_id=budget.group_id):
                budget_adjust(actor=request.user, budget=budget, **filled)  # type: ignore[arg-type]

        facts: list[tuple[str, object]] = [
            ("归属", self.owner(budget)),
            ("周期", self.period_text(budget)),
            ("额度", yuan_text(budget.amount)),
            ("已预占", yuan_text(budget.reserved)),
            ("已使用", yuan_text(budget.consumed)),
            ("可用", yuan_text(budget.available)),
        ]
        page = reverse("admin:budgets_budget_change", args=[budget.pk])
        return self.act_page(request, Act("调整额度", budget.name, page, AdjustForm(request.POST or None), facts), adjust)


auditlog.register(Budget, exclude_fields=["updated_at", "reserved", "consumed"])
