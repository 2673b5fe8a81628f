"""The list of a person's sessions, and the sign-out of other sessions."""

from __future__ import annotations

import uuid

import pytest

from apps.common.testing import ApiClient, assert_queries
from apps.identity.api.sessions import describe_device
from apps.identity.models import TokenFamily
from apps.identity.services.family import family_begin
from apps.identity.services.session_key import impersonation_begin
from apps.org.models import Account

SESSION, SIGN_OUT = "/api/Account/Session", "/api/Account/Session/SignOut"
EDGE = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0"
)


def test_session_list_shows_device_address_and_the_current_session(buyer: Account) -> None:
    family_begin(account=buyer, client="203.0.113.7", user_agent=EDGE)
    rows = ApiClient(buyer).get(SESSION).body["Items"]

    assert [(row["Current"], row["Device"], row["ClientAddress"]) for row in rows][1] == (
        False,
        "Edge · Windows",
        "203.0.113.7",
    )
    assert [row["Current"] for row in rows] == [True, False]


def test_session_list_excludes_other_accounts(buyer: Account, approver: Account) -> None:
    family_begin(account=approver, client="203.0.113.7")

    assert ApiClient(buyer).get(SESSION).body["Total"] == 1


def test_sign_out_of_other_sessions_keeps_the_current_one(buyer: Account) -> None:
    here, there, third = ApiClient(buyer), ApiClient(buyer), ApiClient(buyer)

    assert here.post(SIGN_OUT).body == {"Ended": 2}
    assert here.get(SESSION).body["Total"] == 1
    assert [client.get(SESSION).status for client in (there, third)] == [401, 401]


def test_single_session_can_be_ended(buyer: Account) -> None:
    here, there, third = ApiClient(buyer), ApiClient(buyer), ApiClient(buyer)
    wanted = next(row["Id"] for row in there.get(SESSION).body["Items"] if row["Current"])

    assert here.post(SIGN_OUT, {"Id": wanted}).body == {"Ended": 1}
    assert [client.get(SESSION).status for client in (there, third)] == [401, 200]


def test_current_session_cannot_be_ended_from_the_list(buyer: Account) -> None:
    client = ApiClient(buyer)
    present = client.get(SESSION).body["Items"][0]["Id"]

    assert client.post(SIGN_OUT, {"Id": present}).errors == {
        "Id": ["这是当前登录，请使用页面顶部的“退出登录”"]
    }


def test_session_of_another_account_answers_as_a_missing_one(
    buyer: Account, approver: Account
) -> None:
    family_begin(account=approver, client="203.0.113.7")
    foreign = TokenFamily.objects.get(account=approver).public_id
    answers = [
        ApiClient(buyer).post(SIGN_OUT, {"Id": str(wanted)}) for wanted in (foreign, uuid.uuid4())
    ]

    assert [(answer.status, answer.message) for answer in answers] == [
        (404, "该登录已退出或不存在，请刷新后查看")
    ] * 2


def test_session_list_shows_impersonations_with_their_reason(ga: Account, staff: Account) -> None:
    key = impersonation_begin(actor=staff, account=ga, reason="核对订单")
    ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key})

    assert [
        (row["ByStaff"], row["Reason"]) for row in ApiClient(ga).get(SESSION).body["Items"]
    ] == [(False, ""), (True, "核对订单")]


def test_the_list_costs_three_queries(buyer: Account) -> None:
    client = ApiClient(buyer)
    with assert_queries(3):  # bearer, count, rows
        client.get(SESSION)


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        ("", "未知设备"),
        (
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
                "Version/18.0 Mobile/15E148 Safari/604.1"
            ),
            "Safari · iPhone",
        ),
        (
            (
                "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile "
                "Safari/537.36 MicroMessenger/8.0"
            ),
            "微信 · Android",
        ),
        (
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7; rv:132.0) Gecko/20100101 "
                "Firefox/132.0"
            ),
            "Firefox · macOS",
        ),
    ],
)
def test_a_browser_is_named_in_words(agent: str, device: str) -> None:
    assert describe_device(agent) == device
