"""Tests of batch actions on orders: receive, buy again, print, export."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest
from python_calamine import CalamineWorkbook

from apps.cart.models import CartItem
from apps.catalog.tests.factories import ProductFactory
from apps.common.hooks import Hook
from apps.common.testing import ApiClient
from apps.orders.claims import Claim, OpenedReturn
from apps.orders.models import Order
from apps.orders.papers import draw_order_papers
from apps.orders.services import receipts
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import place_order
from apps.org.models import Account


@pytest.fixture
def client(buyer: Account) -> ApiClient:
    return ApiClient(buyer)


def build_sheet(answer: Any) -> list[list[Any]]:
    return CalamineWorkbook.from_filelike(io.BytesIO(answer.body)).get_sheet_by_index(0).to_python()


def test_batch_receive_continues_after_a_refused_order(
    client: ApiClient, shipped_order: Order, shopper: Account
) -> None:
    fresh = place_order(shopper)
    answer = client.post(
        "/api/Order/BatchReceive", {"OrderNos": [fresh.order_no, shipped_order.order_no]}
    )
    assert answer.message == "已收货 1 单，1 单未处理"
    assert [(row["OrderNo"], row["Success"], row["RetCode"]) for row in answer.body["Results"]] == [
        (fresh.order_no, False, "wrong_state"),
        (shipped_order.order_no, True, "ok"),
    ]


def test_batch_reorder_sums_the_same_product_of_two_orders(
    client: ApiClient, shopper: Account
) -> None:
    product = ProductFactory(stock=50)
    orders = [place_order(shopper, (product, 2)), place_order(shopper, (product, 3))]
    answer = client.post(
        "/api/Order/BatchReorder", {"OrderNos": [order.order_no for order in orders]}
    )
    assert (answer.body["Added"], CartItem.objects.get().quantity) == (1, 5)


def test_printing_an_order_of_another_group_is_not_found(
    client: ApiClient, placed_order: Order, other_ga: Account
) -> None:
    answer = ApiClient(other_ga).post(
        "/api/Order/Print", {"OrderNos": [placed_order.order_no], "Kind": "delivery"}
    )
    assert answer.code == "not_found"


@pytest.mark.parametrize("kind", ["delivery", "purchase"])
def test_orders_are_printed_as_one_pdf(
    client: ApiClient, shipped_order: Order, shopper: Account, staff: Account, kind: str
) -> None:
    second = place_order(shopper)
    order_confirm(actor=staff, order_id=second.pk)
    order_ship(actor=staff, order_id=second.pk, carrier="顺丰", tracking_no="SF2")
    answer = client.post(
        "/api/Order/Print", {"OrderNos": [shipped_order.order_no, second.order_no], "Kind": kind}
    )
    assert (answer.response["Content-Type"], answer.body[:5]) == ("application/pdf", b"%PDF-")
    assert draw_order_papers([shipped_order, second], kind=kind).count(b"/Type /Page\n") == 2


def test_delivery_note_print_refuses_an_order_without_a_shipment(
    client: ApiClient, shipped_order: Order, shopper: Account
) -> None:
    placed_order = place_order(shopper)
    both = [shipped_order.order_no, placed_order.order_no]
    answer = client.post("/api/Order/Print", {"OrderNos": both, "Kind": "delivery"})
    assert (answer.code, answer.message) == (
        "wrong_state",
        f"订单 {placed_order.order_no} 尚未发货，没有送货单可打印，请取消勾选后重试",
    )
    assert (
        client.post("/api/Order/Print", {"OrderNos": both, "Kind": "purchase"}).response[
            "Content-Type"
        ]
        == "application/pdf"
    )


def test_a_sheet_has_a_row_per_line_and_the_total_once(client: ApiClient, shopper: Account) -> None:
    order = place_order(shopper, (ProductFactory(), 2), (ProductFactory(), 1))
    rows = build_sheet(client.post("/api/Order/Export", {"OrderNos": [order.order_no]}))
    assert [(row[0], row[13], row[19], row[25], row[30]) for row in rows[1:]] == [
        (order.order_no, 1, 1, 10, 30),
        (order.order_no, 2, 2, 20, ""),
    ]


def test_a_text_that_looks_like_a_formula_stays_text(client: ApiClient, shopper: Account) -> None:
    place_order(shopper, remark="=1+1")
    assert build_sheet(client.post("/api/Order/Export"))[1][31] == "=1+1"


def test_the_sheet_keeps_to_the_filter(
    client: ApiClient, placed_order: Order, shopper: Account
) -> None:
    wanted = place_order(shopper, purchase_order_no="PO-77")
    rows = build_sheet(client.post("/api/Order/Export", {"Keyword": "PO-77"}))
    assert [row[0] for row in rows[1:]] == [wanted.order_no]


def test_receipt_passes_a_short_delivery_claim_to_the_claim_handler(
    client: ApiClient, shipped_order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Claim] = []
    hook: Hook = Hook()
    monkeypatch.setattr(receipts, "CLAIM_HANDLER", hook)

    def take(*, order: Order, actor: Account, claims: Sequence[Claim]) -> Sequence[OpenedReturn]:
        given.extend(claims)
        return [OpenedReturn("TH1", "少件 1 件")]

    hook.add(take)
    line = shipped_order.lines.get()
    body = {"Claims": [{"Id": str(line.pk), "Quantity": 1, "Kind": "short", "Note": "少一个"}]}
    answer = client.post(f"/api/Order/{shipped_order.order_no}/Receive", body).body
    assert (answer["Status"], answer["Opened"]) == (
        "completed",
        [{"ReturnOrderId": "TH1", "Text": "少件 1 件"}],
    )
    assert given == [Claim(line.pk, 1, "short", "少一个")]
