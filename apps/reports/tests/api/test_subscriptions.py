"""/api/ReportSubscription: valid input, errors with their texts, and the link in a mail."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail

from apps.common.testing import ApiClient
from apps.org.models import Account
from apps.reports.api.filters import ReportFilterSerializer
from apps.reports.models import ReportLetter, ReportRecipient, ReportSubscription
from apps.reports.selectors.question import VIEW_FIELDS, build_view_question
from apps.reports.services.subscriptions import unsubscribe_link
from apps.reports.tests.subscribing import ADDRESS, create_view, set_mail_address, subscribe
from apps.reports.tests.trading import deliver

URL = "/api/ReportSubscription"


@pytest.fixture
def owner(ga: Account) -> Account:
    return set_mail_address(ga, "ga@yunfan.example")


def build_body(owner: Account, **more: Any) -> dict[str, Any]:
    view = create_view(owner)
    query = {
        "ViewId": str(view.pk),
        "Frequency": "monthly",
        "MonthDay": 31,
        "Time": "08:30",
        "Shift": "next",
        "Formats": ["pdf"],
    }
    return {**query, "PeopleIds": [str(owner.pk)], **more}


def test_new_subscription_returns_its_next_due_time(owner: Account) -> None:
    answer = ApiClient(owner).post(URL, build_body(owner, Addresses=[ADDRESS.upper()]))
    assert answer.message == "订阅已创建"
    assert {
        name: answer.body[name]
        for name in ("Frequency", "MonthDay", "Time", "Shift", "Formats", "IsActive")
    } == {
        "Frequency": "monthly",
        "MonthDay": 31,
        "Time": "08:30",
        "Shift": "next",
        "Formats": ["pdf"],
        "IsActive": True,
    }
    assert answer.body["View"]["Name"] == "月报"
    assert answer.body["NextAt"].endswith("08:30:00+08:00")
    assert [row["Address"] or row["Person"]["Name"] for row in answer.body["Recipients"]] == [
        "集管",
        ADDRESS,
    ]


@pytest.mark.parametrize(
    ("more", "key", "text"),
    [
        (
            {"Addresses": ["x@qq.com"]},
            "Addresses",
            "x@qq.com 不是贵司的企业邮箱，只能发送到 @yunfan.example",
        ),
        (
            {"Addresses": ["x@evil.example"]},
            "Addresses",
            "x@evil.example 不是贵司的企业邮箱，只能发送到 @yunfan.example",
        ),
        (
            {"Addresses": ["GA@yunfan.example"]},
            "Addresses",
            "ga@yunfan.example 是集管的账号邮箱，请在“同事”中选择，以按其本人的数据范围发送",
        ),
        (
            {"Addresses": ["ga+copy@yunfan.example"]},
            "Addresses",
            "ga@yunfan.example 是集管的账号邮箱",
        ),
        ({"Addresses": ['"ga"@yunfan.example']}, "Addresses", '"ga"@yunfan.example 的写法不支持'),
        (
            {"Addresses": ["x%evil.example@yunfan.example"]},
            "Addresses",
            "x%evil.example@yunfan.example 的写法不支持",
        ),
        ({"Addresses": ["x" * 242 + "@yunfan.example"]}, "Addresses.0", "254"),
        ({"Addresses": ["no mail"]}, "Addresses.0", "邮箱格式不正确"),
        ({"PeopleIds": []}, "PeopleIds", "请至少选择一位同事或填写一个邮箱"),
        ({"PeopleIds": ["999999"]}, "PeopleIds", "所选同事不存在或已停用，请重新选择"),
        ({"Formats": []}, "Formats", "请至少选择一种附件"),
        ({"Time": "25:00"}, "Time", "请选择发送时间，如 08:30"),
        ({"ViewId": "999999"}, "ViewId", "视图不存在或已删除，请重新选择"),
        ({"MonthDay": 32}, "MonthDay", None),
        ({"Group": "1"}, "Group", "不支持的字段"),
    ],
)
def test_invalid_subscription_is_refused_under_its_field(
    owner: Account, more: dict[str, Any], key: str, text: str | None
) -> None:
    answer = ApiClient(owner).post(URL, build_body(owner, **more))
    shown_message = answer.errors[key]
    assert text is None or text in str(shown_message)
    assert ReportSubscription.objects.count() == 0


def test_public_mail_domain_of_an_account_permits_no_other_address(owner: Account) -> None:
    set_mail_address(owner, "ga@qq.com")
    answer = ApiClient(owner).post(URL, build_body(owner, Addresses=["x@qq.com"]))
    assert answer.errors["Addresses"] == [
        "x@qq.com 不是贵司的企业邮箱，只能发送到 （贵司账号尚未登记企业邮箱）"
    ]


def test_recipient_without_permission_or_mail_address_is_refused(
    owner: Account, limited: Account, buyer: Account
) -> None:
    api = ApiClient(owner)
    set_mail_address(buyer, "")
    body = build_body(owner)
    refused = [
        api.post(URL, {**body, "PeopleIds": [str(person.pk)]}).errors["PeopleIds"]
        for person in (limited, buyer)
    ]
    assert refused == [
        ["小限没有该报表的权限，请联系管理员授权或移出名单"],
        ["小采还没有登记邮箱，请其在账号设置中登记后再选择"],
    ]


def test_private_view_of_a_colleague_cannot_be_subscribed(owner: Account, buyer: Account) -> None:
    view = create_view(buyer)
    assert ApiClient(owner).post(URL, {**build_body(owner), "ViewId": str(view.pk)}).errors[
        "ViewId"
    ] == ["视图不存在或已删除，请重新选择"]


def test_a_change_of_one_thing_leaves_the_others(owner: Account) -> None:
    row = subscribe(owner, owner, addresses=(ADDRESS,))
    answer = ApiClient(owner).patch(f"{URL}/{row.pk}", {"Time": "18:05"})
    assert (answer.body["Time"], len(answer.body["Recipients"])) == ("18:05", 2)
    assert (
        ApiClient(owner)
        .patch(f"{URL}/{row.pk}", {"Addresses": []})
        .body["Recipients"][0]["Person"]["Name"]
        == "集管"
    )
    paused = ApiClient(owner).patch(f"{URL}/{row.pk}", {"IsActive": False}).body
    assert (paused["IsActive"], paused["NextAt"]) == (False, None)


def test_unsubscribed_address_cannot_be_added_again_by_the_owner(owner: Account) -> None:
    row = subscribe(owner, owner, addresses=(ADDRESS,))
    ReportRecipient.objects.filter(address=ADDRESS).update(unsubscribed_at=row.created_at)
    api = ApiClient(owner)
    api.patch(f"{URL}/{row.pk}", {"Addresses": []})
    again = api.patch(f"{URL}/{row.pk}", {"Addresses": [ADDRESS]}).body["Recipients"]
    assert [(one["Address"], one["Unsubscribed"]) for one in again] == [
        ("", False),
        (ADDRESS, True),
    ]


def test_sent_now_with_one_key_it_is_sent_once(owner: Account) -> None:
    row = subscribe(owner, owner)
    api = ApiClient(owner)
    for _ in range(2):
        assert api.post(f"{URL}/{row.pk}/SendNow", key="key-00000001").ok
    assert api.post(f"{URL}/{row.pk}/SendNow").code == "wrong_state"
    deliver()
    history = api.get(f"{URL}/{row.pk}/Send").body
    assert history["Total"] == len(mail.outbox) == 1
    send = history["Items"][0]
    assert (
        send["State"],
        send["IsAsked"],
        send["Letters"][0]["To"],
        send["Letters"][0]["Rows"],
    ) == ("sent", True, "集管", 0)


@pytest.mark.parametrize(
    ("state", "shown_message"),
    [
        ("waiting", "生成或发送出错，系统将自动重试"),
        ("failed", "生成或发送出错，多次重试仍未成功，请联系客服"),
        ("skipped", "RuntimeError"),
        ("sent", "RuntimeError"),
    ],
)
def test_a_customer_reads_no_error_of_the_program(
    owner: Account, state: str, shown_message: str
) -> None:
    row = subscribe(owner, owner)
    api = ApiClient(owner)
    api.post(f"{URL}/{row.pk}/SendNow")
    deliver()
    ReportLetter.objects.update(state=state, note="RuntimeError")
    assert api.get(f"{URL}/{row.pk}/Send").body["Items"][0]["Letters"][0]["Note"] == shown_message


def test_those_of_others_are_not_there(owner: Account, buyer: Account) -> None:
    row = subscribe(owner, owner)
    api = ApiClient(buyer)
    assert api.get(URL).body["Total"] == 0
    assert [api.get(f"{URL}/{row.pk}").status, api.get(f"{URL}/{row.pk}/Send").status] == [404, 404]
    assert api.delete(f"{URL}/{row.pk}").status == 404


def test_a_view_one_subscribes_to_is_not_deleted(owner: Account) -> None:
    row = subscribe(owner, owner)
    api = ApiClient(owner)
    refused = api.delete(f"/api/SavedView/{row.view_id}")
    assert (refused.code, refused.message) == (
        "wrong_state",
        "您有 1 个订阅使用该视图，请先在“订阅”中删除这些订阅或改用其他视图",
    )
    assert api.delete(f"{URL}/{row.pk}").message == "订阅已删除"
    assert api.delete(f"/api/SavedView/{row.view_id}").ok


def test_recipient_choices_include_only_accounts_with_the_report(
    owner: Account, buyer: Account, limited: Account, other_ga: Account
) -> None:
    offered = ApiClient(owner).get(f"{URL}/Recipient", {"Report": "Order"}).body
    assert {row["UserName"] for row in offered["People"]} == {"ga", "buyer"}
    assert "yunfan.example" in offered["Domains"]
    body = ApiClient(owner).get(f"{URL}/Recipient", {"Report": "Order", "Keyword": "小采"}).body
    assert [row["Name"] for row in body["People"]] == ["小采"]


def test_the_link_of_a_letter_needs_no_sign_in_and_a_click(owner: Account) -> None:
    subscribe(owner, addresses=(ADDRESS,))
    key = unsubscribe_link(ReportRecipient.objects.get()).partition("#key=")[2]
    visitor = ApiClient()
    body = visitor.post(f"{URL}/Leaving", {"Key": key}).body
    assert body == {"Name": "月报", "Owner": "集管", "To": ADDRESS, "IsOn": True}
    assert ReportRecipient.objects.get().unsubscribed_at is None
    assert [visitor.post(f"{URL}/Leave", {"Key": key}).body["IsOn"] for _ in range(2)] == [
        False,
        False,
    ]
    assert ReportRecipient.objects.get().unsubscribed_at is not None
    assert visitor.post(f"{URL}/Leave", {"Key": key, "IsOn": True}).body["IsOn"] is True


@pytest.mark.parametrize("key", ["1", "1:forged", "x" * 100])
def test_forged_leave_key_is_refused(owner: Account, key: str) -> None:
    subscribe(owner, addresses=(ADDRESS,))
    assert ApiClient().post(f"{URL}/Leave", {"Key": key}).code == "not_found"
    assert ReportRecipient.objects.get().unsubscribed_at is None


def test_every_filter_of_the_wire_is_known_to_a_view(owner: Account) -> None:
    assert set(VIEW_FIELDS) == set(ReportFilterSerializer().fields)
    assert {name: own for name, (own, _) in VIEW_FIELDS.items()} == {
        name: field.source for name, field in ReportFilterSerializer().fields.items()
    }
    filters = {
        "Basis": "received",
        "Period": "custom",
        "From": "2026-01-01",
        "To": "2026-01-31",
        "Status": ["completed"],
        "Weekday": "3",
    }
    view_question = build_view_question(
        create_view(
            owner, filters={**filters, "DepartmentId": "12", "Sort": "-tax", "Hide": ["TaxAmount"]}
        )
    )
    read = ReportFilterSerializer(data={**filters, "DepartmentId": "12"})
    assert read.is_valid()
    assert view_question == ReportFilterSerializer.build_question(dict(read.validated_data))
