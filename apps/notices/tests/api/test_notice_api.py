"""/api/Notice, /UnreadCount and /Read: own notices only, with a fixed number of queries."""

from __future__ import annotations

import pytest

from apps.common.testing import ApiClient, assert_queries
from apps.identity.services.session_key import impersonation_begin
from apps.notices.enums import NoticeKind
from apps.notices.models import Notice
from apps.notices.tests.factories import make_notice
from apps.org.models import Account


@pytest.fixture
def client(buyer: Account) -> ApiClient:
    return ApiClient(buyer)


def list_titles(client: ApiClient, **query: str) -> list[str]:
    return [row["Title"] for row in client.get("/api/Notice", query).body["Items"]]


def test_a_notice_on_the_wire(client: ApiClient, buyer: Account) -> None:
    notice = make_notice(
        buyer,
        title="订单 SO1 等待您审批",
        kind=NoticeKind.APPROVAL_WAITING,
        text="金额 10.00 元",
        link="/userCenter/order/approval/1",
    )

    row = client.get("/api/Notice").body["Items"][0]

    assert row.pop("CreatedAt")
    assert row == {
        "Id": str(notice.pk),
        "Kind": "approval_waiting",
        "KindText": "待我审批",
        "Section": "approval",
        "Title": "订单 SO1 等待您审批",
        "Text": "金额 10.00 元",
        "Link": "/userCenter/order/approval/1",
        "NeedsAct": True,
        "ReadAt": None,
    }


def test_the_newest_comes_first(client: ApiClient, buyer: Account) -> None:
    make_notice(buyer, title="先")
    make_notice(buyer, title="后")

    assert list_titles(client) == ["后", "先"]


def test_kind_section_and_unread_narrow(client: ApiClient, buyer: Account) -> None:
    make_notice(buyer, title="发货")
    make_notice(buyer, title="报价", kind=NoticeKind.INQUIRY_QUOTED)
    make_notice(buyer, title="待审", kind=NoticeKind.APPROVAL_WAITING)
    Notice.objects.filter(title="报价").update(read_at="2026-11-22T10:00:00+08:00")

    assert list_titles(client, Kind="order_shipped") == ["发货"]
    assert list_titles(client, Section="approval") == ["待审"]
    assert list_titles(client, Unread="true") == ["待审", "发货"]
    assert list_titles(client, Section="inquiry", Unread="true") == []


def test_a_colleagues_and_another_groups_notices_are_not_there(
    client: ApiClient, approver: Account, other_ga: Account
) -> None:
    make_notice(approver)

    assert list_titles(client) == []
    assert list_titles(ApiClient(other_ga)) == []


def test_mail_only_notice_is_neither_listed_nor_counted(client: ApiClient, buyer: Account) -> None:
    make_notice(buyer, is_on_page=False)

    assert list_titles(client) == []
    assert client.get("/api/Notice/UnreadCount").body == {"Count": 0}


@pytest.mark.parametrize(("unread", "count"), [(0, 0), (3, 3), (120, 100)])
def test_the_count_stops_at_a_hundred(
    client: ApiClient, buyer: Account, unread: int, count: int
) -> None:
    for _ in range(unread):
        make_notice(buyer)

    assert client.get("/api/Notice/UnreadCount").body == {"Count": count}


def test_some_are_marked_as_read(client: ApiClient, buyer: Account) -> None:
    first, _ = make_notice(buyer), make_notice(buyer)

    assert client.post("/api/Notice/Read", {"Ids": [str(first.pk)]}).body == {"Read": 1, "Count": 1}
    assert client.post("/api/Notice/Read", {"Ids": [str(first.pk)]}).body == {"Read": 0, "Count": 1}


def test_all_are_marked_as_read(client: ApiClient, buyer: Account) -> None:
    make_notice(buyer)
    make_notice(buyer)

    answer = client.post("/api/Notice/Read", {"All": True})

    assert (answer.body, answer.message) == ({"Read": 2, "Count": 0}, "已将 2 条消息标为已读")


def test_a_colleagues_notice_stays_unread(client: ApiClient, approver: Account) -> None:
    notice = make_notice(approver)

    assert client.post("/api/Notice/Read", {"Ids": [str(notice.pk)]}).body == {
        "Read": 0,
        "Count": 0,
    }
    assert Notice.objects.get().read_at is None


def test_neither_ids_nor_all_is_refused(client: ApiClient) -> None:
    assert client.post("/api/Notice/Read", {}).errors == {"Ids": ["请选择要标为已读的消息"]}


def test_impersonating_staff_cannot_mark_notices_as_read(buyer: Account, staff: Account) -> None:
    make_notice(buyer, title="待审")
    key = impersonation_begin(actor=staff, account=buyer, reason="核对")
    acting = ApiClient(
        bearer=ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key}).body["Token"]
    )

    assert list_titles(acting) == ["待审"]
    assert acting.post("/api/Notice/Read", {"All": True}).code == "not_in_person"


def test_notice_list_takes_three_queries_for_any_number_of_rows(
    client: ApiClient, buyer: Account
) -> None:
    for _ in range(30):
        make_notice(buyer)

    with assert_queries(3):
        assert len(client.get("/api/Notice").body["Items"]) == 20


def test_the_count_takes_two_queries(client: ApiClient, buyer: Account) -> None:
    make_notice(buyer)

    with assert_queries(2):
        assert client.get("/api/Notice/UnreadCount").body == {"Count": 1}
