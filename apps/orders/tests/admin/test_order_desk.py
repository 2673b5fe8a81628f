"""Tests of the order desk: search by any field, batch confirmation with a result per order,
shipping by sheet, and staff notes.
"""

from __future__ import annotations

import io
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from python_calamine import CalamineWorkbook

from apps.catalog.tests.factories import ProductFactory
from apps.common.tenancy import no_scope
from apps.documents.excel.writer import write_xlsx
from apps.orders.models import Order, OrderNote, Payment, Shipment
from apps.orders.services.confirmations import order_confirm
from apps.orders.services.shipments import order_ship
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office

LIST = "/admin/orders/order/"
SHEET = f"{LIST}ship-by-sheet/"


@pytest.fixture
def office(staff: Account) -> Client:
    return open_office(staff)


def search_orders(office: Client, text: str) -> list[str]:
    with no_scope():
        return [order.order_no for order in office.get(LIST, {"q": text}).context["cl"].result_list]


def test_order_actions_report_the_new_order_status(office: Client, shopper: Account) -> None:
    order = place_order(shopper)
    with no_scope():
        confirmed = office.post(
            f"{LIST}{order.pk}/confirm/", {"act": "1"}, follow=True
        ).content.decode()
        noted = office.post(
            f"{LIST}{order.pk}/note/", {"act": "1", "text": "已电话联系"}, follow=True
        ).content.decode()
    assert f"{order.order_no}：确认订单成功，订单状态：待发货" in confirmed
    assert f"{order.order_no}：添加备注成功\n" in noted


def test_order_page_begins_with_a_skip_link_to_the_content(office: Client) -> None:
    with no_scope():
        page = office.get(LIST).content.decode()
    assert page.index('<a class="office-skip" href="#content">跳到主要内容</a>') < page.index(
        'id="nav-sidebar'
    )
    assert page.count('id="content"') == 1


def test_order_page_shows_an_empty_state_for_missing_shipments_and_payments(
    office: Client, shopper: Account
) -> None:
    order = place_order(shopper)
    with no_scope():
        page = office.get(f"{LIST}{order.pk}/change/").content.decode()
    assert [name for name in ("发货单", "付款", "订单行") if f"暂无{name}</p>" in page] == [
        "发货单",
        "付款",
    ]


def test_order_search_matches_order_product_shipment_customer_and_reference_numbers(
    office: Client, shopper: Account, staff: Account
) -> None:
    product = ProductFactory(name="特种标签机")
    order = order_confirm(actor=staff, order_id=place_order(shopper, (product, 2)).pk)
    order_ship(actor=staff, order_id=order.pk, carrier="顺丰", tracking_no="SF-778899")
    Order.objects.filter(pk=order.pk).update(purchase_order_no="PO-42", cost_center="CC-1110")
    other = place_order(shopper)
    assert shopper.enterprise is not None
    number = order.order_no

    for text in (
        number,
        number[-6:],
        "PO-42",
        "CC-1110",
        "cc-1110",
        "SF-778899",
        f"{number}-1",
        "特种标签机",
        product.code,
    ):
        assert search_orders(office, text) == [number], text
    for text in (shopper.enterprise.name, shopper.username, shopper.nickname):
        assert set(search_orders(office, text)) == {number, other.order_no}, text
    assert search_orders(office, "没有这样的东西") == []


def test_many_are_confirmed_with_a_result_for_each(
    office: Client, shopper: Account, staff: Account
) -> None:
    first, second = place_order(shopper), place_order(shopper)
    order_confirm(actor=staff, order_id=second.pk)
    with no_scope():
        page = office.post(
            LIST, {"action": "confirm_chosen", "_selected_action": [first.pk, second.pk]}
        )
    assert [(each.order_no, each.success) for each in page.context["outcomes"]] == [
        (first.order_no, True),
        (second.order_no, False),
    ]
    assert "1 张已确认，1 张未能确认" in page.content.decode()
    assert Order.objects.get(pk=first.pk).status == "pending_shipment"


def upload(office: Client, *rows: tuple[object, ...]) -> str:
    file = io.BytesIO()
    write_xlsx(file, header=["订单号", "行号", "本次发货数量", "承运商", "运单号"], rows=rows)
    sheet = SimpleUploadedFile("发货.xlsx", file.getvalue())
    with no_scope():
        return office.post(SHEET, {"kind": "shipping", "file": sheet}).content.decode()


def get_token(page: str) -> str:
    match = re.search(r'name="token" value="([^"]+)"', page)
    assert match is not None
    return match.group(1)


