"""The back office changes orders through the services, and only with the permission to do so."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.utils import timezone

from apps.common.models import Event
from apps.common.tenancy import no_scope, platform_scope
from apps.orders.admin.dashboard import WORK
from apps.orders.admin.order_facts import STATE_COLOURS
from apps.orders.enums import OrderStatus
from apps.orders.models import Order, OrderLine, Shipment
from apps.orders.services.confirmations import order_confirm
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.factories import StaffFactory
from apps.org.tests.office import create_staff, open_office


@pytest.fixture
def office(staff: Account) -> Client:
    """A browser session of the superuser."""
    return open_office(staff)


def act(client: Client, order: Order, verb: str, **fields: object) -> int:
    with no_scope():
        return client.post(
            f"/admin/orders/order/{order.pk}/{verb}/", {"act": "1", **fields}
        ).status_code


def reload(order: Order) -> Order:
    result: Order = Order.objects.get(pk=order.pk)
    return result


@pytest.mark.parametrize(
    "path",
    [
        "",
        "orders/order/",
        "orders/payment/",
        "orders/shipment/",
        "orders/freightregion/",
        "reviews/orderreview/",
    ],
)
def test_every_list_opens(office: Client, shipped_order: Order, path: str) -> None:
    with no_scope():
        assert office.get(f"/admin/{path}").status_code == 200


@pytest.mark.parametrize(("path", "status"), [("change", 302), ("ship", 404), ("cancel", 404)])
@pytest.mark.parametrize("key", ["abc", "9" * 18])
def test_admin_order_page_with_an_invalid_key_is_not_found(
    office: Client, key: str, path: str, status: int
) -> None:
    with no_scope():
        assert office.get(f"/admin/orders/order/{key}/{path}/").status_code == status


def test_the_first_page_counts_todays_work(office: Client, placed_order: Order) -> None:
    with no_scope():
        page = office.get("/admin/")
    assert {
        card["title"]: card["number"] for card in page.context["work_cards"] if card["number"]
    } == {"待确认": 1, "今日下单": 1}


def test_each_order_card_links_to_the_orders_of_its_count(
    office: Client, confirmed_order: Order, shopper: Account
) -> None:
    place_order(shopper)
    Order.objects.filter(pk=confirmed_order.pk).update(
        confirmed_at=timezone.now() - timedelta(days=2)
    )
    with no_scope():
        cards = office.get("/admin/").context["work_cards"][: len(WORK)]
        listed = [office.get(card["link"]).context["cl"].result_count for card in cards]
    assert listed == [card["number"] for card in cards] == [1, 1, 1, 0, 0, 2]


def test_admin_home_lists_the_oldest_order_with_its_next_action(
    office: Client, placed_order: Order
) -> None:
    with no_scope():
        first = office.get("/admin/").context["todo_lists"][0]["rows"][0]
    assert (first.number, first.act) == (
        placed_order.order_no,
        f"/admin/orders/order/{placed_order.pk}/confirm/",
    )


def test_an_order_is_looked_at_and_not_saved(office: Client, placed_order: Order) -> None:
    with no_scope():
        page = office.get(f"/admin/orders/order/{placed_order.pk}/change/").content.decode()
    assert 'name="_save"' not in page
    assert f"/order/{placed_order.pk}/confirm/" in page
    assert f"/order/{placed_order.pk}/ship/" not in page


def test_the_order_page_shows_the_timeline(office: Client, placed_order: Order) -> None:
    with no_scope():
        assert (
            "提交订单"
            in office.get(f"/admin/orders/order/{placed_order.pk}/change/").content.decode()
        )


def test_staff_confirm_in_the_admin(office: Client, placed_order: Order) -> None:
    assert act(office, placed_order, "confirm") == 302
    assert reload(placed_order).status == "pending_shipment"


def test_opening_the_confirm_page_leaves_the_order_unchanged(
    office: Client, placed_order: Order
) -> None:
    with no_scope():
        assert office.get(f"/admin/orders/order/{placed_order.pk}/confirm/").status_code == 200
    assert reload(placed_order).status == "pending_confirm"


def test_staff_ship_by_line_and_quantity(office: Client, confirmed_order: Order) -> None:
    line = confirmed_order.lines.get()
    assert (
        act(
            office,
            confirmed_order,
            "ship",
            carrier="示例快递",
            tracking_no="SF9",
            **{f"line_{line.pk}": 1},
        )
        == 302
    )
    assert (reload(confirmed_order).status, Shipment.objects.get().tracking_no) == (
        "partly_shipped",
        "SF9",
    )
    assert OrderLine.objects.get(pk=line.pk).shipped_quantity == 1


def test_shipment_above_the_open_quantity_is_refused(
    office: Client, confirmed_order: Order
) -> None:
    line = confirmed_order.lines.get()
    assert (
        act(
            office,
            confirmed_order,
            "ship",
            carrier="示例快递",
            tracking_no="SF9",
            **{f"line_{line.pk}": 3},
        )
        == 200
    )
    assert not Shipment.objects.exists()


def test_staff_record_a_payment(office: Client, placed_order: Order) -> None:
    assert act(office, placed_order, "record-payment", amount="5.00", reference="HT-1") == 302
    assert reload(placed_order).settlement_status == "partly"


def test_staff_cancel_a_confirmed_order_with_a_reason(
    office: Client, confirmed_order: Order
) -> None:
    assert act(office, confirmed_order, "cancel", reason="客户来电取消") == 302
    event = Event.objects.filter(subject_id=confirmed_order.pk).last()
    assert event is not None
    assert (reload(confirmed_order).status, event.note) == ("cancelled", "客户来电取消")


def test_a_wrong_state_is_shown_in_the_form(
    office: Client, placed_order: Order, staff: Account
) -> None:
    order_confirm(actor=staff, order_id=placed_order.pk)
    with no_scope():
        page = office.post(f"/admin/orders/order/{placed_order.pk}/confirm/", {"act": "1"})
    assert "订单已确认（待发货），无需重复确认" in page.content.decode()


@pytest.mark.parametrize(("job", "status"), [("客服", 302), ("商品", 403), ("系统", 403)])
def test_order_actions_require_the_order_job(placed_order: Order, job: str, status: int) -> None:
    assert act(open_office(create_staff(job)), placed_order, "confirm") == status


@pytest.mark.parametrize("status", OrderStatus.values)
def test_every_state_reads_in_chinese_in_the_list(
    office: Client, placed_order: Order, status: str
) -> None:
    Order.objects.filter(pk=placed_order.pk).update(status=status)
    order_admin: Any = admin.site.get_model_admin(Order)
    with platform_scope(reason="test: the list's own column"):
        label = order_admin.state(reload(placed_order))
    assert STATE_COLOURS[label[0]] in {"info", "warning", "success", "danger"}
    assert label[1] == OrderStatus(status).label


def test_amounts_have_thousands_separators(office: Client, placed_order: Order) -> None:
    Order.objects.filter(pk=placed_order.pk).update(
        goods_amount=Decimal("1234567.80"), freight_amount=0, total_amount=Decimal("1234567.80")
    )
    with no_scope():
        assert "¥1,234,567.80" in office.get("/admin/orders/order/").content.decode()
        assert (
            "¥1,234,567.80"
            in office.get(f"/admin/orders/order/{placed_order.pk}/change/").content.decode()
        )


def test_delivery_note_prints_the_parcel_content_without_prices(
    office: Client, shipped_order: Order
) -> None:
    shipment, line = shipped_order.shipments.get(), shipped_order.lines.get()
    with no_scope():
        page = office.get(f"/admin/orders/shipment/{shipment.pk}/print/")
    text = page.content.decode()
    assert page.status_code == 200
    for part in (
        shipment.shipment_no,
        shipment.tracking_no,
        line.product_code,
        line.name,
        shipped_order.address_snapshot["Street"],
    ):
        assert part in text
    assert "¥" not in text


def test_staff_without_shipment_permission_cannot_print_a_delivery_note(
    shipped_order: Order,
) -> None:
    with platform_scope(reason="test: staff without a job"):
        nobody = StaffFactory(is_superuser=False)
    browser, path = (
        open_office(nobody),
        f"/admin/orders/shipment/{shipped_order.shipments.get().pk}/print/",
    )
    with no_scope():
        assert browser.get(path).status_code == 403
