"""/api/Notice/Preference: the channels of each kind, own preferences only."""

from __future__ import annotations

from typing import Any

import pytest

from apps.common.testing import ApiClient, assert_queries
from apps.identity.models import WeChatWorkAccount
from apps.notices.models import NoticePreference
from apps.org.models import Account

HERE = "/api/Notice/Preference"


@pytest.fixture
def client(buyer: Account) -> ApiClient:
    return ApiClient(buyer)


def build_row(client: ApiClient, kind: str) -> dict[str, Any]:
    row: dict[str, Any] = next(one for one in client.get(HERE).body["Items"] if one["Kind"] == kind)
    return row


def test_missing_preference_uses_the_default_of_its_kind(client: ApiClient) -> None:
    assert build_row(client, "approval_waiting") == {
        "Kind": "approval_waiting",
        "KindText": "待我审批",
        "Section": "approval",
        "SectionText": "审批",
        "Page": True,
        "PageFixed": True,
        "Mail": "instant",
        "MailFixed": False,
        "WeChatWork": True,
    }


def test_saved_preference_is_returned(client: ApiClient) -> None:
    wanted = {"Kind": "order_shipped", "Page": False, "Mail": "instant", "WeChatWork": True}
    for _ in range(2):
        answer = client.put(HERE, {"Items": [wanted]})

    assert answer.message == "通知设置已保存"
    preference = build_row(client, "order_shipped")
    assert {key: preference[key] for key in wanted} == wanted
    assert NoticePreference.objects.count() == 1


def test_the_others_stay_as_they_were(client: ApiClient) -> None:
    client.put(
        HERE,
        {"Items": [{"Kind": "order_shipped", "Page": True, "Mail": "off", "WeChatWork": False}]},
    )
    client.put(
        HERE,
        {"Items": [{"Kind": "budget_alert", "Page": True, "Mail": "daily", "WeChatWork": False}]},
    )

    assert (
        build_row(client, "order_shipped")["Mail"],
        build_row(client, "budget_alert")["Mail"],
    ) == (
        "off",
        "daily",
    )


@pytest.mark.parametrize(
    ("kind", "name"), [("approval_waiting", "待我审批"), ("account_changed", "账号变更")]
)
def test_mandatory_page_notice_cannot_be_disabled(client: ApiClient, kind: str, name: str) -> None:
    answer = client.put(
        HERE, {"Items": [{"Kind": kind, "Page": False, "Mail": "off", "WeChatWork": False}]}
    )

    assert answer.errors == {"Items": [f"“{name}”始终在页面显示，不能关闭"]}


def test_a_kind_twice_is_refused(client: ApiClient) -> None:
    wanted = {"Kind": "order_shipped", "Page": True, "Mail": "off", "WeChatWork": False}

    assert client.put(HERE, {"Items": [wanted, wanted]}).errors == {
        "Items": ["同一类消息只能设置一次"]
    }


def test_preference_applies_only_to_its_account(client: ApiClient, approver: Account) -> None:
    client.put(
        HERE,
        {"Items": [{"Kind": "order_shipped", "Page": False, "Mail": "off", "WeChatWork": False}]},
    )

    assert build_row(ApiClient(approver), "order_shipped")["Page"] is True


def test_preferences_show_the_mail_address_and_the_wechat_work_binding(
    client: ApiClient, buyer: Account, settings: Any
) -> None:
    def ways() -> list[Any]:
        answer = client.get(HERE).body
        return [
            answer[key] for key in ("Email", "WeChatWorkOffered", "WeChatWorkBound", "DigestHour")
        ]

    assert ways() == ["", True, False, 9]
    buyer.email = "buyer@example.com"
    buyer.save()
    WeChatWorkAccount.objects.create(corp_id="demo-corp", user_id="linxiaoyu", account=buyer)
    assert ways() == ["buyer@example.com", True, True, 9]
    settings.DEMO_MODE = False
    assert ways() == ["buyer@example.com", False, False, 9]


def test_looking_takes_three_queries(client: ApiClient) -> None:
    with assert_queries(3):
        client.get(HERE)
