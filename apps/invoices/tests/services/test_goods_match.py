"""Tests of the match of a goods-received sheet with a statement, with exact quantities."""

from __future__ import annotations

import io
from datetime import date, datetime
from typing import Any
from unittest.mock import patch

import pytest

from apps.catalog.tests.factories import ProductFactory
from apps.common.errors import FileRefused, Stale, ValidationFailed, WrongState
from apps.common.services.column_mapping import HeadersUnknown, column_mapping_save
from apps.common.tenancy import tenant_scope
from apps.invoices.errors import MatchLineNotFound, StatementNotFound
from apps.invoices.models import GoodsMatch, Statement, StatementLine
from apps.invoices.selectors.goods_match import SHEET_KIND
from apps.invoices.services.goods_match import goods_match_create, goods_match_dispute
from apps.invoices.services.statements import statement_reply, statements_update
from apps.invoices.tests.factories import received_order
from apps.orders.models import Order, OrderLine
from apps.org.models import Account

HEAD = "订单号,物料编码,数量,金额（含税）"


def at(text: str) -> Any:
    """Set the clock to a moment in Asia/Shanghai."""
    return patch("django.utils.timezone.now", lambda: datetime.fromisoformat(f"{text}+08:00"))


def build_sheet(*rows: str, head: str = HEAD) -> Any:
    file = io.BytesIO("\n".join([head, *rows]).encode())
    file.name = "收货单.csv"
    return file


@pytest.fixture
def order(shopper: Account, staff: Account) -> Order:
    """An order of 3, 5 and 2 pieces at 10.00 元, received in May. The first two have material
    codes.
    """
    with at("2026-05-20T10:00:00"):
        wishes = [(ProductFactory(), pieces) for pieces in (3, 5, 2)]
        created = received_order(shopper, *wishes, staff=staff, purchase_order_no="PO-7")
    for pieces, code in ((3, "WL-1"), (5, "WL-2")):
        OrderLine.objects.filter(order=created, quantity=pieces).update(customer_code=code)
    return created


@pytest.fixture
def may(shopper: Account, order: Order) -> Statement:
    assert shopper.enterprise is not None
    with at("2026-06-02T20:00:00"):
        return statements_update(enterprise=shopper.enterprise, today=date(2026, 6, 2))[0]


def list_differences(match: GoodsMatch) -> list[tuple[Any, ...]]:
    return list(
        match.lines.order_by("no").values_list(
            "result", "order_ref", "material_code", "our_quantity", "their_quantity"
        )
    )


def upload(actor: Account, may: Statement, *rows: str, **more: Any) -> GoodsMatch:
    return goods_match_create(
        actor=actor, statement_id=str(may.pk), upload=build_sheet(*rows, **more)
    )


def test_goods_match_reports_each_difference_as_a_line(
    may: Statement, order: Order, ga: Account
) -> None:
    third = OrderLine.objects.get(order=order, quantity=2).product_code
    match = upload(
        ga,
        may,
        f"{order.order_no},WL-1,2,20.00",
        f"{order.order_no},WL-1,1,10.00",
        f"{order.order_no},WL-2,4,40.00",
        f"{order.order_no},{third},2,19.99",
        f"{order.order_no},WL-9,6,",
    )

    assert list_differences(match) == [
        ("amount", order.order_no, third, 2, 2),
        ("quantity", order.order_no, "WL-2", 5, 4),
        ("only_theirs", order.order_no, "WL-9", None, 6),
        ("equal", order.order_no, "WL-1", 3, 3),
    ]


@pytest.mark.parametrize("rows", [("PO-7,WL-1,3", "PO-7,WL-2,5"), ("ｐｏ-7,wl-1,3", "po-7,WL-2,5")])
def test_an_order_may_go_by_its_purchase_order_number_in_any_spelling(
    may: Statement, order: Order, ga: Account, rows: tuple[str, str]
) -> None:
    match = upload(ga, may, *rows, head="订单号,物料编码,数量")
    third = OrderLine.objects.get(order=order, quantity=2).product_code
    assert list_differences(match) == [
        ("only_ours", "PO-7", third, 2, None),
        ("equal", "PO-7", "WL-1", 3, 3),
        ("equal", "PO-7", "WL-2", 5, 5),
    ]


def test_spelling_of_orders_and_codes_makes_no_difference(
    may: Statement, order: Order, ga: Account
) -> None:
    third = OrderLine.objects.get(order=order, quantity=2).product_code
    match = upload(
        ga,
        may,
        f" {order.order_no.lower()} , wl-1 ,3,30.00",
        f"{order.order_no},ＷＬ－２,2,20.00",
        f"{order.order_no.lower()},wl - 2,3,30.00",
        f"{order.order_no.lower()},{third.lower()},2,20.00",
        f"{order.order_no.lower()},wl-9,1,",
        f"{order.order_no},WL-9,1,",
    )

    assert list_differences(match) == [
        ("only_theirs", order.order_no.lower(), "wl-9", None, 2),
        ("equal", order.order_no, third, 2, 2),
        ("equal", order.order_no, "WL-1", 3, 3),
        ("equal", order.order_no, "WL-2", 5, 5),
    ]


