"""价格预警 in the back office: agreed prices above the market price, and large price changes. Staff
close an alarm with a note, or the price is corrected.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

from auditlog.registry import auditlog
from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.widgets import UnfoldAdminTextareaWidget

from apps.catalog.models import Product
from apps.common.numbers import parse_key
from apps.common.queries import list_waiting
from apps.office.acts import Act, ActPageMixin
from apps.office.cells import build_money_column, format_yuan
from apps.office.first_page import ROWS, Todo, WorkPart, build_work_card
from apps.office.lists import ReadOnlyAdmin
from apps.office.pages import action, get_request_staff
from apps.pricing.admin.price_moves import format_price_change
from apps.pricing.models import PriceAlarm
from apps.pricing.services.price_alarms import price_alarm_confirm

# Relations in the name of an alarm, for select_related.
ALARM_RELATIONS = ("item__product", "item__price_list", "product")


class NoteForm(forms.Form):
    note = forms.CharField(
        label="说明",
        max_length=200,
        help_text="为什么可以是这个价格，例如：含送货上楼和安装；原材料涨价，已与客户确认",
        error_messages={"required": "请填写说明"},
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
    )


class OpenFilter(admin.SimpleListFilter):
    title = "状态"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("open", "待确认"), ("seen", "已确认")]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[PriceAlarm]
    ) -> QuerySet[PriceAlarm]:
        return (
            queryset.filter(seen_at__isnull=self.value() == "open")
            if self.value() in ("open", "seen")
            else queryset
        )


def get_alarm_product(alarm: PriceAlarm) -> Product:
    """Return the product of the alarm."""
    return cast("Product", alarm.item.product if alarm.item else alarm.product)


def list_of(alarm: PriceAlarm) -> str:
    """Return the name of the price list, or 市场价."""
    return str(alarm.item.price_list) if alarm.item else "市场价"


def describe_reason(alarm: PriceAlarm) -> str:
    """Return the reason as text: how far the price is above the market price, or how much it
    changed.
    """
    if alarm.price_before is None:
        return f"比市场价高 {format_yuan(alarm.price - alarm.market_price)}"
    return format_price_change(alarm.price_before, alarm.price)


@admin.register(PriceAlarm)
class PriceAlarmAdmin(ActPageMixin, ReadOnlyAdmin):
    """Open and closed price alarms, read-only. Staff close one with a note; the system deletes one
    whose price has been corrected.
    """

    list_display = (
        "subject",
        "price_list",
        "kind",
        build_money_column("price", "当前价"),
        build_money_column("price_before", "变动前价"),
        build_money_column("market_price", "市场价"),
        "reason",
        "found_at",
        "seen_by",
        "note",
    )
    list_display_links = ("subject",)
    list_select_related = ("item__product", "item__price_list", "product", "seen_by")
    list_filter = (OpenFilter, "kind", ("seen_by", AutocompleteSelectFilter))
    search_fields = (
        "item__product__code",
        "product__code",
        "item__price_list__code",
        "item__price_list__name",
    )
    search_help_text = "按商品编码或价目表搜索"
    actions_detail = ("see_one",)
    fields = (
        ("subject", "price_list"),
        "kind",
        ("price", "price_before", "market_price"),
        ("reason", "found_at"),
        ("seen_by", "seen_at"),
        "note",
    )
    readonly_fields = ("subject", "price_list", "reason", "found_at")

    @admin.display(description="商品")
    def subject(self, alarm: PriceAlarm) -> str:
        return str(get_alarm_product(alarm))

    @admin.display(description="价目表")
    def price_list(self, alarm: PriceAlarm) -> str:
        return list_of(alarm)

    @admin.display(description="原因")
    def reason(self, alarm: PriceAlarm) -> str:
        return describe_reason(alarm)

    @action(description="确认", url_path="see", icon="done", permissions=["act"])
    def see_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show the form for the note, and close the alarm with it."""
        alarm = get_object_or_404(
            PriceAlarm.objects.select_related(*ALARM_RELATIONS), pk=parse_key(object_id)
        )
        facts: list[tuple[str, object]] = [
            ("价目表", list_of(alarm)),
            ("原因", describe_reason(alarm)),
            ("当前价", format_yuan(alarm.price)),
            ("市场价", format_yuan(alarm.market_price)),
        ]
        page = reverse("admin:pricing_pricealarm_changelist") + "?state=open"
        act = Act(
            "确认预警", str(get_alarm_product(alarm)), page, NoteForm(request.POST or None), facts
        )
        see = partial(price_alarm_confirm, actor=get_request_staff(request), alarm_id=alarm.pk)
        return self.show_act_page(request, act, lambda filled: see(**filled))

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """Offer the action only for an open alarm."""
        is_open = PriceAlarm.objects.filter(pk=parse_key(object_id), seen_at__isnull=True).exists()
        return list(super().get_actions_detail(request, object_id)) if is_open else []


def build_alarms_part(request: HttpRequest) -> WorkPart | None:
    """Return the card and the list of open alarms for the start page. None without the
    permission to close them.
    """
    if not request.user.has_perm("pricing.change_pricealarm"):
        return None
    alarms = (
        PriceAlarm.objects.filter(seen_at__isnull=True)
        .select_related(*ALARM_RELATIONS)
        .order_by("found_at", "pk")
    )
    open_alarms = list_waiting(alarms, since="found_at", limit=ROWS)
    rows = []
    for alarm in open_alarms.rows:
        page = reverse("admin:pricing_pricealarm_change", args=[alarm.pk])
        rows.append(
            Todo(
                get_alarm_product(alarm).code,
                page,
                list_of(alarm),
                describe_reason(alarm),
                alarm.found_at,
                "确认",
                page.replace("/change/", "/see/"),
            )
        )
    link = reverse("admin:pricing_pricealarm_changelist") + "?state=open"
    card = build_work_card(
        title="价格预警",
        number=open_alarms.number,
        icon="price_change",
        link=link,
        oldest=open_alarms.oldest,
        is_late=False,
    )
    return WorkPart(card, {"title": "待确认的价格", "rows": rows, "all": link})


auditlog.register(PriceAlarm)
