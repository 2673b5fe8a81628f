"""按表发货: staff download the waiting orders as a sheet, fill it in, preview it, and ship the
orders. A sheet with a wrong row ships nothing.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import FileResponse, HttpRequest, HttpResponseBase
from django.utils import timezone

from apps.catalog.admin.imports import ImportExportMixin, build_xlsx_response
from apps.catalog.services.imports.report import ImportReport
from apps.catalog.services.imports.sheet import Column, SheetFile
from apps.office.pages import action, get_request_staff
from apps.orders.models import Order
from apps.orders.selectors.shipments import iterate_shipping_rows
from apps.orders.services.shipping_sheet import (
    COLUMNS,
    INPUT_FIELDS,
    MAX_ROWS,
    TITLE,
    ShippingReport,
    shipping_sheet_apply,
    shipping_sheet_preview,
)


class ShipSheetMixin(ImportExportMixin):
    """Adds 按表发货 to the order list."""

    import_kinds = ("shipping",)
    report_class = ShippingReport
    import_verb = "发货"
    import_key = "订单 · 行"
    import_rows = MAX_ROWS
    # A sheet with a wrong row ships nothing.
    may_import_good_rows = False
    import_manner = (
        "模板里是全部待发货的订单行：填好承运商和运单号即发货，两者都空的行不发。"
        "同一订单填不同运单号即拆成多张发货单；本次发货数量小于未发数量即部分发货。"
    )

    @action(
        description="按表发货",
        url_path="ship-by-sheet",
        icon="local_shipping",
        permissions=["import_sheet"],
    )
    def import_sheet(self, request: HttpRequest) -> HttpResponseBase:
        """Show the page, preview the sheet, or ship it, according to the request."""
        return self.sheet_page(request)

    @admin.action(description="下载所选订单的发货表", permissions=["act"])
    def sheet_of_chosen(self, request: HttpRequest, queryset: QuerySet[Order]) -> FileResponse:
        """Download the sheet with the open lines of the selected orders."""
        return self._download_sheet(list(queryset.values_list("pk", flat=True)[:MAX_ROWS]))

    def has_import_sheet_permission(self, request: HttpRequest) -> bool:
        """Return whether the person may change orders; the same permission allows shipping by
        sheet.
        """
        return request.user.has_perm("orders.change_order")

    def get_sheet_columns(self, kind: str) -> tuple[str, tuple[Column, ...]]:
        return TITLE, COLUMNS

    def get_needed_column(self, column: Column) -> str:
        """Key columns identify the line, input columns are required to ship it, others are
        compared.
        """
        if column.is_key:
            return "必须有，用于识别"
        if column.field in INPUT_FIELDS:
            return "发货的行必填"
        return "填了即核对" if column.parse else "仅供查看"

    def sheet_preview(self, request: HttpRequest, kind: str, source: SheetFile) -> ImportReport:
        return shipping_sheet_preview(source=source)

    def sheet_apply(self, request: HttpRequest, kind: str, source: SheetFile) -> ImportReport:
        return shipping_sheet_apply(actor=get_request_staff(request), source=source)

    def _send_template(self, kind: str) -> FileResponse:
        """The template has all open lines, because staff fill in an existing list."""
        return self._download_sheet(None)

    @staticmethod
    def _download_sheet(order_ids: list[int] | None) -> FileResponse:
        header: list[Any] = [column.header for column in COLUMNS]
        name, rows = (
            f"待发货_{timezone.localdate():%Y%m%d}",
            iterate_shipping_rows(order_ids=order_ids),
        )
        return build_xlsx_response(name=name, sheet="待发货", header=header, rows=rows)
