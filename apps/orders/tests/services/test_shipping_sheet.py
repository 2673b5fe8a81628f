"""Shipping by sheet uses the service that ships one order. Either the whole sheet is applied or
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from apps.catalog.errors import ImportRefused
from apps.catalog.models import Product
from apps.catalog.tests.factories import ProductFactory
from apps.common.models import Event
from apps.orders.models import Order, OrderLine, Shipment
from apps.orders.selectors.shipments import iterate_shipping_rows
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.shipping_sheet import (
    COLUMNS,
    shipping_sheet_apply,
    shipping_sheet_preview,
)
from apps.orders.tests.factories import place_order
from apps.org.models import Account

HEADER = ["订单号", "行号", "本次发货数量", "承运商", "运单号"]


class Sheet:
    """An in-memory uploaded sheet."""

    def __init__(self, *rows: Sequence[object], header: Sequence[str] = HEADER) -> None:
        self._rows = [list(header), *([str(cell) for cell in row] for row in rows)]

    def iterate_rows(self) -> Iterator[list[str]]:
        yield from self._rows


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    """A confirmed order with lines of 4 and 3 pieces."""
    placed = place_order(
        shopper, (ProductFactory(), 3), (ProductFactory(), 4)
    )  # The cart shows the latest item first.
    return order_confirm(actor=staff, order_id=placed.pk)


def list_errors(*rows: Sequence[object]) -> list[str]:
    return [str(error) for error in shipping_sheet_preview(source=Sheet(*rows)).errors]


def list_shipped() -> list[tuple[str, list[tuple[int, int]]]]:
    return [
        (
            shipment.tracking_no,
            list(
                shipment.lines.order_by("order_line__no").values_list("order_line__no", "quantity")
            ),
        )
        for shipment in Shipment.objects.order_by("pk")
    ]


def test_shipping_rows_with_one_tracking_number_form_one_shipment(
    order: Order, staff: Account
) -> None:
    no = order.order_no
    sheet = Sheet((no, 1, 4, "顺丰", "A1"), (no, 2, 1, "顺丰", "A1"), (no, 2, 2, "京东", "B1"))
    report = shipping_sheet_apply(actor=staff, source=sheet)

    assert report.summary == "1 张订单，2 张发货单，3 行共 7 件"
    assert list_shipped() == [("A1", [(1, 4), (2, 1)]), ("B1", [(2, 2)])]
    assert Order.objects.get(pk=order.pk).status == "pending_receipt"
    assert Event.objects.filter(subject_id=order.pk, kind="shipped").count() == 2
    assert not Product.objects.filter(reserved__gt=0).exists()


def test_shipping_sheet_preview_ships_nothing(order: Order) -> None:
    assert shipping_sheet_preview(source=Sheet((order.order_no, 1, 4, "顺丰", "A1"))).is_clean
    assert list_shipped() == []


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("SO99999999999999", 1, 1, "顺丰", "A1"), "第 2 行「订单号」：没有这张订单，请核对"),
        (("{no}", 9, 1, "顺丰", "A1"), "第 2 行「行号」：订单 {no} 没有第 9 行"),
        (("{no}", 1, 5, "顺丰", "A1"), "第 2 行「本次发货数量」：最多还可发 4，请修改"),
        (("{no}", 1, 0, "顺丰", "A1"), "第 2 行「本次发货数量」：请填写发货数量"),
        (("{no}", 1, "-1", "顺丰", "A1"), "第 2 行「本次发货数量」：请填写 0 到 999999 之间的整数"),
        (("{no}", 1, 1, "", "A1"), "第 2 行「承运商」：请填写承运商"),
        (("{no}", 1, 1, "顺丰", ""), "第 2 行「运单号」：请填写运单号"),
        (("", 1, 1, "顺丰", "A1"), "第 2 行「订单号」：不能为空"),
    ],
)
def test_wrong_shipping_row_reports_its_cell_and_reason(
    order: Order, row: tuple[object, ...], message: str
) -> None:
    filled = [str(cell).replace("{no}", order.order_no) for cell in row]
    assert list_errors(filled) == [message.replace("{no}", order.order_no)]


def test_shipping_row_with_a_different_product_code_is_refused(order: Order) -> None:
    line = order.lines.get(no=1)
    source = Sheet(
        (order.order_no, 1, "999999", 1, "顺丰", "A1"),
        header=["订单号", "行号", "商品编码", *HEADER[2:]],
    )
    assert [str(error) for error in shipping_sheet_preview(source=source).errors] == [
        f"第 2 行「商品编码」：该行的商品是 {line.product_code} {line.name}，请核对行号"
    ]


def test_a_sheet_of_1001_rows_is_refused(order: Order) -> None:
    assert list_errors(*[(order.order_no, 1, 1, "顺丰", "A1")] * 1001) == [
        "文件：一次最多 1000 行，文件有 1001 行，请拆分后重试"
    ]


def test_one_wrong_row_refuses_the_whole_shipping_sheet(order: Order, staff: Account) -> None:
    with pytest.raises(ImportRefused):
        shipping_sheet_apply(
            actor=staff,
            source=Sheet(
                (order.order_no, 1, 4, "顺丰", "A1"), (order.order_no, 2, 4, "顺丰", "A1")
            ),
        )
    assert list_shipped() == []
    assert Order.objects.get(pk=order.pk).status == "pending_shipment"


def test_rows_of_a_line_are_counted_together(order: Order) -> None:
    no = order.order_no
    assert list_errors((no, 1, 3, "顺丰", "A1"), (no, 1, 2, "顺丰", "A2")) == [
        "第 3 行「本次发货数量」：最多还可发 1，请修改"
    ]
    assert list_errors((no, 1, 1, "顺丰", "A1"), (no, 1, 1, "顺丰", "A1")) == [
        "第 3 行：与前面的行重复（同一订单行、同一运单号），请合并为一行"
    ]
    assert list_errors((no, 1, 1, "顺丰", "A1"), (no, 2, 1, "京东", "A1")) == [
        "第 3 行「承运商」：同一运单号的承运商须一致，前面的行是“顺丰”"
    ]


def test_repeated_shipping_sheet_is_refused_and_ships_once(order: Order, staff: Account) -> None:
    sheet = Sheet((order.order_no, 1, 1, "顺丰", "A1"))
    shipping_sheet_apply(actor=staff, source=sheet)
    with pytest.raises(ImportRefused) as refused:
        shipping_sheet_apply(actor=staff, source=sheet)
    assert str(refused.value.report.errors[0]) == (
        f"第 2 行「运单号」：该行已用此运单号发过货（发货单 {order.order_no}-1），请勿重复上传"
    )
    assert list_shipped() == [("A1", [(1, 1)])]


def test_rows_without_carrier_and_number_stay_behind(order: Order, staff: Account) -> None:
    report = shipping_sheet_apply(
        actor=staff,
        source=Sheet((order.order_no, 1, 4, "", ""), (order.order_no, 2, 3, "顺丰", "A1")),
    )
    assert (report.unchanged, list_shipped()) == (1, [("A1", [(2, 3)])])
    assert list_errors((order.order_no, 1, 4, "", "")) == [
        "文件：没有要发货的行：请填写本次发货数量、承运商和运单号"
    ]


def test_an_unconfirmed_order_is_refused_by_its_state(shopper: Account) -> None:
    placed = place_order(shopper)
    assert list_errors((placed.order_no, 1, 1, "顺丰", "A1")) == [
        "第 2 行「订单号」：订单待确认，不能发货"
    ]


def test_a_sheet_without_the_columns_is_refused(order: Order) -> None:
    report = shipping_sheet_preview(source=Sheet((order.order_no, 1), header=["订单号", "行号"]))
    assert [error.column for error in report.errors] == ["本次发货数量", "承运商", "运单号"]


def test_the_template_has_every_open_line_and_is_taken_back(order: Order, staff: Account) -> None:
    rows = [[*row[:-2], "顺丰", "A1"] for row in iterate_shipping_rows()]
    assert [(row[0], row[1], row[6]) for row in rows] == [
        (order.order_no, 1, 4),
        (order.order_no, 2, 3),
    ]
    shipping_sheet_apply(
        actor=staff, source=Sheet(*rows, header=[column.header for column in COLUMNS])
    )
    assert not OrderLine.objects.exclude(shipped_quantity__gt=0).exists()
    assert list(iterate_shipping_rows()) == []
