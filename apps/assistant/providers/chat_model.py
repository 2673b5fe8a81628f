"""A language model behind an OpenAI-compatible address. It writes text and requests tools, which
run here as the signed-in person.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.db import connection

from apps.assistant.answers import Delta, Event, Ping, Turn, Working
from apps.assistant.providers.prompt import messages_of
from apps.assistant.providers.reader import Broken, Reader
from apps.assistant.providers.round import Round, parse_token_usage
from apps.assistant.tools.for_models import TABLE, tool_run

if TYPE_CHECKING:
    from openai import OpenAI

    from apps.org.models import Account

log = structlog.get_logger(__name__)
MOST_ROUNDS = 5
LONGEST_ANSWER = 20_000
TOO_LONG = "\n\n（回答较长，先说到这里；需要其余内容请继续提问）"
NO_WORDS = "已按您的问题查询，但没有整理出结论。请换一种说法再问一次，或联系在线客服。"
LONGEST_SECONDS = 180.0
CONNECT_SECONDS = 5.0
# Pause after a failure, so that further questions do not wait for the model in vain.
REST_SECONDS = 30.0
_back_at = 0.0


class ModelUnavailable(Exception):
    """The model is unreachable, refused, or stopped in the middle."""


def model_name() -> str:
    """Return the configured model, or ""."""
    return settings.ASSISTANT_MODEL if settings.ASSISTANT_BASE_URL else ""


def is_model_paused() -> bool:
    """Whether the process pauses the model after a failure."""
    return time.monotonic() < _back_at


def rest(seconds: float = REST_SECONDS) -> None:
    """Do not use the model for `seconds`."""
    global _back_at
    _back_at = time.monotonic() + seconds


def model_answer(*, actor: Account, turns: Sequence[Turn], text: str) -> Generator[Event]:
    """Yield the model's answer, which is never empty. No database connection is held while the
    model is awaited.

    Raises:
        ModelUnavailable: the model was unreachable, refused, fell silent or sent invalid data.
            Events
            yielded before stay valid.
    """
    end = time.monotonic() + LONGEST_SECONDS
    messages = messages_of(actor=actor, turns=turns, text=text)
    room = LONGEST_ANSWER
    for number in range(MOST_ROUNDS):
        said, is_last = Round(room), number == MOST_ROUNDS - 1
        yield from _said(messages, said, end, with_tools=not is_last)
        room -= len(said.text)
        if said.is_full:
            yield Delta(TOO_LONG)
            return
        if is_last or not said.calls:
            break
        asked = said.asked()
        messages.append(_as_asked(said.text, asked))
        for call in asked:
            note, result = tool_run(actor=actor, name=call["name"], arguments=call["arguments"])
            yield Working(call["name"][:40], note)
            yield from result.events
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result.text()})
    if room == LONGEST_ANSWER:
        if number == 0:
            raise ModelUnavailable("no words")
        yield Delta(NO_WORDS)


def _said(
    messages: list[dict[str, Any]], said: Round, end: float, *, with_tools: bool
) -> Generator[Event]:
    connection_release()
    asked: dict[str, Any] = {"tools": [tool.schema() for tool in TABLE]} if with_tools else {}
    client: Any = _client(
        settings.ASSISTANT_BASE_URL, settings.ASSISTANT_API_KEY, settings.ASSISTANT_SILENCE_SECONDS
    )
    reader = Reader(
        lambda: client.chat.completions.create(
            model=settings.ASSISTANT_MODEL,
            messages=messages,
            stream=True,
            stream_options={"include_usage": True},
            **asked,
        ),
        silence=settings.ASSISTANT_SILENCE_SECONDS,
        end=end,
    )
    try:
        for piece in reader.pieces():
            yield from _events(piece, said)
            if said.is_full:
                return
        if not said.is_finished:
            raise Broken("cut off")
    except Broken as error:
        log.warning(
            "assistant_model_away", error=str(error), detail=str(error.__cause__ or "")[:200]
        )
        raise ModelUnavailable from error
    finally:
        reader.close()


def _events(piece: Any, said: Round) -> list[Event]:
    """Return the events in a piece of the stream; None means a timeout without a piece.

    Raises:
        Broken: the piece is invalid.
    """
    if piece is None:
        return [Ping()]
    try:
        counted: list[Event] = [parse_token_usage(piece.usage)] if piece.usage is not None else []
        return counted + [
            Delta(text) for choice in piece.choices or () if (text := said.take(choice))
        ]
    except (AttributeError, TypeError, ValueError) as error:
        raise Broken("malformed") from error


def _as_asked(text: str, asked: list[dict[str, str]]) -> dict[str, Any]:
    calls = [
        {
            "id": one["id"],
            "type": "function",
            "function": {"name": one["name"], "arguments": one["arguments"]},
        }
        for one in asked
    ]
    return {"role": "assistant", "content": text or None, "tool_calls": calls}


def connection_release() -> None:
    """Close the thread's database connection, except inside a transaction (as in tests)."""
    if not connection.in_atomic_block:
        connection.close()


@lru_cache(maxsize=4)
def _client(base_url: str, api_key: str, silence: float) -> OpenAI:
    from openai import OpenAI, Timeout

    timeout = Timeout(silence, connect=CONNECT_SECONDS)
    return OpenAI(base_url=base_url, api_key=api_key or "none", timeout=timeout, max_retries=0)
