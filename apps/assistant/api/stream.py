"""Send an answer as server-sent events, and limit parallel streams per process (docs/wire.md,
Server-sent events).
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import suppress
from inspect import GEN_CREATED, getgeneratorstate
from threading import BoundedSemaphore
from typing import Any

import structlog
from django.conf import settings
from django.http import StreamingHttpResponse

from apps.assistant.answers import Cards, Delta, Links, Notice, Ping, Working
from apps.assistant.api.serializers import CardSerializer, serialize_consent
from apps.assistant.enums import MessageStatus
from apps.assistant.errors import AssistantBusy
from apps.assistant.models import Message
from apps.assistant.services.answer_give import (
    FAILED,
    AnswerEvent,
    Ended,
    StoredProposal,
    answer_abandon,
)
from apps.common.api.renderers import WireEncoder

log = structlog.get_logger(__name__)
PLACES = BoundedSemaphore(settings.ASSISTANT_STREAMS)
PING = b": ping\n\n"


def place_take() -> None:
    """Take one of the process's places for a stream. `AnswerStream` releases it.

    Raises:
        AssistantBusy: no place is free.
    """
    if not PLACES.acquire(blocking=False):
        raise AssistantBusy(body={"RetryAfter": 5})


class AnswerStream:
    """The bytes of an answer. `close` ends the answer and releases the place, also before the first
    byte.
    """

    def __init__(self, answer: Message, events: Generator[AnswerEvent]) -> None:
        self._answer, self._events = answer, events
        self._chunks = iterate_chunks(answer, events)
        self._is_open = True

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._chunks)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the answer and release the place."""
        if self._is_open:
            self._is_open = False
            PLACES.release()
            is_begun = getgeneratorstate(self._events) != GEN_CREATED
            self._events.close()
            if not is_begun:
                answer_abandon(actor=self._answer.account, answer=self._answer)


def stream_response(answer: Message, events: Generator[AnswerEvent]) -> StreamingHttpResponse:
    """Return the streamed response of an answer that holds a place. Proxies must not buffer it."""
    response = StreamingHttpResponse(
        AnswerStream(answer, events), content_type="text/event-stream; charset=utf-8"
    )
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


def iterate_chunks(answer: Message, events: Generator[AnswerEvent]) -> Generator[bytes]:
    """Yield the encoded events. `start` is always first, `done` or `error` always last."""
    started = {
        "MessageId": str(answer.pk),
        "ConversationId": str(answer.conversation_id),
        "Title": answer.conversation.title,
    }
    yield format_event("start", started)
    try:
        for event in events:
            yield PING if isinstance(event, Ping) else format_answer_event(event)
    except Exception as error:
        log.exception("assistant_stream_failed", message=answer.pk)
        yield format_end(_fail_answer(events, error))


def _fail_answer(events: Generator[AnswerEvent], error: Exception) -> Ended:
    """Pass a streaming error to the answer, so that the answer is stored as failed."""
    with suppress(Exception):
        last_event = events.throw(error)
        if isinstance(last_event, Ended):
            return last_event
    return Ended(MessageStatus.FAILED, None, FAILED)


def format_answer_event(event: AnswerEvent) -> bytes:
    """Return one encoded event; empty for events that the client does not need."""
    match event:
        case Delta(text):
            return format_event("text", {"Text": text})
        case Working(tool, note):
            return format_event("working", {"Tool": tool, "Note": note})
        case Cards(offers):
            return format_event("cards", {"Items": CardSerializer.serialize_all(offers)})
        case Links(links):
            return format_event(
                "links", {"Items": [{"Title": link.title, "Path": link.path} for link in links]}
            )
        case StoredProposal(proposal, lines):
            return format_event(
                "consent",
                serialize_consent(
                    proposal, {line.offer.product.code: line.offer for line in lines.lines}
                ),
            )
        case Notice(text):
            return format_event("notice", {"Text": text})
        case Ended():
            return format_end(event)
        case _:
            return b""


def format_end(event: Ended) -> bytes:
    """Return `done` with the usage, or `error` with a message that says what to do."""
    if event.message:
        return format_event("error", {"Code": "server_error", "Message": event.message})
    usage = event.usage
    usage_data: dict[str, Any] = {}
    if usage is not None:
        usage_data = {
            "Provider": usage.provider,
            "Model": usage.model,
            "PromptTokens": usage.prompt_tokens,
            "CompletionTokens": usage.completion_tokens,
            "Milliseconds": usage.total_ms,
        }
    return format_event("done", {"Status": event.status.value, "Usage": usage_data})


def format_event(name: str, data: dict[str, Any]) -> bytes:
    """Return one server-sent event: its name, and its data as one line of JSON."""
    return (
        f"event: {name}\ndata: {json.dumps(data, cls=WireEncoder, ensure_ascii=False)}\n\n".encode(
            errors="replace"
        )
    )
