"""Ship many orders from one sheet. The sheet is checked as a whole, then all parcels ship or
none. Each parcel uses `order_ship`.

Rows of one order with the same carrier and number form one shipment. A different number forms
another shipment, so a sheet can also split an order.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils import timezone

from apps.catalog.errors import ImportRefused
from apps.catalog.services.imports import cells
from apps.catalog.services.imports.report import Action, Example, ImportReport
from apps.catalog.services.imports.sheet import Column, Row, SheetColumns
from apps.catalog.services.stock import stock_lock
from apps.common.errors import FileRefused
from apps.orders.enums import SHIPPABLE
from apps.orders.models import Order, OrderLine, ShipmentLine
from apps.orders.services.shipments import order_ship

if TYPE_CHECKING:
    from apps.catalog.services.imports.sheet import Source
    from apps.org.models import Account

TITLE = "按表发货"
# A sheet is one transaction, so its orders stay locked until the end.
MAX_ROWS = 1000
COLUMNS = (
    Column(
        "订单号", "order_no", cells.build_text_parser(24), is_key=True, example="SO26030112345678"
    ),
    Column("行号", "no", cells.build_integer_parser(1, 9999), is_key=True, example="1"),
    Column("商品编码", "code", cells.build_text_parser(18), empty="", example="100016034402"),
    Column("名称", "name", example="A4 复印纸"),
    Column("客户", "customer", example="云帆示例科技有限公司"),
    Column("收货", "address", example="张三 13800000000 江苏省苏州市…"),
    Column("未发数量", "left", example="10"),
    Column(
        "本次发货数量", "quantity", cells.build_integer_parser(0, 999_999), empty=0, example="10"
    ),
    Column("承运商", "carrier", cells.build_text_parser(40), empty="", example="顺丰速运"),
    Column(
        "运单号", "tracking_no", cells.build_text_parser(60), empty="", example="SF1234567890123"
    ),
)
INPUT_FIELDS = ("quantity", "carrier", "tracking_no")


@dataclass(slots=True)
class ShippingReport(ImportReport):
    """The result of a sheet: counts of orders, parcels and pieces, and its rows."""

    orders: int = 0
    parcels: int = 0
    pieces: int = 0

    @property
    def applied_rows(self) -> int:
        """Return the number of shipped rows: those with a tracking number."""
        return self.updated

    @property
    def summary(self) -> str:
        """Return the counts as one line of Chinese."""
        unchanged_text = f"，{self.unchanged} 行未填运单，不发货" if self.unchanged else ""
        return (
            f"{self.orders} 张订单，{self.parcels} 张发货单，{self.updated} 行共 {self.pieces} "
            f"件{unchanged_text}"
        )


@dataclass(slots=True)
class Parcel:
    """A planned shipment: pieces by order line."""

    order: Order
    carrier: str
    tracking_no: str
    quantities: dict[int, int] = field(default_factory=dict)


def shipping_sheet_preview(*, source: Source) -> ShippingReport:
    """Return the report of the sheet with every refused cell. Nothing is written."""
    return _SheetCheck(source, is_locked=False).report


def shipping_sheet_apply(*, actor: Account, source: Source) -> ShippingReport:
    """Ship the whole sheet, or nothing of it, and return the report. Orders are locked sorted
    by number, then the stock.

    Raises:
        ImportRefused: at least one cell was refused; its `report` lists them.
    """
    with transaction.atomic():
        check = _SheetCheck(source, is_locked=True)
        if not check.report.is_clean:
            raise ImportRefused(check.report)
        products = [line.product_id for parcel in check.parcels for line in check.get_lines(parcel)]
        stock_lock(product_ids=products)
        for parcel in check.parcels:
            order_ship(
                actor=actor,
                order_id=parcel.order.pk,
                carrier=parcel.carrier,
                tracking_no=parcel.tracking_no,
                quantities=parcel.quantities,
            )
        check.report.applied = True
    return check.report


class _SheetCheck:
    """A parsed sheet: its report, and the parcels of its valid rows."""

    def __init__(self, source: Source, *, is_locked: bool) -> None:
        self.report = ShippingReport(kind="shipping", title=TITLE)
        self._parcels: dict[tuple[int, str], Parcel] = {}
        self._taken: Counter[int] = Counter()
        rows = self._read_rows(source)
        if not rows:
            return
        numbers = {row.values["order_no"] for row in rows if "order_no" in row.values}
        orders = Order.objects.filter(order_no__in=numbers).order_by("order_no")
        self._orders = {
            order.order_no: order
            for order in (orders.select_for_update(of=("self",)) if is_locked else orders)
        }
        keys = [order.pk for order in self._orders.values()]
        lines = OrderLine.objects.filter(order__in=keys)
        self._lines = {(line.order_id, line.no): line for line in lines}
        self._by_pk = {line.pk: line for line in self._lines.values()}
        shipped_numbers = ShipmentLine.objects.filter(shipment__order__in=keys).values_list(
            "order_line_id", "shipment__tracking_no", "shipment__shipment_no"
        )
        self._sent = {(line, number): shipment for line, number, shipment in shipped_numbers}
        for row in rows:
            self._check_row(row)
            for header, message in row.refused:
                self.report.refuse(row.number, header, message)
        self.report.orders = len({parcel.order.pk for parcel in self._parcels.values()})
        self.report.parcels, self.report.pieces = len(self._parcels), self._taken.total()
        if self.report.is_clean and not self._parcels:
            self.report.refuse(0, "", "没有要发货的行：请填写本次发货数量、承运商和运单号")

    @property
    def parcels(self) -> list[Parcel]:
        """Return the planned shipments, sorted by order number."""
        return sorted(self._parcels.values(), key=lambda parcel: parcel.order.order_no)

    def get_lines(self, parcel: Parcel) -> list[OrderLine]:
        """Return the order lines of the parcel."""
        return [self._by_pk[pk] for pk in parcel.quantities]

    def _read_rows(self, source: Source) -> list[Row]:
        """Return the parsed rows that are not empty. Empty if the sheet itself is refused."""
        try:
            cells_of = source.iterate_rows()
            sheet = SheetColumns(
                columns=COLUMNS, headers=[header.strip() for header in next(cells_of, [])]
            )
            for header, message in sheet.problems:
                self.report.refuse(1, header, message)
            missing_columns = [
                column
                for column in COLUMNS
                if column.field in INPUT_FIELDS and column not in sheet.present
            ]
            for column in missing_columns:
                self.report.refuse(1, column.header, "缺少这一列，请按模板补上")
            if not self.report.is_clean:
                return []
            rows = [
                sheet.read(number, row, today=timezone.localdate())
                for number, row in enumerate(cells_of, start=2)
                if any(cell.strip() for cell in row)
            ]
        except FileRefused as error:
            self.report.refuse(0, "", error.text)
            return []
        self.report.rows = len(rows)
        if len(rows) > MAX_ROWS:
            self.report.refuse(
                0, "", f"一次最多 {MAX_ROWS} 行，文件有 {len(rows)} 行，请拆分后重试"
            )
            return []
        return rows

    def _check_row(self, row: Row) -> None:
        """Add a valid row to its parcel, or add its errors to the report."""
        if row.refused:
            return
        values = row.values
        if not values["carrier"] and not values["tracking_no"]:
            self.report.count(Action.UNCHANGED)
            return
        line = self._find_line(row)
        if line is None:
            return
        order = self._orders[values["order_no"]]
        self._check_cells(row, line, values)
        parcel = self._parcels.setdefault(
            (order.pk, values["tracking_no"]),
            Parcel(order, values["carrier"], values["tracking_no"]),
        )
        if parcel.carrier != values["carrier"]:
            row.refuse("承运商", f"同一运单号的承运商须一致，前面的行是“{parcel.carrier}”")
        if line.pk in parcel.quantities:
            row.refuse("", "与前面的行重复（同一订单行、同一运单号），请合并为一行")
        if row.refused:
            return
        parcel.quantities[line.pk] = values["quantity"]
        self._taken[line.pk] += values["quantity"]
        self.report.count(Action.UPDATE, _build_example(row, line, parcel))

    def _find_line(self, row: Row) -> OrderLine | None:
        """Return the order line of the row if its order can ship. Otherwise add an error and
        return None.
        """
        order = self._orders.get(row.values["order_no"])
        if order is None:
            row.refuse("订单号", "没有这张订单，请核对")
            return None
        if order.status not in SHIPPABLE:
            row.refuse("订单号", f"订单{order.get_status_display()}，不能发货")
            return None
        line = self._lines.get((order.pk, row.values["no"]))
        if line is None:
            row.refuse("行号", f"订单 {order.order_no} 没有第 {row.values['no']} 行")
        return line

    def _check_cells(self, row: Row, line: OrderLine, values: dict[str, Any]) -> None:
        """Add the errors of a row: wrong product code, missing field, too large quantity, or a
        tracking number that the line already has.
        """
        unshipped = line.unshipped - self._taken[line.pk]
        if (code := values.get("code")) and code != line.product_code:
            row.refuse("商品编码", f"该行的商品是 {line.product_code} {line.name}，请核对行号")
        if not values["carrier"]:
            row.refuse("承运商", "请填写承运商")
        if not values["tracking_no"]:
            row.refuse("运单号", "请填写运单号")
        if not values["quantity"]:
            row.refuse("本次发货数量", "请填写发货数量")
        elif values["quantity"] > unshipped:
            pieces_in_cancellation = (
                f"（另有 {line.cancelling_quantity} 件客户申请取消，待处理）"
                if line.cancelling_quantity
                else ""
            )
            row.refuse(
                "本次发货数量", f"最多还可发 {max(unshipped, 0)}{pieces_in_cancellation}，请修改"
            )
        if shipment := self._sent.get((line.pk, values["tracking_no"])):
            row.refuse("运单号", f"该行已用此运单号发过货（发货单 {shipment}），请勿重复上传")


def _build_example(row: Row, line: OrderLine, parcel: Parcel) -> Example:
    """Return the row as a sample of the preview. A change is (what changes, before, after)."""
    quantity = row.values["quantity"]
    changes = (
        (
            line.name,
            f"已发 {line.shipped_quantity}",
            f"{line.shipped_quantity + quantity}（共 {line.quantity}）",
        ),
        ("运单", "（新）", f"{parcel.carrier} {parcel.tracking_no}"),
    )
    return Example(
        row=row.number,
        key=f"{parcel.order.order_no} · {line.no}",
        action=Action.UPDATE,
        changes=changes,
    )
