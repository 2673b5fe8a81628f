"""取消订单 in the back office: what waits, by its deadline, and what staff decide, through the services."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.aftersales.admin.cancel_shown import STATE_COLOURS, cancel_facts, time_left
from apps.aftersales.cancel_enums import CancelEventKind, CancelStatus
from apps.aftersales.models import CancelOrder, CancelOrderLine
from apps.aftersales.services.cancel_decide import cancel_grant, cancel_refuse
from apps.common.admin.acting import Act, ActingMixin
from apps.common.admin.cells import two_lines
from apps.common.admin.dossier import DossierMixin, Fact
from apps.common.admin.looking import LookingAdmin, LookingInline
from apps.common.admin.money import money_column, yuan_text
from apps.common.admin.timeline import timeline_table, timeline_words
from apps.common.days import moment_text
from apps.common.keys import key_of

S = CancelStatus
BEFORE, AFTER = money_column("total_before", "原应付金额"), money_column("total_after", "取消后应付金额")
FREIGHT, FREIGHT_AFTER = money_column("freight_before", "原运费"), money_column("freight_after", "取消后运费")
GOODS, REFUND = money_column("goods_amount", "取消商品金额"), money_column("refund_amount", "退款金额")


ABOUT = (
    ("cancel_no", "status"),
    ("order_page", "group"),
    ("requester", "submitted_at"),
    ("decide_by", "is_whole"),
    ("reason_kind", "reason"),
)


class GrantForm(forms.Form):
    note = forms.CharField(
        label="处理说明（客户可见）", max_length=200, required=False, widget=UnfoldAdminTextareaWidget(attrs={"rows": 2})
    )


class RefuseForm(forms.Form):
    reason = forms.CharField(label="拒绝原因（客户可见）", max_length=200, widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}))


class CancelLineInline(LookingInline):
    model = CancelOrderLine
    fields = ("code", "name", "ordered", "quantity", money_column("amount_incl_tax", "金额（含税）"))
    readonly_fields = fields

    @admin.display(description="商品编码")
    def code(self, line: CancelOrderLine) -> str:
        return str(line.order_line.product_code)

    @admin.display(description="订购数量")
    def ordered(self, line: CancelOrderLine) -> int:
        return int(line.order_line.quantity)

    @admin.display(description="名称")
    def name(self, line: CancelOrderLine) -> str:
        return str(line.order_line.name)

    def get_queryset(self, request: HttpRequest) -> QuerySet[CancelOrderLine]:
        queryset: QuerySet[CancelOrderLine] = super().get_queryset(request)
        return queryset.select_related("order_line")


class WaitingFilter(admin.SimpleListFilter):
    """What waits for an answer, and of it what is near its deadline."""

    title = "等待处理"
    parameter_name = "waiting"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", "待处理"), ("near", "临近时限")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[CancelOrder]) -> QuerySet[CancelOrder]:
        if self.value() not in ("1", "near"):
            return queryset
        waiting = queryset.filter(status=S.PENDING)
        return waiting.filter(reminded_at__isnull=False) if self.value() == "near" else waiting


@admin.register(CancelOrder)
class CancelOrderAdmin(DossierMixin, ActingMixin, LookingAdmin):
    inlines = (CancelLineInline,)
    list_display = ("cancel_no", "order", "customer", "state", "left", "reason_kind", GOODS, REFUND, "submitted_at")
    list_select_related = ("order", "group", "requester")
    list_filter = (WaitingFilter, "status", "reason_kind", ("group", AutocompleteSelectFilter), ("submitted_at", RangeDateTimeFilter))
    search_fields = ("cancel_no", "order__order_no", "requester__username", "requester__nickname")
    search_help_text = "按取消单号、订单号或申请人搜索"
    ordering = (F("decide_by").asc(nulls_last=True), "-submitted_at")
    actions_detail = ("grant_one", "refuse_one")
    readonly_fields = ("order_page", "timeline", GOODS, FREIGHT, FREIGHT_AFTER, BEFORE, AFTER, REFUND)
    fieldsets = (
        ("时间线", {"fields": ("timeline",), "classes": ("collapse",)}),
        ("金额（含税）", {"fields": ((GOODS, REFUND), (FREIGHT, FREIGHT_AFTER), (BEFORE, AFTER)), "classes": ("collapse",)}),
        ("取消单", {"fields": (*ABOUT, ("decided_by", "decided_at"), "decision_note"), "classes": ("collapse",)}),
    )

    def dossier(self, row: CancelOrder) -> list[Fact]:
        """The first screen."""
        return cancel_facts(row)

    @display(description="状态", ordering="status", label=STATE_COLOURS)  # type: ignore[untyped-decorator]
    def state(self, cancel: CancelOrder) -> tuple[str, str]:
        return cancel.status, cancel.get_status_display()

    @admin.display(description="客户", ordering="group")
    def customer(self, cancel: CancelOrder) -> SafeString:
        """The group over who asks."""
        return two_lines(cancel.group, cancel.requester)

    @admin.display(description="剩余时间", ordering="decide_by")
    def left(self, cancel: CancelOrder) -> str:
        """Return how long staff still have."""
        return time_left(cancel) or "—"

    @admin.display(description="订单")
    def order_page(self, cancel: CancelOrder) -> SafeString:
        page = reverse("admin:orders_order_change", args=[cancel.order_id])
        return format_html('<a href="{}">{}</a>', page, cancel.order.order_no)

    @admin.display(description="时间线")
    def timeline(self, cancel: CancelOrder) -> SafeString:
        return timeline_table(cancel)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Only what waits is decided; the services refuse the rest."""
        is_open = CancelOrder.objects.filter(pk=key_of(object_id), status=S.PENDING).exists()
        return super().get_actions_detail(request, object_id) if is_open else []

    @action(description="同意取消", url_path="grant", icon="check_circle", permissions=["act"])  # type: ignore[untyped-decorator]
    def grant_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        cancel = self._cancel(object_id)
        service = partial(cancel_grant, actor=self._staff(request), cancel_id=cancel.pk)
        return self._act(request, cancel, "同意取消", GrantForm(request.POST or None), lambda filled: service(**filled), is_final=True)

    @action(description="拒绝取消", url_path="refuse", icon="block", permissions=["act"])  # type: ignore[untyped-decorator]
    def refuse_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        cancel = self._cancel(object_id)
        service = partial(cancel_refuse, actor=self._staff(request), cancel_id=cancel.pk)
        return self._act(request, cancel, "拒绝取消", RefuseForm(request.POST or None), lambda filled: service(**filled))

    @staticmethod
    def _cancel(object_id: str) -> CancelOrder:
        rows = CancelOrder.objects.select_related("order__enterprise", "requester")
        cancel: CancelOrder = get_object_or_404(rows, pk=key_of(object_id))
        return cancel

    @staticmethod
    def _staff(request: HttpRequest) -> Any:
        return request.user

    def _act(
        self,
        request: HttpRequest,
        cancel: CancelOrder,
        title: str,
        form: forms.Form,
        service: Callable[[dict[str, Any]], object],
        *,
        is_final: bool = False,
    ) -> HttpResponse:
        """Show what is decided on, and the form."""
        lines = cancel.lines.select_related("order_line").order_by("order_line__no")
        goods = "，".join(f"{row.order_line.name} × {row.quantity}" for row in lines)
        until = moment_text(cancel.decide_by) if cancel.decide_by else "—"
        facts: list[tuple[str, object]] = [
            ("企业", cancel.order.enterprise),
            ("订单", f"{cancel.order.order_no}（{cancel.order.get_status_display()}）"),
            ("取消商品", goods),
            ("原因", f"{cancel.get_reason_kind_display()} {cancel.reason}"),
            ("应付金额", f"{yuan_text(cancel.total_before)} → {yuan_text(cancel.total_after)}"),
            ("退款", yuan_text(cancel.refund_amount)),
            ("处理时限", until),
        ]
        page = reverse("admin:aftersales_cancelorder_change", args=[cancel.pk])
        act = Act(title, cancel.cancel_no, page, form, facts, is_final=is_final)
        return self.act_page(request, act, service)


timeline_words(CancelOrder, kinds=dict(CancelEventKind.choices), states=dict(CancelStatus.choices))
