"""A language model behind any OpenAI-compatible address: it writes the text, and asks for tools that run here as the signed-in person."""

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
from apps.assistant.providers.round import Round, spent_of
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
# A model that failed is left alone for so long: nobody else waits for it in vain.
REST_SECONDS = 30.0
_back_at = 0.0


class ModelAway(Exception):
    """The model does not answer, or broke off."""


def model_name() -> str:
    """Return the configured model, empty where there is none."""
    return settings.ASSISTANT_MODEL if settings.ASSISTANT_BASE_URL else ""


def is_resting() -> bool:
    """Whether the model failed a moment ago."""
    return time.monotonic() < _back_at


def rest(seconds: float = REST_SECONDS) -> None:
    """Leave the model alone for a while."""
    global _back_at
    _back_at = time.monotonic() + seconds


def model_answer(*, actor: Account, turns: Sequence[Turn], text: str) -> Generator[Event]:
    """Yield the model's answer, some words in any case; no database connection is held while it is waited for.

    Raises:
        ModelAway: it could not be reached, refused, fell silent or spoke nonsense; what was yielded before stands.
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
            raise ModelAway("no words")
        yield Delta(NO_WORDS)


def _said(messages: list[dict[str, Any]], said: Round, end: float, *, with_tools: bool) -> Generator[Event]:
    connection_release()
    asked: dict[str, Any] = {"tools": [tool.schema() for tool in TABLE]} if with_tools else {}
    client: Any = _client(settings.ASSISTANT_BASE_URL, settings.ASSISTANT_API_KEY, settings.ASSISTANT_SILENCE_SECONDS)
    reader = Reader(
        lambda: client.chat.completions.create(
            model=settings.ASSISTANT_MODEL, messages=messages, stream=True, stream_options={"include_usage": True}, **asked
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
        log.warning("assistant_model_away", error=str(error), detail=str(error.__cause__ or "")[:200])
        raise ModelAway from error
    finally:
        reader.close()


def _events(piece: Any, said: Round) -> list[Event]:
    """Return what a piece of the stream holds; None is the time that passes without one.

    Raises:
        Broken: it is no piece.
    """
    if piece is None:
        return [Ping()]
    try:
        counted: list[Event] = [spent_of(piece.usage)] if piece.usage is not None else []
        return counted + [Delta(text) for choice in piece.choices or () if (text := said.take(choice))]
    except (AttributeError, TypeError, ValueError) as error:
        raise Broken("malformed") from error


def _as_asked(text: str, asked: list[dict[str, str]]) -> dict[str, Any]:
    calls = [{"id": one["id"], "type": "function", "function": {"name": one["name"], "arguments": one["arguments"]}} for one in asked]
    return {"role": "assistant", "content": text or None, "tool_calls": calls}


def connection_release() -> None:
    """Give the thread's connection back; inside a transaction, where a test runs, it stays."""
    if not connection.in_atomic_block:
        connection.close()


@lru_cache(maxsize=4)
def _client(base_url: str, api_key: str, silence: float) -> OpenAI:
    from openai import OpenAI, Timeout

    timeout = Timeout(silence, connect=CONNECT_SECONDS)
    return OpenAI(base_url=base_url, api_key=api_key or "none", timeout=timeout, max_retries=0)
