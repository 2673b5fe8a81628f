"""The first page of the back office: pending work with its age, only for the reader's rights,
with a bounded number of queries.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.common.models import OutboxMessage
from apps.common.tenancy import no_scope
from apps.orders.models import Order
from apps.orders.services.confirmations import order_confirm
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office

ORDERS = {
    "待确认",
    "待发货（含部分发货）",
    "超时未发货",
    "待在线支付",
    "待到账（公司转账）",
    "今日下单",
}
INVOICES = {"待审核开票", "开票失败", "待确认红冲", "待匹配到账", "待答复异议"}
SEEN = {
    # 客服 releases changes of orders by other people (docs/dual-control.md).
    "客服": ORDERS
    | {
        "待复核",
        "待查看评价",
        "待处理售后",
        "待处理取消",
        "待客服审批",
        "待报价询价",
        "待回答提问",
    },
    "商品": ORDERS | {"待复核", "待报价询价", "待回答提问", "价格预警"},
    "财务": ORDERS | INVOICES | {"待复核", "待处理售后"},
    "系统": {"投递失败"},
}
# Asked of each person before the page: the session, the account, his rights and those of his jobs.
SIGNING_IN = 4
MOST = 17


def get_cards(person: Account) -> dict[str, dict[str, Any]]:
    with no_scope():
        return {
            card["title"]: card for card in open_office(person).get("/admin/").context["work_cards"]
        }


@pytest.mark.parametrize("job", SEEN)
def test_each_job_sees_its_own_cards(db: None, job: str) -> None:
    assert set(get_cards(create_staff(job))) == SEEN[job]


@pytest.mark.parametrize("job", SEEN)
def test_each_card_and_list_leads_to_a_page_that_its_reader_may_open(
    shopper: Account, job: str
) -> None:
    place_order(shopper)
    office = open_office(create_staff(job))
    with no_scope():
        answer = office.get("/admin/").context
        links = [card["link"] for card in answer["work_cards"]] + [
            each["all"] for each in answer["todo_lists"]
        ]
        links += [
            link
            for each in answer["todo_lists"]
            for row in each["rows"]
            for link in (row.page, row.act)
        ]
        assert {link: office.get(link).status_code for link in links} == dict.fromkeys(links, 200)


def test_owned_row_shows_its_owner_or_its_unclaimed_state(shopper: Account, staff: Account) -> None:
    order, office = place_order(shopper), open_office(staff)
    with no_scope():
        assert "无人认领</small>" in office.get("/admin/").content.decode()
        office.post(
            "/admin/orders/order/", {"action": "take_chosen", "_selected_action": [order.pk]}
        )
        page = office.get("/admin/").content.decode()
    assert f"{staff.nickname}处理</small>" in page
    assert "无人认领</small>" not in page


def test_each_job_sees_its_own_cards_first(db: None) -> None:
    first = {job: next(iter(get_cards(create_staff(job)))) for job in ("客服", "商品", "财务")}
    assert first == {"客服": "待确认", "商品": "待复核", "财务": "待复核"}


def test_card_shows_the_count_and_the_longest_waiting_time(
    shopper: Account, staff: Account
) -> None:
    first = place_order(shopper)
    place_order(shopper)
    since = timezone.now() - timedelta(days=3)
    Order.objects.filter(pk=first.pk).update(submitted_at=since)
    cards = get_cards(staff)
    assert (cards["待确认"]["number"], cards["待确认"]["since"], cards["待确认"]["waited"]) == (
        2,
        since,
        "3 天",
    )
    assert (cards["待发货（含部分发货）"]["number"], cards["待发货（含部分发货）"]["since"]) == (
        0,
        None,
    )
    assert cards["今日下单"]["number"] == 1


def test_a_message_that_was_given_up_is_named_and_leads_to_its_list(staff: Account) -> None:
    at = timezone.now() - timedelta(hours=2)
    OutboxMessage.objects.create(
        topic="order.paid", key="SO1", available_at=at, dead_at=at, last_error="超时"
    )
    OutboxMessage.objects.create(topic="order.paid", key="SO2", available_at=at)
    with no_scope():
        page = open_office(staff).get("/admin/").context
        [card] = [card for card in page["work_cards"] if card["title"] == "投递失败"]
        listed = open_office(staff).get(card["link"]).context["cl"].result_count
    assert (card["number"], card["since"], card["is_late"], listed) == (1, at, True, 1)


@pytest.mark.parametrize("job", [*SEEN, ""])
def test_the_page_asks_at_most_seventeen_queries(
    shopper: Account, staff: Account, job: str
) -> None:
    for number in range(9):
        placed = place_order(shopper)
        if number % 2:
            order_confirm(actor=staff, order_id=placed.pk)
    office = open_office(create_staff(job) if job else staff)
    with no_scope(), CaptureQueriesContext(connection) as queries:
        office.get("/admin/")
    request = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
    asking_who = ('FROM "django_session"', 'FROM "org_account" ', 'FROM "auth_permission"')
    who = [sql for sql in request if any(table in sql for table in asking_who)]
    assert len(who) <= SIGNING_IN
    assert len(request) - len(who) <= MOST, "\n".join(request)