def test_a_sheet_is_looked_at_then_shipped_once(office: Client, confirmed_order: Order) -> None:
    page = upload(office, (confirmed_order.order_no, 1, 1, "顺丰", "A1"))
    assert "1 张订单，1 张发货单，1 行共 1 件" in page
    assert "确认发货 1 行" in page
    assert "将发货的行" in page
    assert not Shipment.objects.exists()
    sent = {"kind": "shipping", "token": get_token(page)}
    with no_scope():
        done = office.post(SHEET, sent).content.decode()
        assert "发货完成" in done
        assert "已发货的行" in done
        assert "发货完成。1 张订单" in office.post(SHEET, sent).content.decode()
    assert Shipment.objects.get().tracking_no == "A1"


def test_shipping_sheet_rechecks_the_order_status_after_the_preview(
    office: Client, confirmed_order: Order, staff: Account
) -> None:
    page = upload(office, (confirmed_order.order_no, 1, 2, "顺丰", "A1"))
    order_ship(actor=staff, order_id=confirmed_order.pk, carrier="京东", tracking_no="J1")
    with no_scope():
        answer = office.post(SHEET, {"kind": "shipping", "token": get_token(page)}).content.decode()
    assert "订单待收货，不能发货" in answer
    assert Shipment.objects.count() == 1


def test_a_wrong_sheet_shows_its_rows(office: Client, confirmed_order: Order) -> None:
    page = upload(office, (confirmed_order.order_no, 1, 99, "顺丰", "A1"))
    assert "有 1 处错误，整个文件都未发货" in page
    assert "最多还可发 2，请修改" in page


def test_the_template_has_the_orders_that_wait(
    office: Client, confirmed_order: Order, shopper: Account
) -> None:
    place_order(shopper)
    with no_scope():
        content = office.get(SHEET, {"template": "1"}).getvalue()
        chosen = office.post(
            LIST, {"action": "sheet_of_chosen", "_selected_action": [confirmed_order.pk]}
        )
        again = chosen.getvalue()
    for sheet in (content, again):
        rows = CalamineWorkbook.from_filelike(io.BytesIO(sheet)).get_sheet_by_index(0).to_python()
        assert [row[0] for row in rows] == ["订单号", confirmed_order.order_no]


@pytest.mark.parametrize(("job", "status"), [("客服", 200), ("商品", 403), ("系统", 403)])
def test_shipping_sheet_requires_the_order_permission(db: None, job: str, status: int) -> None:
    with no_scope():
        assert open_office(create_staff(job)).get(SHEET).status_code == status


def test_a_note_is_for_colleagues_and_stays(
    office: Client, placed_order: Order, staff: Account
) -> None:
    with no_scope():
        assert (
            office.post(
                f"{LIST}{placed_order.pk}/note/", {"act": "1", "text": "客户要求下周二送"}
            ).status_code
            == 302
        )
        page = office.get(f"{LIST}{placed_order.pk}/change/").content.decode()
        assert (
            office.post(f"{LIST}{placed_order.pk}/note/", {"act": "1", "text": " "}).status_code
            == 200
        )
    assert "客户要求下周二送" in page
    assert list(OrderNote.objects.values_list("author", "text")) == [(staff.pk, "客户要求下周二送")]


def twice(office: Client, order: Order, act: str, form: dict[str, object], seen: str) -> list[str]:
    """Open the page once and post its form twice. Return the errors of the second post.

    This happens with a double click, or when two colleagues have the same page open.
    """
    path = f"{LIST}{order.pk}/{act}/"
    with no_scope():
        answer = office.get(path).context["form"]
        filled = {**form, seen: answer[seen].value()}
        assert office.post(path, filled).status_code == 302
        return [
            str(error) for error in office.post(path, filled).context["form"].non_field_errors()
        ]


def test_a_payment_sent_twice_is_recorded_once(office: Client, confirmed_order: Order) -> None:
    Order.objects.filter(pk=confirmed_order.pk).update(
        payment_kind="credit", settlement_status="none"
    )

    refused = twice(
        office,
        confirmed_order,
        "record-payment",
        {"amount": "1.00", "reference": "K-1"},
        "left_seen",
    )

    assert "请刷新页面核对后再登记" in refused[0]
    assert Payment.objects.filter(order=confirmed_order, amount="1.00").count() == 1


def test_a_part_sent_twice_is_shipped_once(
    office: Client, shopper: Account, staff: Account
) -> None:
    order = order_confirm(actor=staff, order_id=place_order(shopper, (ProductFactory(), 5)).pk)
    part = {"carrier": "顺丰", "tracking_no": "SF1", f"line_{order.lines.get().pk}": 2}

    assert twice(office, order, "ship", part, "shipped_seen") == [
        "您打开此页后该订单又发了 2 件，请刷新页面核对未发数量后再发货"
    ]
    assert Shipment.objects.filter(order=order).count() == 1
