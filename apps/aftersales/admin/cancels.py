"""取消订单 in the back office: the list by deadline, and the staff's two decisions."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timeuntil
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.aftersales.enums import CancelEventKind, CancelStatus
from apps.aftersales.models import CancelOrder, CancelOrderLine
from apps.aftersales.services.cancel_decide import cancel_grant, cancel_refuse
from apps.common.days import format_moment
from apps.office.acts import DocumentAct, DocumentActsMixin, use_plain_form
from apps.office.cells import build_money_column, format_yuan, render_two_lines
from apps.office.dossier import (
    DossierMixin,
    Fact,
    describe_waiting,
    register_timeline_words,
    render_timeline,
)
from apps.office.lists import ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import display

S = CancelStatus
BEFORE = build_money_column("total_before", "原应付金额")
AFTER = build_money_column("total_after", "取消后应付金额")
FREIGHT = build_money_column("freight_before", "原运费")
FREIGHT_AFTER = build_money_column("freight_after", "取消后运费")
GOODS = build_money_column("goods_amount", "取消商品金额")
REFUND = build_money_column("refund_amount", "退款金额")
ABOUT = (
    ("cancel_no", "status"),
    ("order_page", "group"),
    ("requester", "submitted_at"),
    ("decide_by", "is_whole"),
    ("reason_kind", "reason"),
)


STATE_COLOURS = {S.PENDING: "warning", S.DONE: "success", S.REFUSED: "danger", S.WITHDRAWN: "info"}


PAST_DEADLINE = "已到时限"


def cancel_facts(cancel: CancelOrder) -> list[Fact]:
    """Return the facts of the first screen."""
    order, time_text = cancel.order, format_time_left(cancel)
    page = reverse("admin:orders_order_change", args=[cancel.order_id])
    enterprise = reverse("admin:org_enterprise_change", args=[order.enterprise_id])
    waits = (
        describe_waiting("等待我方处理", cancel.submitted_at) if cancel.status == S.PENDING else ""
    )
    facts = [
        # A reminder means that the deadline is near, as in the list's filter 临近时限.
        Fact(
            "状态",
            cancel.get_status_display(),
            waits,
            tag=STATE_COLOURS[S(cancel.status)],
            is_late=bool(waits and cancel.reminded_at),
        ),
        _build_deadline_fact(cancel, time_text)
        if cancel.status == S.PENDING
        else _build_decision_fact(cancel),
        Fact(
            "取消商品金额（含税）",
            format_yuan(cancel.goods_amount),
            f"退款 {format_yuan(cancel.refund_amount)}",
        ),
        Fact(
            "应付金额（含税）",
            f"{format_yuan(cancel.total_before)} → {format_yuan(cancel.total_after)}",
            _format_freight_change(cancel),
        ),
        Fact(
            "订单",
            format_html('<a href="{}">{}</a>', page, order.order_no),
            order.get_status_display(),
        ),
        Fact(
            "客户",
            format_html('<a href="{}">{}</a>', enterprise, order.enterprise),
            cancel.requester or "系统",
        ),
        Fact(
            "取消范围",
            "整单取消" if cancel.is_whole else "部分取消",
            order.get_payment_kind_display(),
        ),
        Fact("申请时间", format_moment(cancel.submitted_at)),
        Fact("原因", f"{cancel.get_reason_kind_display()} {cancel.reason}", is_wide=True),
    ]
    if cancel.decision_note:
        facts.append(Fact("处理说明", cancel.decision_note, is_wide=True))
    return facts


def format_time_left(cancel: CancelOrder) -> str:
    """Return the time left for the decision as text, empty after the decision."""
    if cancel.status != S.PENDING or cancel.decide_by is None:
        return ""
    if cancel.decide_by <= timezone.now():
        return PAST_DEADLINE
    return timeuntil(cancel.decide_by).replace("\xa0", " ")


def _build_deadline_fact(cancel: CancelOrder, time_text: str) -> Fact:
    by = format_moment(cancel.decide_by) if cancel.decide_by else "—"
    note = (
        f"{PAST_DEADLINE}，将自动同意"
        if time_text == PAST_DEADLINE
        else f"还有 {time_text}，逾期自动同意"
    )
    return Fact(
        "处理时限", by, note, is_late=time_text == PAST_DEADLINE or cancel.reminded_at is not None
    )


def _build_decision_fact(cancel: CancelOrder) -> Fact:
    at = format_moment(cancel.decided_at) if cancel.decided_at else "—"
    return Fact(
        "处理时间", at, cancel.decided_by or ("客户" if cancel.status == S.WITHDRAWN else "系统")
    )


def _format_freight_change(cancel: CancelOrder) -> str:
    return f"其中运费 {format_yuan(cancel.freight_before)} → {format_yuan(cancel.freight_after)}"


class GrantForm(forms.Form):
    note = forms.CharField(
        label="处理说明（客户可见）",
        max_length=200,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
    )


class RefuseForm(forms.Form):
    reason = forms.CharField(
        label="拒绝原因（客户可见）",
        max_length=200,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


class CancelLineInline(ReadOnlyInline):
    """The lines of a cancellation, read-only, with the product and the ordered quantity of each
    order line.
    """

    model = CancelOrderLine
    fields = (
        "code",
        "name",
        "ordered",
        "quantity",
        build_money_column("amount_incl_tax", "金额（含税）"),
    )
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
    """Pending cancellations, or only those near their deadline."""

    title = "等待处理"
    parameter_name = "waiting"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", "待处理"), ("near", "临近时限")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[CancelOrder]
    ) -> QuerySet[CancelOrder]:
        if self.value() not in ("1", "near"):
            return queryset
        pending_cancels = queryset.filter(status=S.PENDING)
        return (
            pending_cancels.filter(reminded_at__isnull=False)
            if self.value() == "near"
            else pending_cancels
        )


CANCEL_ACTS = (
    DocumentAct(
        path="grant",
        title="同意取消",
        icon="check_circle",
        service=cancel_grant,
        form=use_plain_form(GrantForm),
        is_destructive=True,
    ),
    DocumentAct(
        path="refuse",
        title="拒绝取消",
        icon="block",
        service=cancel_refuse,
        form=use_plain_form(RefuseForm),
    ),
)


@admin.register(CancelOrder)
class CancelOrderAdmin(DossierMixin, DocumentActsMixin, ReadOnlyAdmin):
    """The staff's list of cancellations, pending ones first by deadline. Staff grant or refuse;
    nobody edits a row.
    """

    inlines = (CancelLineInline,)
    list_display = (
        "cancel_no",
        "order",
        "customer",
        "state",
        "left",
        "reason_kind",
        GOODS,
        REFUND,
        "submitted_at",
    )
    list_select_related = ("order", "group", "requester")
    list_filter = (
        WaitingFilter,
        "status",
        "reason_kind",
        ("group", AutocompleteSelectFilter),
        ("submitted_at", RangeDateTimeFilter),
    )
    search_fields = ("cancel_no", "order__order_no", "requester__username", "requester__nickname")
    search_help_text = "按取消单号、订单号或申请人搜索"
    ordering = (F("decide_by").asc(nulls_last=True), "-submitted_at")
    acts = CANCEL_ACTS
    service_key = "cancel_id"
    readonly_fields = (
        "order_page",
        "timeline",
        GOODS,
        FREIGHT,
        FREIGHT_AFTER,
        BEFORE,
        AFTER,
        REFUND,
    )
    fieldsets = (
        ("时间线", {"fields": ("timeline",), "classes": ("collapse",)}),
        (
            "金额（含税）",
            {
                "fields": ((GOODS, REFUND), (FREIGHT, FREIGHT_AFTER), (BEFORE, AFTER)),
                "classes": ("collapse",),
            },
        ),
        (
            "取消单",
            {
                "fields": (*ABOUT, ("decided_by", "decided_at"), "decision_note"),
                "classes": ("collapse",),
            },
        ),
    )

    def build_dossier(self, row: CancelOrder) -> list[Fact]:
        """Show the facts of the first screen."""
        return cancel_facts(row)

    @display(description="状态", ordering="status", label=STATE_COLOURS)
    def state(self, cancel: CancelOrder) -> tuple[str, str]:
        return cancel.status, cancel.get_status_display()

    @admin.display(description="客户", ordering="group")
    def customer(self, cancel: CancelOrder) -> SafeString:
        """The group and the requester."""
        return render_two_lines(cancel.group, cancel.requester)

    @admin.display(description="剩余时间", ordering="decide_by")
    def left(self, cancel: CancelOrder) -> str:
        """Return the time left for the decision."""
        return format_time_left(cancel) or "—"

    @admin.display(description="订单")
    def order_page(self, cancel: CancelOrder) -> SafeString:
        page = reverse("admin:orders_order_change", args=[cancel.order_id])
        return format_html('<a href="{}">{}</a>', page, cancel.order.order_no)

    @admin.display(description="时间线")
    def timeline(self, cancel: CancelOrder) -> SafeString:
        return render_timeline(cancel)

    def list_allowed_acts(self, document: CancelOrder) -> tuple[str, ...]:
        return ("grant", "refuse") if document.status == S.PENDING else ()

    def list_act_documents(self) -> QuerySet[CancelOrder]:
        rows: QuerySet[CancelOrder] = CancelOrder.objects.all()
        return rows.select_related("order__enterprise", "requester")

    def list_act_facts(self, document: CancelOrder) -> list[tuple[str, object]]:
        lines = document.lines.select_related("order_line").order_by("order_line__no")
        goods = "，".join(f"{row.order_line.name} × {row.quantity}" for row in lines)
        total_before, total_after = document.total_before, document.total_after
        return [
            ("企业", document.order.enterprise),
            ("订单", f"{document.order.order_no}（{document.order.get_status_display()}）"),
            ("取消商品", goods),
            ("原因", f"{document.get_reason_kind_display()} {document.reason}"),
            ("应付金额", f"{format_yuan(total_before)} → {format_yuan(total_after)}"),
            ("退款", format_yuan(document.refund_amount)),
            ("处理时限", format_moment(document.decide_by) if document.decide_by else "—"),
        ]


register_timeline_words(
    CancelOrder, kinds=dict(CancelEventKind.choices), states=dict(CancelStatus.choices)
)
