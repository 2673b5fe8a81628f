"""Orders to print and to export, named or filtered, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from django.db.models import Prefetch, QuerySet

from apps.dimensions.enums import DimensionKind
from apps.documents.excel.writer import Cell
from apps.orders.enums import PaperKind
from apps.orders.errors import ExportTooLong, NothingSent, OrderNotFound
from apps.orders.models import Order, OrderAllocation, OrderLine
from apps.orders.selectors.access import list_visible_orders
from apps.orders.selectors.allocations import format_allocation
from apps.orders.selectors.orders import OrderFilter, list_orders

if TYPE_CHECKING:
    from apps.org.models import Account

MAX_LINES = 20_000
HEADER = (
    "订单号",
    "下单时间",
    "订单状态",
    "审批状态",
    "开票状态",
    "结算状态",
    "售后状态",
    "企业",
    "部门",
    "下单人",
    "采购单号",
    "成本中心",
    "付款方式",
    "行号",
    "商品编码",
    "物料编码",
    "名称",
    "型号",
    "单位",
    "数量",
    "已发数量",
    "已收数量",
    "含税单价",
    "税率",
    "税额",
    "含税金额",
    "采购申请",
    "申请人",
    "申请成本中心",
    "运费",
    "应付总额",
    "备注",
    # Later columns stand at the end, so that the places of the others stay.
    "成本中心分摊",
    "项目",
    "会计科目",
)


def get_orders_by_number(*, actor: Account, order_nos: Sequence[str]) -> list[Order]:
    """Return the orders with their lines, people and enterprise, in the given order.

    Raises:
        OrderNotFound: the actor cannot see one of the orders.
    """
    numbers = list(dict.fromkeys(order_nos))
    lines = Prefetch("lines", OrderLine.objects.order_by("no"))
    rows = (
        list_visible_orders(actor=actor)
        .filter(order_no__in=numbers)
        .select_related("requester", "department", "enterprise")
    )
    parts = Prefetch("allocations", OrderAllocation.objects.order_by("kind", "no"))
    by_number = {order.order_no: order for order in rows.prefetch_related(lines, parts)}
    if len(by_number) < len(numbers):
        raise OrderNotFound
    return [by_number[order_no] for order_no in numbers]


def orders_to_print(*, actor: Account, order_nos: Sequence[str], kind: str) -> list[Order]:
    """Return the orders to print, in the given order.

    Raises:
        OrderNotFound: the actor cannot see one of the orders.
        WrongState: a delivery note for an order without shipments. The message names all such
            orders.
    """
    orders = get_orders_by_number(actor=actor, order_nos=order_nos)
    if kind == PaperKind.DELIVERY and (
        unsent := [row.order_no for row in orders if not _is_sent(row)]
    ):
        raise NothingSent(unsent)
    return orders


def _is_sent(order: Order) -> bool:
    return any(line.shipped_quantity for line in order.lines.all())


def iterate_order_sheet_rows(
    *, actor: Account, filters: OrderFilter, order_nos: Sequence[str] = ()
) -> Iterator[list[Cell]]:
    """Return a row per line of the named or filtered orders. Freight and total appear in the
    first row of an order.

    Raises:
        ValidationFailed: there are more lines than a sheet may have.
    """
    orders = list_orders(actor=actor, filters=filters)
    if order_nos:
        orders = orders.filter(order_no__in=order_nos)
    return list_sheet_rows(orders=orders)


def list_sheet_rows(*, orders: QuerySet[Order]) -> Iterator[list[Cell]]:
    """Return a row per line of these orders, newest order first. Freight and total appear in the
    first row of an order.

    Raises:
        ValidationFailed: there are more lines than a sheet may have.
    """
    lines = OrderLine.objects.filter(order__in=orders.order_by().values("pk"))
    if lines.count() > MAX_LINES:
        raise ExportTooLong(MAX_LINES)
    sorted_lines = lines.order_by("-order__submitted_at", "-order_id", "no")
    return _iterate_rows(
        sorted_lines.select_related(
            "order", "order__enterprise", "order__department", "order__requester"
        )
        .prefetch_related(Prefetch("allocations", OrderAllocation.objects.order_by("kind", "no")))
        .iterator(chunk_size=1000)
    )


def _iterate_rows(lines: Iterator[OrderLine]) -> Iterator[list[Cell]]:
    """Yield one row per order line. The sums of the order are only in its first row."""
    previous_order_id = 0
    for line in lines:
        order = line.order
        is_first = order.pk != previous_order_id
        previous_order_id = order.pk
        sums: list[Cell] = (
            [order.freight_amount, order.total_amount, order.remark]
            if is_first
            else [None, None, None]
        )
        yield [
            *_list_order_cells(order),
            *_list_line_cells(line),
            *sums,
            *_list_allocation_cells(line),
        ]


def _list_allocation_cells(line: OrderLine) -> list[Cell]:
    parts = list(line.allocations.all())
    return [format_allocation(parts, kind) for kind in DimensionKind.values]


def _list_order_cells(order: Order) -> list[Cell]:
    """Return the cells that all lines of an order share."""
    return [
        order.order_no,
        order.submitted_at,
        order.get_status_display(),
        order.get_approval_status_display(),
        order.get_invoicing_status_display(),
        order.get_settlement_status_display(),
        order.get_after_sales_status_display(),
        order.enterprise.name,
        order.department.name if order.department else "",
        order.requester.name_with_full_name,
        order.purchase_order_no,
        order.cost_center,
        order.get_payment_kind_display(),
    ]


def _list_line_cells(line: OrderLine) -> list[Cell]:
    """Return the cells of one order line, in the order of the columns of the sheet."""
    return [
        line.no,
        line.product_code,
        line.customer_code,
        line.customer_name or line.name,
        line.model_code,
        line.unit,
        line.quantity,
        line.shipped_quantity,
        line.received_quantity,
        line.unit_price_incl_tax,
        f"{line.tax_rate:.0%}",
        line.tax_amount,
        line.amount_incl_tax,
        line.requisition_no,
        line.asked_by,
        line.cost_center,
    ]
