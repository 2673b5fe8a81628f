"""Models with invalid output: every answer ends, the text so far is saved, and no account stays
locked.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any

import pytest

from apps.assistant import providers
from apps.assistant.enums import MessageStatus, Provider
from apps.assistant.models import AssistantUsage, Message
from apps.assistant.providers import Reader
from apps.assistant.tests.model_stand_in import (
    StandIn,
    build_call_chunks,
    build_chunk,
    build_text_chunks,
    build_usage_chunk,
)
from apps.assistant.tests.sse import ask
from apps.catalog.tests.factories import ProductFactory
from apps.org.models import Account

NULL_DELTA = {"id": "x", "choices": [{"index": 0, "delta": None, "finish_reason": "stop"}]}


def list_question(**call: Any) -> list[Any]:
    """Return the chunks of an answer with one tool call, with its arguments exactly as given."""
    return [
        build_chunk({"tool_calls": [{"index": 0, "id": "c", **call}]}),
        build_chunk({}, "tool_calls"),
    ]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (["好\ud83d", "\ude00的"], "好😀的"),
        (["好\ud83d", "的"], "好\ufffd的"),
        (["好的\ud83d"], "好的"),
        (["a\u0000b\u001b[0m\tc\n"], "ab[0m\tc\n"),
    ],
)
def test_unprintable_text_is_removed_from_the_answer(
    model: StandIn, buyer: Account, pieces: list[str], expected: str
) -> None:
    model.script = [build_text_chunks(*pieces)]
    answer = ask(buyer, "你好")

    assert (answer.text, answer.one("done")["Status"]) == (expected, "complete")
    assert Message.objects.get(role="assistant").text == expected


@pytest.mark.parametrize(
    ("prompt", "counted"), [(99_999_999_999_999, 100_000_000), (-5, 0), (None, 0), ("many", 0)]
)
def test_invalid_usage_figures_do_not_fail_the_answer(
    model: StandIn, buyer: Account, prompt: Any, counted: int
) -> None:
    model.script = [
        [
            build_chunk({"content": "好"}, "stop"),
            {**build_usage_chunk(0, 7), "usage": {"prompt_tokens": prompt, "completion_tokens": 7}},
        ]
    ]

    assert ask(buyer, "你好").one("done")["Status"] == "complete"
    usage = AssistantUsage.objects.get()
    assert (usage.prompt_tokens, usage.completion_tokens) == (counted, 7)


@pytest.mark.parametrize(
    "piece",
    [
        NULL_DELTA,
        [1, 2],
        build_chunk({"content": 12345}, "stop"),
        build_chunk({"tool_calls": [7]}),
        build_chunk({}, "stop"),
    ],
)
def test_malformed_first_piece_falls_back_to_the_embedded_assistant(
    model: StandIn, buyer: Account, piece: Any
) -> None:
    model.script = [[piece]]
    ask(buyer, "你能做什么")

    assert Message.objects.get(role="assistant").provider == Provider.FALLBACK


@pytest.mark.parametrize("piece", [NULL_DELTA, [1, 2], build_chunk({"content": 12345}, "stop")])
def test_malformed_later_piece_fails_the_answer_and_keeps_its_text(
    model: StandIn, buyer: Account, piece: Any
) -> None:
    model.script = [[build_chunk({"content": "第一句。"}), piece]]
    answer = ask(buyer, "你好")

    assert answer.one("error")["Message"] == "回答中断了，请重试"
    message = Message.objects.get(role="assistant")
    assert (message.text, message.status) == ("第一句。", MessageStatus.FAILED)


@pytest.mark.parametrize("keyword", ["\ud800", "a\u0000"])
def test_non_text_argument_is_reported_to_the_model(
    model: StandIn, buyer: Account, keyword: str
) -> None:
    arguments = json.dumps({"keyword": keyword})
    model.script = [
        list_question(function={"name": "search_products", "arguments": arguments}),
        build_text_chunks("好"),
    ]

    assert ask(buyer, "找纸").text == "好"
    assert model.asked[1]["messages"][-1]["content"] == '{"error": "参数不正确：keyword"}'


def test_tool_calls_without_an_index_are_distinguished_by_id(
    model: StandIn, buyer: Account
) -> None:
    first = {"id": "a", "function": {"name": "search_products", "arguments": '{"keyword"'}}
    second = {"index": None, "id": "b", "function": {"name": "cart_view", "arguments": "{}"}}
    rest = {"id": "a", "function": {"arguments": ': "纸"}'}}
    model.script = [
        [
            build_chunk({"tool_calls": [first, second]}),
            build_chunk({"tool_calls": [rest]}),
            build_chunk({}, "tool_calls"),
        ],
        build_text_chunks("好"),
    ]
    answer = ask(buyer, "找纸")

    assert [data["Tool"] for data in answer.all("working")] == ["search_products", "cart_view"]
    messages = [
        (row["tool_call_id"], "error" in row["content"])
        for row in model.asked[1]["messages"]
        if row["role"] == "tool"
    ]
    assert messages == [("a", False), ("b", False)]


def test_a_call_without_an_id_is_given_one(model: StandIn, buyer: Account) -> None:
    model.script = [
        [
            build_chunk({"tool_calls": [{"index": 0, "function": {"name": "cart_view"}}]}),
            build_chunk({}, "tool_calls"),
        ],
        build_text_chunks("好"),
    ]
    ask(buyer, "看购物车")

    query, texts = model.asked[1]["messages"][-2:]
    assert (query["tool_calls"][0]["id"], texts["tool_call_id"]) == ("call_0", "call_0")


def test_endless_tool_arguments_fall_back_to_the_embedded_assistant(
    model: StandIn, buyer: Account
) -> None:
    model.script = [list_question(function={"name": "search_products", "arguments": "a" * 20_001})]
    ask(buyer, "你能做什么")

    assert Message.objects.get(role="assistant").provider == Provider.FALLBACK


def test_a_model_that_only_asks_for_tools_ends_with_words(model: StandIn, buyer: Account) -> None:
    model.script = [build_call_chunks(("cart_view", {})) for _ in range(5)]

    assert ask(buyer, "看购物车").text == providers.NO_WORDS


def test_answer_is_cut_at_20000_characters_with_a_notice(model: StandIn, buyer: Account) -> None:
    model.script = [[build_chunk({"content": "字" * 7000}) for _ in range(300)]]
    answer = ask(buyer, "讲讲")

    assert answer.text == "字" * 20_000 + providers.TOO_LONG
    assert answer.one("done")["Status"] == "complete"
    assert Message.objects.get(role="assistant").text == answer.text
    assert model.left.wait(10)


def test_text_between_tool_calls_counts_toward_the_answer_limit(
    model: StandIn, buyer: Account
) -> None:
    model.script = [
        [build_chunk({"content": "字" * 15_000}), *build_call_chunks(("cart_view", {}))],
        [build_chunk({"content": "字" * 15_000})],
    ]

    assert ask(buyer, "讲讲").text == "字" * 20_000 + providers.TOO_LONG


def test_a_model_faster_than_its_reader_waits() -> None:
    numbers: list[int] = []

    def spoken() -> Generator[int]:
        for number in range(1000):
            numbers.append(number)
            yield number

    stream = Reader(spoken, silence=5.0, end=float("inf"))
    ahead = [len(numbers) - number for number in stream.iterate_pieces()]

    assert len(ahead) == 1000
    # Plus one piece that waits to enter the queue, and one that the reader already took.
    assert max(ahead) <= providers.MAX_WAITING_PIECES + 2


def test_a_model_names_a_colour_by_its_code_and_keeps_the_quantity(
    model: StandIn, buyer: Account
) -> None:
    ProductFactory(code="600001", model_code="ZY-1103", name="黑色中性笔")
    ProductFactory(code="600002", model_code="ZY-1103", name="蓝色中性笔")
    ProductFactory(code="600003", model_code="XLM0000417", name="便利贴", stock=1000)
    items = [
        {"code": "ZY-1103", "quantity": 20},
        {"code": "XLM0000417", "quantity": 30},
        {"code": "600003", "quantity": 5},
    ]
    model.script = [build_call_chunks(("propose_cart", {"items": items})), build_text_chunks("好")]
    answer = ask(buyer, "加购")

    lines = [
        (line["Product"]["ProductCode"], line["Quantity"])
        for line in answer.one("consent")["Lines"]
    ]
    assert lines == [("600003", 35)]
    tool_result = json.loads(model.asked[1]["messages"][-1]["content"])
    assert [row["code"] for row in tool_result["several"]["ZY-1103"]] == ["600001", "600002"]
    assert "请用户选定" in tool_result["advice"]


def test_every_line_of_a_long_list_is_proposed(model: StandIn, buyer: Account) -> None:
    items = [{"code": ProductFactory(stock=100).code, "quantity": 3} for _ in range(12)]
    model.script = [build_call_chunks(("propose_cart", {"items": items})), build_text_chunks("好")]

    assert [line["Quantity"] for line in ask(buyer, "加购").one("consent")["Lines"]] == [3] * 12