def test_a_foreign_column_of_a_goods_sheet_is_named_and_mapped(
    may: Statement, order: Order, ga: Account
) -> None:
    head = "PO,物料编码,数量,含税金额,库位"
    rows = [f"{order.order_no},WL-1,3,30.00,A1"]
    with pytest.raises(HeadersUnknown, match="缺少：订单号") as refused:
        upload(ga, may, *rows, head=head)
    with tenant_scope(group_id=ga.group_id):
        column_mapping_save(
            kind=SHEET_KIND,
            columns={"PO": "订单号", "含税金额": "金额（含税）", "库位": ""},
            template_columns=HEAD.split(","),
        )

    assert refused.value.body == {
        "Headers": ["PO", "含税金额", "库位"],
        "Columns": ["订单号", "金额（含税）"],
    }
    with tenant_scope(group_id=ga.group_id):
        match = upload(ga, may, *rows, head=head)
    assert match.has_amounts
    assert match.lines.get(material_code="WL-1").result == "equal"


def test_a_difference_is_disputed_once_with_its_figures(
    may: Statement, order: Order, ga: Account
) -> None:
    match = upload(ga, may, f"{order.order_no},WL-2,4,")
    first = match.lines.get(material_code="WL-2")
    key: dict[str, Any] = {"actor": ga, "statement_id": str(may.pk), "line_ids": [first.pk]}

    (remark,) = goods_match_dispute(text="请核对签收单", **key)

    may.refresh_from_db()
    line = StatementLine.objects.get(pk=remark.line_id)
    assert (may.status, line.quantity) == ("disputed", 5)
    assert remark.text == (
        f"收货核对数量不符：订单 {order.order_no}，物料 WL-2，对账单 5 件 ¥50.00，我方收货 4 件。"
        "请核对签收单"
    )
    with pytest.raises(WrongState, match="请勿重复提交"):
        goods_match_dispute(**key)
    assert may.remarks.count() == 1


def test_disputed_difference_is_not_disputed_again_after_another_upload(
    may: Statement, order: Order, ga: Account, staff: Account
) -> None:
    key: dict[str, Any] = {"actor": ga, "statement_id": str(may.pk)}
    old = upload(ga, may, f"{order.order_no},WL-2,4,").lines.get(material_code="WL-2")
    (remark,) = goods_match_dispute(line_ids=[old.pk], **key)

    # In between, a sheet without this difference. Then again, by the purchase order number.
    upload(ga, may, f"{order.order_no},WL-2,5,")
    same = upload(ga, may, "PO-7,WL-2,4,").lines.get(material_code="WL-2")
    assert same.remark_id == remark.pk
    with pytest.raises(WrongState, match="请勿重复提交"):
        goods_match_dispute(line_ids=[same.pk], **key)

    other = upload(ga, may, f"{order.order_no},WL-2,3,").lines.get(material_code="WL-2")
    assert other.remark_id is None
    goods_match_dispute(line_ids=[other.pk], **key)
    assert may.remarks.count() == 2

    # An answer that changes nothing leaves the customer free to dispute the difference again.
    statement_reply(actor=staff, statement_id=may.pk, text="已核对，数量无误")
    again = upload(ga, may, f"{order.order_no},WL-2,4,").lines.get(material_code="WL-2")
    assert again.remark_id is None


def test_a_match_of_yesterday_is_not_disputed(may: Statement, order: Order, ga: Account) -> None:
    line = upload(ga, may, f"{order.order_no},WL-2,4,").lines.get(material_code="WL-2")
    StatementLine.objects.filter(pk=line.line_id).update(quantity=4)
    with pytest.raises(Stale, match="重新上传收货单"):
        goods_match_dispute(actor=ga, statement_id=str(may.pk), line_ids=[line.pk])
    assert may.remarks.count() == 0


def test_new_goods_sheet_replaces_the_match_and_an_invalid_one_does_not(
    may: Statement, order: Order, ga: Account
) -> None:
    old = upload(ga, may, f"{order.order_no},WL-2,4,").lines.get(material_code="WL-2")
    goods_match_dispute(actor=ga, statement_id=str(may.pk), line_ids=[old.pk])
    new = upload(ga, may, f"{order.order_no},WL-2,5,")

    with pytest.raises(MatchLineNotFound):
        goods_match_dispute(actor=ga, statement_id=str(may.pk), line_ids=[old.pk])
    with pytest.raises(ValidationFailed) as refused:
        upload(ga, may, f"{order.order_no},WL-2,2.5,1.005", ",WL-1,1,")
    assert refused.value.body["Errors"]["file"] == [
        "第 2 行：数量须为整数，例如 12；退货冲减的数量填负数；金额最多两位小数",
        "第 3 行：请填写订单号",
    ]
    assert GoodsMatch.objects.get().pk == new.pk
    assert may.remarks.count() == 1


def test_a_sheet_of_more_than_ten_thousand_rows_is_refused(may: Statement, ga: Account) -> None:
    rows = [f"SO{number},WL-1,1" for number in range(10_001)]
    with pytest.raises(FileRefused, match="10000 行"):
        upload(ga, may, *rows, head="订单号,物料编码,数量")
    assert not GoodsMatch.objects.exists()


def test_a_foreign_statement_is_not_found(may: Statement, other_ga: Account) -> None:
    with tenant_scope(group_id=other_ga.group_id or 0), pytest.raises(StatementNotFound):
        upload(other_ga, may, "SO1,WL-1,1")
