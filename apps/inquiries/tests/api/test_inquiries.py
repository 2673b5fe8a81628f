"""/api/ProductInquiry: creation, visibility, and the messages of both sides."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from apps.catalog.tests.factories import ProductFactory, create_category_path
from apps.common.models import Event, OutboxMessage, StoredFile
from apps.common.testing import ApiClient, assert_queries
from apps.identity.services.session_key import impersonation_begin
from apps.inquiries.models import ProductInquiry, ProductInquiryMessage
from apps.inquiries.services import inquiries as inquiry_messages
from apps.inquiries.services.inquiries import inquiry_reply
from apps.inquiries.tests.inquiry_stories import create_inquiry, quote_inquiry
from apps.org.models import Account

AT = "/api/ProductInquiry"
LINE = {"Name": "定制钢笔", "Spec": "刻字", "Quantity": 50, "Unit": "支", "TargetPrice": "8.50"}


def build_picture(owner: Account, content_type: str = "image/png") -> str:
    path = default_storage.save("files/pen.png", ContentFile(b"x"))
    row = StoredFile.objects.create(
        group_id=owner.group_id,
        owner=owner,
        path=path,
        name="样品.png",
        content_type=content_type,
        size=1,
        sha256="0" * 64,
    )
    return str(row.public_id)


def ask(account: Account, **body: Any) -> Any:
    return ApiClient(account).post(AT, {"Lines": [LINE], **body})


def get_errors(answer: Any) -> dict[str, Any]:
    errors_by_field: dict[str, Any] = answer.body["Errors"]
    return errors_by_field


def test_inquiry_is_shown_with_its_entered_values(buyer: Account) -> None:
    category, until = (
        create_category_path("文具", "书写工具", "钢笔"),
        timezone.localdate() + timedelta(days=7),
    )
    answer = ask(
        buyer,
        CategoryId=category.pk,
        NeedBy=str(until),
        Remark="年会礼品",
        FileIds=[build_picture(buyer)],
    )

    assert answer.message == "询价已提交"
    body = ApiClient(buyer).get(f"{AT}/{answer.body['InquiryNo']}").body
    assert (body["Status"], body["Category"], body["NeedBy"], body["Remark"]) == (
        "pending",
        "钢笔",
        str(until),
        "年会礼品",
    )
    line = body["Lines"][0]
    assert {key: line[key] for key in LINE} == LINE
    assert (line["Product"], line["QuotedPrice"]) == (None, None)
    assert [row["Name"] for row in body["Pictures"]] == ["样品.png"]
    assert body["AllowedActions"] == ["close", "message"]
    assert [event["Event"] for event in body["Timeline"]] == ["发起询价"]


def test_inquiry_number_contains_the_day_and_no_sequence(buyer: Account) -> None:
    number = ask(buyer).body["InquiryNo"]
    assert number.startswith(f"XJ{timezone.localdate():%y%m%d}")
    assert len(number) == 16


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({"Lines": []}, "Lines", ""),
        ({"Lines": [LINE] * 21}, "Lines", ""),
        ({"Lines": [{**LINE, "Name": " "}]}, "Lines", "请填写意向商品"),
        ({"Lines": [{**LINE, "Quantity": 0}]}, "Lines", "数量至少为 1"),
        ({"Lines": [{**LINE, "Quantity": 1_000_000}]}, "Lines", "999999"),
        ({"Lines": [{**LINE, "TargetPrice": "-1"}]}, "Lines", ""),
        ({"Lines": [{**LINE, "TargetPrice": "1e9"}]}, "Lines", ""),
        ({"Lines": [{**LINE, "Discount": 1}]}, "Lines", "不支持的字段"),
        ({"NeedBy": "2020-01-01"}, "NeedBy", "期望到货日不能早于今天"),
        ({"CategoryId": 999_999_999}, "CategoryId", "所选分类不存在"),
        ({"Remark": "长" * 501}, "Remark", "最多 500 个字"),
        ({"FileIds": ["00000000-0000-4000-8000-000000000000"]}, "FileIds", "图片不存在或已失效"),
        ({"FileIds": ["00000000-0000-4000-8000-000000000000"] * 2}, "FileIds", "重复提交"),
        (
            {"FileIds": [f"00000000-0000-4000-8000-00000000000{n}" for n in range(10)]},
            "FileIds",
            "",
        ),
    ],
)
def test_invalid_inquiry_is_refused_under_its_field(
    buyer: Account, body: dict[str, Any], field: str, message: str
) -> None:
    answer = ask(buyer, **body)
    assert answer.code == "validation"
    own_errors = {
        name: text for name, text in get_errors(answer).items() if name.split(".")[0] == field
    }
    assert own_errors
    assert message in str(own_errors)
    assert not ProductInquiry.objects.exists()


def test_a_picture_is_ones_own_and_a_picture(buyer: Account, ga: Account) -> None:
    assert get_errors(ask(buyer, FileIds=[build_picture(ga)])) == {
        "FileIds": ["图片不存在或已失效，请重新上传"]
    }
    assert get_errors(ask(buyer, FileIds=[build_picture(buyer, "application/pdf")])) == {
        "FileIds": ["请上传图片文件"]
    }


def test_the_list_is_the_data_scopes(
    buyer: Account, approver: Account, ga: Account, limited: Account, other_ga: Account
) -> None:
    inquiry = create_inquiry(buyer)
    totals = {
        account.username: ApiClient(account).get(AT).body["Total"]
        for account in (buyer, approver, ga, limited, other_ga)
    }
    assert totals == {"buyer": 1, "approver": 1, "ga": 1, "limited": 0, "other": 0}
    assert ApiClient(approver).get(f"{AT}/{inquiry.inquiry_no}").body["AllowedActions"] == []


def test_tabs_are_counted_under_the_filter_and_not_under_the_tab(
    buyer: Account, staff: Account
) -> None:
    quote_inquiry(create_inquiry(buyer, "钢笔"), staff, ProductFactory())
    create_inquiry(buyer, "钢笔礼盒")
    create_inquiry(buyer, "订书机")
    body = ApiClient(buyer).get(AT, {"Keyword": "钢笔", "Status": "quoted"}).body
    assert [(tab["Name"], tab["Count"]) for tab in body["Tabs"]] == [
        ("全部", 2),
        ("待报价", 1),
        ("已报价", 1),
        ("已采纳", 0),
        ("已关闭", 0),
    ]
    assert [row["Lines"][0]["Name"] for row in body["Items"]] == ["钢笔"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"From": "2026-01-01"}, 1),
        ({"To": "2020-01-01"}, 0),
        ({"Unread": "true"}, 0),
        ({"Status": ""}, 1),
    ],
)
def test_the_list_is_narrowed_by_day_and_by_news(
    buyer: Account, query: dict[str, str], found: int
) -> None:
    create_inquiry(buyer)
    assert ApiClient(buyer).get(AT, query).body["Total"] == found


def test_a_quote_is_shown_beside_target_and_market(buyer: Account, staff: Account) -> None:
    inquiry = quote_inquiry(
        create_inquiry(buyer),
        staff,
        ProductFactory(code="700001", name="签字笔", market_price="12.00"),
        "9.90",
    )
    line = ApiClient(buyer).get(f"{AT}/{inquiry.inquiry_no}").body["Lines"][0]
    assert (line["TargetPrice"], line["QuotedPrice"], line["PriceBefore"]) == (
        "8.00",
        "9.90",
        "12.00",
    )
    assert (line["Product"]["ProductCode"], line["Product"]["MallPrice"]) == ("700001", "12.00")


def test_a_quote_is_adopted_into_the_cart_at_its_price(buyer: Account, staff: Account) -> None:
    inquiry = quote_inquiry(
        create_inquiry(buyer), staff, ProductFactory(code="700001", is_public=False)
    )
    answer = ApiClient(buyer).post(f"{AT}/{inquiry.inquiry_no}/Adopt", {})
    assert (answer.body, answer.message) == (
        {"Added": 1, "LeftOut": []},
        "已采纳报价，商品已加入购物车",
    )
    line = ApiClient(buyer).get("/api/ShoppingCart").body["Lines"][0]
    assert (line["ProductCode"], line["CustomerPrice"], line["Quantity"], line["Valid"]) == (
        "700001",
        "7.50",
        10,
        True,
    )


def test_both_sides_write_and_the_news_is_marked_until_he_has_looked(
    buyer: Account, staff: Account
) -> None:
    inquiry, client = create_inquiry(buyer), ApiClient(buyer)
    client.post(f"{AT}/{inquiry.inquiry_no}/Message", {"Text": "能开专票吗？"})
    inquiry_reply(actor=staff, inquiry_id=inquiry.pk, text="可以")

    body = client.get(f"{AT}/{inquiry.inquiry_no}").body
    assert [(row["Ours"], row["By"], row["Text"]) for row in body["Messages"]] == [
        (False, "小采", "能开专票吗？"),
        (True, "平台客服", "可以"),
    ]
    assert body["Unread"] == 1
    assert ProductInquiry.objects.get().staff_unread == 0
    client.post(f"{AT}/{inquiry.inquiry_no}/Read", {})
    assert client.get(AT, {"Unread": "true"}).body["Total"] == 0


def test_only_the_requester_marks_the_inquiry_as_read(
    buyer: Account, ga: Account, staff: Account
) -> None:
    inquiry = create_inquiry(buyer)
    inquiry_reply(actor=staff, inquiry_id=inquiry.pk, text="可以")
    assert ApiClient(ga).get(f"{AT}/{inquiry.inquiry_no}").body["Unread"] == 0
    ApiClient(ga).post(f"{AT}/{inquiry.inquiry_no}/Read", {})
    assert ProductInquiry.objects.get().customer_unread == 1


def test_impersonating_staff_do_not_mark_the_inquiry_as_read(
    buyer: Account, staff: Account
) -> None:
    inquiry = create_inquiry(buyer)
    inquiry_reply(actor=staff, inquiry_id=inquiry.pk, text="可以")
    key = impersonation_begin(actor=staff, account=buyer, reason="电话询价")
    acting = ApiClient(
        bearer=ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key}).body["Token"]
    )
    read = [
        (who.post(f"{AT}/{inquiry.inquiry_no}/Read", {}).ok, unread_now())
        for who in (acting, ApiClient(buyer))
    ]

    assert read == [(True, 1), (True, 0)]


def unread_now() -> int:
    return int(ProductInquiry.objects.get().customer_unread)


def test_a_conversation_has_an_end(buyer: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    short = replace(inquiry_messages.THREAD, max_messages=1)
    monkeypatch.setattr(inquiry_messages, "THREAD", short)
    at = f"{AT}/{create_inquiry(buyer).inquiry_no}/Message"
    answers = [ApiClient(buyer).post(at, {"Text": text}).code for text in ("一", "二")]
    assert answers == ["ok", "wrong_state"]
    assert ProductInquiryMessage.objects.count() == 1


def test_impersonated_inquiry_records_the_staff_member(buyer: Account, staff: Account) -> None:
    key = impersonation_begin(actor=staff, account=buyer, reason="电话询价")
    acting = ApiClient(
        bearer=ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key}).body["Token"]
    )
    number = acting.post(AT, {"Lines": [LINE]}).body["InquiryNo"]
    acting.post(f"{AT}/{number}/Message", {"Text": "客户来电"})

    event, message = Event.objects.get(kind="asked"), ProductInquiryMessage.objects.get()
    assert (event.actor_id, event.acting_for_id) == (staff.pk, buyer.pk)
    assert (message.author_id, message.acting_for_id, message.is_ours) == (
        staff.pk,
        buyer.pk,
        False,
    )
    outbox_messages = OutboxMessage.objects.filter(topic__startswith="inquiry.").order_by("pk")
    assert [(row.topic, row.payload["actor_id"]) for row in outbox_messages] == [
        ("inquiry.asked", staff.pk),
        ("inquiry.message", staff.pk),
    ]


def test_inquiry_list_takes_six_queries_for_any_number_of_rows(
    buyer: Account, staff: Account
) -> None:
    for _ in range(3):
        quote_inquiry(create_inquiry(buyer, "钢笔", "签字笔"), staff, ProductFactory())
    client = ApiClient(buyer)
    client.get(AT)
    with assert_queries(6):
        client.get(AT)


def test_inquiry_detail_takes_seven_queries(buyer: Account, staff: Account) -> None:
    number = ask(buyer, FileIds=[build_picture(buyer), build_picture(buyer)]).body["InquiryNo"]
    client = ApiClient(buyer)
    client.get(f"{AT}/{number}")
    with assert_queries(7):
        client.get(f"{AT}/{number}")
