"""The conversation API: ownership, content, retries and rate limits."""

from __future__ import annotations

from typing import Any

import pytest

from apps.assistant.api import stream
from apps.assistant.models import AssistantUsage, Conversation, Message
from apps.assistant.tests.sse import CONVERSATIONS, ask, begin, parse_stream, post
from apps.catalog.tests.factories import ProductFactory
from apps.common.models import StoredFile
from apps.common.testing import ApiClient, assert_queries
from apps.identity.services.session_key import impersonation_begin
from apps.org.models import Account


def test_a_question_makes_the_title_and_is_answered_with_facts(buyer: Account) -> None:
    ProductFactory(code="600001", name="蓝色中性笔", stock=37)
    conversation = begin(buyer)
    answer = ask(buyer, "600001多少钱", conversation=conversation)

    assert [name for name, _ in answer.events] == ["start", "working", "cards", "text", "done"]
    assert "¥10.00/支" in answer.text
    assert "库存 37 支" in answer.text
    body = ApiClient(buyer).get(CONVERSATIONS).body
    assert [(row["Id"], row["Title"]) for row in body["Items"]] == [(conversation, "600001多少钱")]


def test_stored_conversation_shows_products_with_their_current_stock(buyer: Account) -> None:
    product = ProductFactory(code="600001", name="蓝色中性笔")
    conversation = begin(buyer)
    ask(buyer, "600001多少钱", conversation=conversation)
    product.stock = 3
    product.save()
    question, answer = ApiClient(buyer).get(f"{CONVERSATIONS}/{conversation}").body["Messages"]

    assert (question["Role"], question["Text"]) == ("person", "600001多少钱")
    assert [(card["ProductCode"], card["Stock"]) for card in answer["Cards"]] == [("600001", 3)]
    assert (answer["Status"], answer["Provider"]) == ("complete", "embedded")


def test_the_list_costs_two_queries_and_a_conversation_six(buyer: Account) -> None:
    for code in ("600001", "600002"):
        ProductFactory(code=code)
    conversation = begin(buyer)
    ask(buyer, "把600001加2支到购物车", conversation=conversation)
    client = ApiClient(buyer)
    client.get(CONVERSATIONS)

    with assert_queries(1 + 2):  # plus one for the account
        client.get(CONVERSATIONS)
    with assert_queries(1 + 5):
        client.get(f"{CONVERSATIONS}/{conversation}")


def test_conversation_is_hidden_from_every_other_account(
    buyer: Account, ga: Account, other_ga: Account
) -> None:
    conversation = begin(buyer)
    ask(buyer, "你好", conversation=conversation)

    for stranger in (ga, other_ga):
        assert ApiClient(stranger).get(f"{CONVERSATIONS}/{conversation}").status == 404
        assert post(stranger, conversation, "你好").status == 404
        assert ApiClient(stranger).get(CONVERSATIONS).body["Total"] == 0


def test_rename_and_delete(buyer: Account) -> None:
    conversation, client = begin(buyer), ApiClient(buyer)
    ask(buyer, "你好", conversation=conversation)

    assert (
        client.patch(f"{CONVERSATIONS}/{conversation}", {"Title": "会议用品"}).body["Title"]
        == "会议用品"
    )
    assert client.delete(f"{CONVERSATIONS}/{conversation}").ok
    assert not Conversation.objects.exists()
    assert AssistantUsage.objects.count() == 1


def test_empty_conversation_is_reused(buyer: Account) -> None:
    assert begin(buyer) == begin(buyer)


def test_a_retry_takes_the_place_of_the_last_answer(buyer: Account) -> None:
    conversation = begin(buyer)
    ask(buyer, "你好", conversation=conversation)
    again = ApiClient(buyer).post(f"{CONVERSATIONS}/{conversation}/Retry")

    assert "采购助手" in parse_stream(again.body).text
    assert list(Message.objects.order_by("id").values_list("role", flat=True)) == [
        "person",
        "assistant",
    ]


def test_retry_without_a_question_is_refused(buyer: Account) -> None:
    assert ApiClient(buyer).post(f"{CONVERSATIONS}/{begin(buyer)}/Retry").code == "wrong_state"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"Text": "  "}, "Text"),
        ({"Text": "字" * 2001}, "Text"),
        ({"Text": "x", "FileIds": ["a"]}, "FileIds.0"),
        ({"Text": "x", "A": 1}, "A"),
    ],
)
def test_invalid_question_is_refused_under_its_field(
    buyer: Account, body: dict[str, Any], field: str
) -> None:
    refused = ApiClient(buyer).post(f"{CONVERSATIONS}/{begin(buyer)}/Message", body)

    assert (refused.code, list(refused.errors)) == ("validation", [field])


def test_questions_above_the_minute_or_day_limit_are_refused(buyer: Account, settings: Any) -> None:
    settings.ASSISTANT_PER_MINUTE, settings.ASSISTANT_PER_DAY = 2, 3
    conversation = begin(buyer)
    answers = [post(buyer, conversation, "你好") for _ in range(3)]
    settings.ASSISTANT_PER_MINUTE = 0
    answers += [post(buyer, conversation, "你好") for _ in range(2)]

    assert [answer.code for answer in answers] == ["", "", "too_soon", "", "too_soon"]
    assert answers[2].body == {"RetryAfter": 60}
    assert "明天" in answers[4].message


def test_a_conversation_ends_after_a_hundred_questions(buyer: Account) -> None:
    conversation = begin(buyer)
    Conversation.objects.update(asked=100)

    assert post(buyer, conversation, "你好").code == "too_large"


def test_a_process_gives_so_many_answers_at_once(buyer: Account, settings: Any) -> None:
    for _ in range(settings.ASSISTANT_STREAMS):
        stream.place_take()
    busy = post(buyer, begin(buyer), "你好")
    for _ in range(settings.ASSISTANT_STREAMS):
        stream.PLACES.release()

    assert (busy.code, busy.message) == ("too_soon", "咨询的人较多，请稍后再试")
    assert post(buyer, begin(buyer), "你好").status == 200


def test_an_answer_gives_its_place_back_however_it_ends(buyer: Account, settings: Any) -> None:
    conversation = begin(buyer)
    for _ in range(settings.ASSISTANT_STREAMS + 1):
        assert post(buyer, conversation, "你好").status == 200


def test_picture_of_another_account_is_not_found(buyer: Account, ga: Account) -> None:
    file = StoredFile.objects.create(
        owner=ga,
        path="files/x.png",
        name="x.png",
        content_type="image/png",
        size=1,
        sha256="0" * 64,
    )

    refused = post(buyer, begin(buyer), "这是什么", FileIds=[str(file.public_id)])
    assert (refused.status, refused.message) == (404, "图片不存在或已删除，请重新上传")


def test_impersonating_staff_read_the_conversation_but_cannot_ask(
    buyer: Account, staff: Account
) -> None:
    conversation = begin(buyer)
    ask(buyer, "你好", conversation=conversation)
    key = impersonation_begin(actor=staff, account=buyer, reason="核对")
    acting = ApiClient(
        bearer=ApiClient().get("/api/Account/LoginBySession", {"sessionKey": key}).body["Token"]
    )

    assert len(acting.get(f"{CONVERSATIONS}/{conversation}").body["Messages"]) == 2
    assert (
        acting.post(f"{CONVERSATIONS}/{conversation}/Message", {"Text": "你好"}).code
        == "not_in_person"
    )
