"""Answer streams: the limit per account, and every way in which a stream ends."""

from __future__ import annotations

from datetime import timedelta

import pytest

from apps.assistant.answers import Delta, TokenUsage, Turn
from apps.assistant.api import stream
from apps.assistant.api.serializers import CardSerializer
from apps.assistant.enums import MessageStatus
from apps.assistant.models import Conversation, Message
from apps.assistant.services import answer_give as giving
from apps.assistant.services.answer_give import Ended, Writing, answer_give
from apps.assistant.services.conversation import conversation_begin, question_ask
from apps.assistant.tests.sse import ask, begin, post
from apps.catalog.tests.factories import ProductFactory
from apps.org.models import Account


def test_an_account_has_two_answers_at_once(buyer: Account) -> None:
    for _ in range(2):
        elsewhere = Conversation.objects.create(
            account=buyer, asked=1, last_at="2026-01-01T00:00:00Z"
        )
        question_ask(actor=buyer, conversation_id=elsewhere.pk, text="你好")

    assert post(buyer, begin(buyer), "你好").message == "还有回答正在进行，请等它结束或先停止"


def test_an_answer_that_was_ended_counts_until_its_stream_is_gone(buyer: Account) -> None:
    conversation = conversation_begin(actor=buyer).pk
    first, second = [
        answer_give(
            actor=buyer, answer=question_ask(actor=buyer, conversation_id=conversation, text="你好")
        )
        for _ in range(2)
    ]
    next(first), next(second)

    assert post(buyer, str(conversation), "你好").code == "too_soon"
    first.close()
    assert post(buyer, str(conversation), "你好").status == 200


def test_answer_ended_by_another_question_keeps_its_text(
    buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(giving, "CHECK_SECONDS", 0.0)
    conversation = conversation_begin(actor=buyer).pk
    answer = question_ask(actor=buyer, conversation_id=conversation, text="你好")
    events = answer_give(actor=buyer, answer=answer)
    while not isinstance(next(events), Delta):
        pass
    question_ask(actor=buyer, conversation_id=conversation, text="还有呢")

    *_, ended = events
    assert isinstance(ended, Ended)
    assert ended.status == MessageStatus.STOPPED
    answer.refresh_from_db()
    assert (answer.status, bool(answer.text)) == (MessageStatus.STOPPED, True)


def test_slowly_read_answer_is_stopped_at_its_time_limit(
    buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = question_ask(
        actor=buyer, conversation_id=conversation_begin(actor=buyer).pk, text="你好"
    )
    events = answer_give(actor=buyer, answer=answer)
    next(events)
    monkeypatch.setattr(giving, "MAX_DURATION", timedelta(0))

    *_, ended = events
    assert isinstance(ended, Ended)
    assert (ended.status, Message.objects.get(pk=answer.pk).status) == (
        MessageStatus.STOPPED,
        MessageStatus.STOPPED,
    )


def test_answer_closed_before_its_first_byte_is_stopped(buyer: Account) -> None:
    conversation = conversation_begin(actor=buyer).pk
    for _ in range(3):
        answer = question_ask(actor=buyer, conversation_id=conversation, text="你好")
        stream.place_take()
        stream.AnswerStream(answer, answer_give(actor=buyer, answer=answer)).close()

    assert set(Message.objects.filter(role="assistant").values_list("status", flat=True)) == {
        MessageStatus.STOPPED
    }


def test_a_stream_that_fails_ends_with_an_error_and_keeps_the_answer(
    buyer: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CardSerializer, "serialize_all", lambda _offers: 1 / 0)
    ProductFactory(name="蓝色中性笔")
    answer = ask(buyer, "找中性笔")

    assert answer.one("error") == {
        "Code": "server_error",
        "Message": "回答没有完成，请重试；多次失败请联系在线客服",
    }
    assert Message.objects.get(role="assistant").status == MessageStatus.FAILED


def test_figures_that_cannot_be_counted_do_not_cost_the_answer(buyer: Account) -> None:
    answer = question_ask(
        actor=buyer, conversation_id=conversation_begin(actor=buyer).pk, text="你好"
    )
    ended = Writing(buyer, answer, Turn("你好", text="好"), spent=TokenUsage(-1, 0)).end(
        MessageStatus.COMPLETE
    )

    assert (ended.status, ended.usage, ended.message) == (MessageStatus.COMPLETE, None, "")
    assert Message.objects.get(role="assistant").text == "好"


def test_unstorable_answer_fails_and_allows_the_next_question(buyer: Account) -> None:
    conversation = conversation_begin(actor=buyer).pk
    for _ in range(3):
        answer = question_ask(actor=buyer, conversation_id=conversation, text="你好")
        ended = Writing(buyer, answer, Turn("你好", text="\ud800")).end(MessageStatus.COMPLETE)
        assert (ended.status, ended.message[:6]) == (MessageStatus.FAILED, "回答没有完成")

    assert set(Message.objects.filter(role="assistant").values_list("text", "status")) == {
        ("", MessageStatus.FAILED)
    }
