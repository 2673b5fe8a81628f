"""发货单 and 运费表 in the admin. Shipments are read only, with the delivery note to print."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from unfold.contrib.filters.admin import AutocompleteSelectFilter, RangeDateTimeFilter

from apps.common.numbers import parse_key
from apps.content.selectors.site import get_site_setting
from apps.office.cells import build_money_column
from apps.office.lists import OfficeAdmin, ReadOnlyAdmin, ReadOnlyInline
from apps.office.pages import action
from apps.orders.models import FreightRegion, Shipment, ShipmentLine


class ShipmentLineInline(ReadOnlyInline):
    model = ShipmentLine
    fields = ("code", "name", "unit", "ordered", "quantity", "received_quantity")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[ShipmentLine]:
        queryset: QuerySet[ShipmentLine] = super().get_queryset(request)
        return queryset.select_related("order_line").order_by("order_line__no")

    @admin.display(description="商品编码")
    def code(self, line: ShipmentLine) -> str:
        return line.order_line.product_code

    @admin.display(description="名称")
    def name(self, line: ShipmentLine) -> str:
        return line.order_line.name

    @admin.display(description="单位")
    def unit(self, line: ShipmentLine) -> str:
        return line.order_line.unit

    @admin.display(description="订购数量")
    def ordered(self, line: ShipmentLine) -> int:
        return line.order_line.quantity


@admin.register(Shipment)
class ShipmentAdmin(ReadOnlyAdmin):
    """Shipments of all groups, read-only, with the delivery note to print. Staff ship on the page
    of the order.
    """

    inlines = (ShipmentLineInline,)
    list_display = (
        "shipment_no",
        "order",
        "enterprise",
        "carrier",
        "tracking_no",
        "shipped_at",
        "received_at",
    )
    list_filter = (
        ("order__enterprise", AutocompleteSelectFilter),
        ("shipped_at", RangeDateTimeFilter),
    )
    list_select_related = ("order", "order__enterprise")
    search_fields = ("shipment_no", "tracking_no", "order__order_no")
    search_help_text = "按发货单号、运单号或订单号搜索"
    ordering = ("-pk",)
    actions_detail = ("print_one",)

    @admin.display(description="企业", ordering="order__enterprise__name")
    def enterprise(self, shipment: Shipment) -> str:
        return str(shipment.order.enterprise)

    def has_look_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        return self.has_view_permission(request)

    @action(description="打印发货单", url_path="print", icon="print", permissions=["look"])
    def print_one(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show the delivery note for the parcel, with the customer's own names and codes and
        without prices.
        """
        lines = ShipmentLine.objects.select_related("order_line").order_by("order_line__no")
        shipments = Shipment.objects.select_related(
            "order", "order__enterprise", "order__requester"
        )
        shipment = get_object_or_404(
            shipments.prefetch_related(Prefetch("lines", queryset=lines)), pk=parse_key(object_id)
        )
        return render(
            request,
            "admin/orders/delivery_note.html",
            {"shipment": shipment, "order": shipment.order, "site": get_site_setting()},
        )


@admin.register(FreightRegion)
class FreightRegionAdmin(OfficeAdmin):
    """A row without a province applies to all other provinces. Among the rows of a province,
    the row with the greatest 满额 not above the goods amount applies.
    """

    list_display = (
        "region",
        build_money_column("amount_from", "满额"),
        build_money_column("fee", "运费（含税）"),
        "extra_days",
    )
    list_filter = ("province",)
    search_fields = ("province",)
    list_per_page = 100

    @admin.display(description="地区", ordering="province")
    def region(self, row: FreightRegion) -> str:
        return row.province or "其他地区"
