"""Pending work has an owner: staff claim it in the lists, see it beside the row and on the
first page, and release their own.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from apps.common.tenancy import no_scope
from apps.orders.models import Order
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office

LIST = "/admin/orders/order/"
PAGES = (
    "orders/order",
    "aftersales/returnorder",
    "inquiries/productinquiry",
    "invoices/invoiceapplication",
)


@pytest.fixture
def mine(db: None) -> Client:
    return open_office(create_staff("客服"))


@pytest.fixture
def others(db: None) -> Client:
    return open_office(create_staff("客服"))


def act(client: Client, name: str, *orders: Order) -> str:
    with no_scope():
        form = {"action": name, "_selected_action": [order.pk for order in orders]}
        return client.post(LIST, form, follow=True).content.decode()


def list_rows(client: Client, whose: str) -> list[int]:
    with no_scope():
        return [order.pk for order in client.get(LIST, {"owner": whose}).context["cl"].result_list]


def get_first_page(client: Client, whose: str = "") -> dict[str, Any]:
    with no_scope():
        context = client.get("/admin/", {"owner": whose} if whose else {}).context
    lists = {each["title"]: [row.number for row in each["rows"]] for each in context["todo_lists"]}
    return {
        "cards": {card["title"]: card["number"] for card in context["work_cards"]},
        "lists": lists,
    }


def test_taken_work_is_listed_as_mine_and_the_rest_as_unclaimed(
    shopper: Account, mine: Client, others: Client
) -> None:
    first, second = place_order(shopper), place_order(shopper)
    act(mine, "take_chosen", first)

    assert (list_rows(mine, "mine"), list_rows(mine, "none")) == ([first.pk], [second.pk])
    assert (list_rows(others, "mine"), list_rows(others, "none")) == ([], [second.pk])


def test_work_taken_by_a_colleague_keeps_its_owner(
    shopper: Account, mine: Client, others: Client
) -> None:
    first, second = place_order(shopper), place_order(shopper)
    act(others, "take_chosen", first)

    assert "已认领 1 项；另有 1 项已由同事认领" in act(mine, "take_chosen", first, second)
    assert (list_rows(mine, "mine"), list_rows(others, "mine")) == ([second.pk], [first.pk])


def test_person_gives_back_only_their_own_work(
    shopper: Account, staff: Account, mine: Client, others: Client
) -> None:
    order = place_order(shopper)
    act(mine, "take_chosen", order)

    assert "已退回 0 项" in act(others, "give_back_chosen", order)
    assert "已退回 1 项" in act(mine, "give_back_chosen", order)
    act(mine, "take_chosen", order)
    assert "已退回 1 项" in act(
        open_office(staff), "give_back_chosen", order
    )  # a superuser, for who is away


def test_the_first_page_counts_and_lists_mine(shopper: Account, mine: Client) -> None:
    first, second = place_order(shopper), place_order(shopper)
    act(mine, "take_chosen", first)

    values = {whose: get_first_page(mine, whose) for whose in ("", "mine", "none")}
    assert {whose: page["cards"]["待确认"] for whose, page in values.items()} == {
        "": 2,
        "mine": 1,
        "none": 1,
    }
    assert values["mine"]["lists"]["待确认的订单"] == [first.order_no]
    assert values["none"]["lists"]["待确认的订单"] == [second.order_no]
    assert "待客服审批" not in values["mine"]["cards"]  # nobody takes those


@pytest.mark.parametrize("page", PAGES)
def test_each_list_of_work_has_its_owner(staff: Account, page: str) -> None:
    with no_scope():
        answer = open_office(staff).get(f"/admin/{page}/").context["cl"]
    assert "owner_text" in answer.list_display
    assert "owner" in [
        each.parameter_name for each in answer.filter_specs if hasattr(each, "parameter_name")
    ]
