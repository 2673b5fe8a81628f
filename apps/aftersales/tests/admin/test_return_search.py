"""Tests of the return list's search box: by return or order number, product and person. This
list covers every kind of search field that the back office supports.
"""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.aftersales.models import ReturnOrder
from apps.aftersales.tests.stories import apply_for_return, received_order
from apps.common.tenancy import no_scope
from apps.office import search as searching
from apps.org.models import Account
from apps.org.tests.office import create_staff, open_office

AT = "/admin/aftersales/returnorder/"
CUT = "仅查找其中最新的"


@pytest.fixture
def office(db: None) -> Client:
    return open_office(create_staff("客服"))


@pytest.fixture
def returns(shopper: Account, staff: Account) -> list[ReturnOrder]:
    """Two returns of two orders of the same account."""
    return [apply_for_return(shopper, received_order(shopper, staff), 1) for _ in range(2)]


def find_return_numbers(office: Client, text: str) -> list[str]:
    """Return the return numbers that the list shows for the search text, newest first."""
    with no_scope():
        answer = office.get(AT, {"q": text})
    assert answer.status_code == 200
    return [row.return_no for row in answer.context["cl"].result_list]


def test_return_search_matches_part_of_each_number_ignoring_case(
    office: Client, returns: list[ReturnOrder]
) -> None:
    for row in returns:
        for number in (
            row.return_no,
            row.return_no.lower(),
            row.return_no[2:],
            row.order.order_no,
            row.order.order_no.lower()[-8:],
        ):
            assert find_return_numbers(office, number) == [row.return_no], number


def test_goods_and_people_find_all_their_returns_newest_first(
    office: Client, returns: list[ReturnOrder], shopper: Account
) -> None:
    both = [returns[1].return_no, returns[0].return_no]
    goods = returns[0].lines.get().order_line.name[:2]
    for text in (goods, shopper.nickname, shopper.username.upper(), ""):
        assert find_return_numbers(office, text) == both, text


def test_every_word_must_be_found(
    office: Client, returns: list[ReturnOrder], shopper: Account
) -> None:
    assert find_return_numbers(office, f"{shopper.nickname} {returns[0].return_no}") == [
        returns[0].return_no
    ]
    assert find_return_numbers(office, f"{returns[1].return_no} {returns[0].return_no}") == []
    assert find_return_numbers(office, f'"{shopper.nickname} {returns[0].return_no}"') == []


def test_signs_of_a_pattern_are_letters(office: Client, returns: list[ReturnOrder]) -> None:
    for text in ("%", "_", "\\", '"', "'", "S%O", "没有这样的东西" * 40):
        assert find_return_numbers(office, text) == [], text


def test_more_matches_than_are_read_first_are_shown_all_the_same(
    office: Client, returns: list[ReturnOrder], shopper: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "MAX_KEYS", 1)
    assert find_return_numbers(office, shopper.nickname) == [
        returns[1].return_no,
        returns[0].return_no,
    ]


def test_return_search_reports_a_truncated_product_match(
    office: Client, returns: list[ReturnOrder], monkeypatch: pytest.MonkeyPatch
) -> None:
    goods = returns[0].lines.get().order_line.name[:2]
    with no_scope():
        assert CUT not in office.get(AT, {"q": goods}).content.decode()
        monkeypatch.setattr(searching, "MAX_RELATED", 1)
        answer = office.get(AT, {"q": goods})
    assert CUT in answer.content.decode()
    assert [row.return_no for row in answer.context["cl"].result_list] == [returns[1].return_no]


def test_a_search_joins_no_table_and_folds_no_case_of_text_without_any(
    office: Client, returns: list[ReturnOrder]
) -> None:
    with no_scope(), CaptureQueriesContext(connection) as captured:
        office.get(AT, {"q": "打印纸"})
    queries = [query["sql"] for query in captured.captured_queries if " LIKE " in query["sql"]]
    assert len(queries) == 4, "orders, goods, people and the returns, each by itself"
    assert not [sql for sql in queries if " JOIN " in sql or "UPPER(" in sql]
