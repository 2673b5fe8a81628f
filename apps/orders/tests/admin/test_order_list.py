"""The list of the order desk: tabs by state, saved views, search by amount and the download."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.test import Client

from apps.catalog.tests.factories import ProductFactory
from apps.common.models import ListView
from apps.common.services.list_views import MAX_VIEWS
from apps.common.tenancy import no_scope
from apps.documents.excel import read_rows
from apps.inquiries.tests.inquiry_stories import create_inquiry
from apps.orders.models import Order, OrderLine
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office

LIST = "/admin/orders/order/"


@pytest.fixture
def office(staff: Account) -> Client:
    return open_office(staff)


def search_orders(office: Client, **query: str) -> list[str]:
    with no_scope():
        return [order.order_no for order in office.get(LIST, query).context["cl"].result_list]


def save(office: Client, **form: str) -> str:
    with no_scope():
        return office.post(f"{LIST}views/", form, follow=True).content.decode()


def test_tabs_keep_the_search_and_set_the_state(office: Client, shopper: Account) -> None:
    order = place_order(shopper)
    with no_scope():
        page = office.get(LIST, {"q": "SO", "p": "1", "status__exact": "pending_confirm"})

    tabs = {tab["title"]: tab for tab in page.context["tabs"]}
    assert list(tabs)[:4] == ["全部", "待审批", "待确认", "待发货"]
    assert tabs["待发货"]["query"] == "q=SO&status__exact=pending_shipment"
    assert [title for title, tab in tabs.items() if tab["is_open"]] == ["待确认"]
    assert search_orders(office, status__exact="pending_confirm") == [order.order_no]
    assert search_orders(office, status__exact="pending_shipment") == []


def test_an_amount_finds_the_orders_with_that_amount_due(office: Client, shopper: Account) -> None:
    order, other = place_order(shopper), place_order(shopper)
    Order.objects.filter(pk=order.pk).update(
        goods_amount="1234.50", freight_amount="0", total_amount="1234.50"
    )

    for text in ("1234.5", "1,234.50", "¥1234.50"):
        assert search_orders(office, q=text) == [order.order_no]
    assert search_orders(office, q="1234.51") == []
    assert other.order_no not in search_orders(office, q="1234.50")


def test_a_view_is_saved_replaced_and_deleted_by_its_owner_only(
    office: Client, staff: Account
) -> None:
    colleague = open_office(create_staff("客服"))
    first = save(office, name=" 待发 ", query="status__exact=pending_shipment&p=3")
    view = ListView.objects.get()
    save(office, name="待发", query="q=SO")

    assert "已保存筛选“待发”" in first
    assert (view.name, view.query) == ("待发", "status__exact=pending_shipment")
    assert ListView.objects.values_list("query", flat=True).get() == "q=SO"

    save(colleague, delete=str(view.pk))
    assert ListView.objects.count() == 1
    save(office, delete=str(view.pk))
    assert ListView.objects.count() == 0


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"name": "", "query": "q=1"}, "请填写名称，最多 20 个字"),
        ({"name": "空", "query": "p=2"}, "请先选择筛选条件或搜索，再保存"),
        ({"name": "长", "query": f"q={'9' * 1200}"}, "筛选条件过长"),
        ({"name": "多", "query": "q=1"}, "最多保存 20 个筛选"),
    ],
)
def test_a_view_that_cannot_be_saved_is_refused(
    office: Client, staff: Account, form: dict[str, str], message: str
) -> None:
    ListView.objects.bulk_create(
        ListView(owner=staff, page="orders.order", name=str(number), query="q=1")
        for number in range(MAX_VIEWS)
    )

    assert message in save(office, **form)
    assert ListView.objects.count() == MAX_VIEWS


def test_the_filtered_list_is_downloaded_line_by_line(office: Client, shopper: Account) -> None:
    order = place_order(shopper)
    place_order(shopper)
    with no_scope():
        answer = office.get(f"{LIST}download/", {"q": order.order_no})
        wrong = office.get(f"{LIST}download/", {"submitted_at_from_0": "x", "nothing": "1"})
    rows = list(read_rows(io.BytesIO(answer.getvalue()), max_rows=10, max_columns=60))

    assert rows[0][:3] == ["订单号", "下单时间", "订单状态"]
    assert {row[0] for row in rows[1:]} == {order.order_no}
    assert wrong.status_code == 302


def test_order_list_download_and_views_require_the_order_permission(platform: None) -> None:
    system = open_office(create_staff("系统"))
    with no_scope():
        codes = [
            system.get(f"{LIST}download/").status_code,
            system.post(f"{LIST}views/", {"name": "x", "query": "q=1"}).status_code,
        ]

    assert codes == [403, 403]


def test_a_quote_shows_the_price_of_the_last_order_of_the_group(
    office: Client, shopper: Account
) -> None:
    product = ProductFactory(code="700001", name="定制钢笔", market_price=Decimal("12.00"))
    order = place_order(shopper, (product, 2))
    OrderLine.objects.filter(order=order).update(ordered_at=datetime(2026, 3, 1, tzinfo=UTC))
    inquiry = create_inquiry(shopper, "钢笔")
    path = f"/admin/inquiries/productinquiry/{inquiry.pk}/offer/"
    with no_scope():
        text = office.get(path, {"code": "700001"}).json()["text"]

    assert text.endswith("可售 98 支 · 上次成交 ¥12.00（2026-03-01）")
