"""报价单 in the back office: what customers hold at which prices, and 作废 for a wrong price."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.office.acts import DocumentAct, DocumentActsMixin, use_plain_form
from apps.office.cells import build_money_column, format_yuan
from apps.office.dossier import register_timeline_words, render_timeline
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import display
from apps.quotations.enums import QuotationEventKind, QuotationState, QuotationStatus
from apps.quotations.models import Quotation, QuotationLine
from apps.quotations.selectors import build_state_condition
from apps.quotations.services import quotation_void_by_staff

S = QuotationState
COLOURS = {S.VALID: "success", S.ORDERED: "info", S.EXPIRED: "warning", S.VOIDED: "danger"}
GOODS = build_money_column("goods_amount", "商品金额（含税）")


class StateFilter(admin.SimpleListFilter):
    """Filters by the state that people see. An expired quotation is stored as valid."""

    title = "状态"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(state.value, str(state.label)) for state in QuotationState]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Quotation]) -> QuerySet[Quotation]:
        state = self.value()
        return queryset.filter(build_state_condition(state)) if state in S.values else queryset


class VoidForm(forms.Form):
    reason = forms.CharField(
        label="作废原因（客户可见）",
        max_length=200,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


class QuotationLineInline(ReadOnlyInline):
    model = QuotationLine
    fields = (
        "no",
        "product_code",
        "name",
        "quantity",
        "unit",
        build_money_column("price", "报价（含税）"),
    )
    readonly_fields = fields


@admin.register(Quotation)
class QuotationAdmin(DocumentActsMixin, ReadOnlyAdmin):
    """报价单 of all groups, read-only. Staff void one whose price is wrong, with a reason."""

    inlines = (QuotationLineInline,)
    list_display = (
        "quotation_no",
        "group",
        "enterprise",
        "requester",
        "state_text",
        GOODS,
        "valid_to",
        "quoted_at",
    )
    list_select_related = ("group", "enterprise", "requester")
    list_filter = (
        StateFilter,
        ("group", AutocompleteSelectFilter),
        ("quoted_at", RangeDateTimeFilter),
    )
    search_fields = ("quotation_no", "order_no", "requester__username", "lines__product_code")
    search_help_text = "按报价单号、订单号、生成人或商品编码搜索"
    ordering = ("-pk",)
    service_key = "quotation_id"
    acts = (
        DocumentAct(
            path="void",
            title="作废",
            icon="block",
            service=quotation_void_by_staff,
            form=use_plain_form(VoidForm),
            is_destructive=True,
        ),
    )
    readonly_fields = ("state_text", GOODS, "timeline")
    fieldsets = (
        (
            None,
            {
                "fields": (
                    ("quotation_no", "state_text"),
                    ("group", "enterprise"),
                    ("requester", "quoted_at"),
                    ("valid_to", GOODS),
                    ("order_no", "void_reason"),
                    "remark",
                )
            },
        ),
        ("时间线", {"fields": ("timeline",)}),
    )

    @display(description="状态", label=COLOURS)
    def state_text(self, quotation: Quotation) -> tuple[str, str]:
        return quotation.state, str(quotation.state.label)

    @admin.display(description="时间线")
    def timeline(self, quotation: Quotation) -> SafeString:
        return render_timeline(quotation)

    def list_allowed_acts(self, document: Quotation) -> Collection[str]:
        return ("void",) if document.state == S.VALID else ()

    def list_act_documents(self) -> QuerySet[Quotation]:
        rows: QuerySet[Quotation] = Quotation.objects.all()
        return rows.select_related("requester", "enterprise")

    def list_act_facts(self, document: Quotation) -> list[tuple[str, object]]:
        return [
            ("企业", document.enterprise),
            ("生成人", document.requester),
            ("商品金额", format_yuan(document.goods_amount)),
            ("有效期至", document.valid_to),
        ]


register_timeline_words(
    Quotation, kinds=dict(QuotationEventKind.choices), states=dict(QuotationStatus.choices)
)
