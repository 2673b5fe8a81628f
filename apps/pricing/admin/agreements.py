"""Back office: assortments (商品范围), agreements (协议) and customer agreements (客户协议)."""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils import timezone
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateFilter

from apps.catalog.admin.base import CatalogueAdmin, CatalogueInline
from apps.catalog.admin.imports import ImportExportMixin
from apps.office.lists import count_related
from apps.office.pages import display
from apps.pricing.enums import RuleKind
from apps.pricing.models import Agreement, Assortment, AssortmentRule, CustomerAgreement


class AssortmentRuleForm(ModelForm[AssortmentRule]):
    """Validates that the target of a rule matches its kind."""

    def clean(self) -> dict[str, Any]:
        """Check that exactly the field of the rule's kind is filled."""
        values: dict[str, Any] = super().clean() or {}
        kind = values.get("kind")
        for name in (RuleKind.CATEGORY, RuleKind.BRAND, RuleKind.PRODUCT):
            if kind == name and values.get(name) is None:
                self.add_error(name, f"请选择{name.label}")
            elif kind is not None and kind != name and values.get(name) is not None:
                self.add_error(name, f"对象为“{RuleKind(kind).label}”时不填{name.label}")
        return values


class AssortmentRuleInline(CatalogueInline):
    model = AssortmentRule
    form = AssortmentRuleForm
    fields = ("mode", "kind", "category", "brand", "product")
    autocomplete_fields = ("category", "brand", "product")

    def get_queryset(self, request: HttpRequest) -> QuerySet[AssortmentRule]:
        queryset: QuerySet[AssortmentRule] = super().get_queryset(request)
        return queryset.select_related("category", "brand", "product", "assortment").order_by(
            "mode", "kind", "pk"
        )


class AgreementCustomerInline(CatalogueInline):
    model = CustomerAgreement
    fields = ("group", "enterprise", "priority")
    autocomplete_fields = ("group", "enterprise")


@admin.register(Assortment)
class AssortmentAdmin(ImportExportMixin, CatalogueAdmin):
    import_kinds = ("assortments", "assortment_rules")
    inlines = (AssortmentRuleInline,)
    list_display = ("code", "name", "rule_count")
    list_display_links = ("code", "name")
    search_fields = ("code", "name")
    search_help_text = "按编码或名称搜索"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Assortment]:
        queryset: QuerySet[Assortment] = super().get_queryset(request)
        return queryset.annotate(
            count_of_rules=count_related(AssortmentRule.objects.all(), "assortment")
        )

    @display(description="规则数", ordering="count_of_rules")
    def rule_count(self, assortment: Any) -> int:
        """Return the number of rules of the assortment."""
        return int(assortment.count_of_rules)


@admin.register(Agreement)
class AgreementAdmin(ImportExportMixin, CatalogueAdmin):
    import_kinds = ("agreements",)
    takes_customer_sheets = True
    inlines = (AgreementCustomerInline,)
    list_display = ("code", "name", "price_list", "assortment", "valid_from", "valid_to", "state")
    list_display_links = ("code", "name")
    list_select_related = ("price_list", "assortment")
    list_filter = (("price_list", AutocompleteSelectFilter), ("valid_to", RangeDateFilter))
    search_fields = ("code", "name")
    search_help_text = "按编码或名称搜索"
    autocomplete_fields = ("price_list", "assortment")

    @display(description="状态", label={"生效中": "success", "未生效": "info", "已到期": "danger"})
    def state(self, agreement: Agreement) -> str:
        """Return whether the agreement is valid today."""
        today = timezone.localdate()
        if agreement.valid_from > today:
            return "未生效"
        return (
            "已到期" if agreement.valid_to is not None and agreement.valid_to < today else "生效中"
        )


@admin.register(CustomerAgreement)
class CustomerAgreementAdmin(ImportExportMixin, CatalogueAdmin):
    import_kinds = ("customer_agreements",)
    takes_customer_sheets = True
    list_display = ("group", "customer", "agreement", "priority")
    list_display_links = ("agreement",)
    list_select_related = ("group", "enterprise", "agreement")
    list_filter = (("group", AutocompleteSelectFilter), ("agreement", AutocompleteSelectFilter))
    search_fields = (
        "group__name",
        "group__code",
        "enterprise__name",
        "agreement__code",
        "agreement__name",
    )
    search_help_text = "按集团、企业或协议搜索"
    ordering = ("group_id", "priority")
    autocomplete_fields = ("group", "enterprise", "agreement")

    @display(description="适用企业", ordering="enterprise__name")
    def customer(self, row: CustomerAgreement) -> str:
        """Return the enterprise, or that the agreement applies to the whole group."""
        return row.enterprise.name if row.enterprise else "全集团"


auditlog.register(Assortment)
auditlog.register(AssortmentRule)
auditlog.register(Agreement)
auditlog.register(CustomerAgreement)
