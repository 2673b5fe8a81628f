"""An answer as server-sent events, and how many of them a process gives at once (docs/wire.md, Server-sent events)."""

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
from apps.assistant.api.serializers import CardSerializer, consent
from apps.assistant.enums import MessageStatus
from apps.assistant.errors import AssistantBusy
from apps.assistant.models import Message
from apps.assistant.services.answer_give import FAILED, Ended, Given, Proposed, answer_leave
from apps.common.api.encoders import WireEncoder

log = structlog.get_logger(__name__)
PLACES = BoundedSemaphore(settings.ASSISTANT_STREAMS)
PING = b": ping\n\n"


def place_take() -> None:
    """Take one of the process's places for a stream; `AnswerStream` gives it back.

    Raises:
        AssistantBusy: all are taken.
    """
    if not PLACES.acquire(blocking=False):
        raise AssistantBusy(body={"RetryAfter": 5})


class AnswerStream:
    """The bytes of an answer. However it ends, also before the first byte, `close` ends the answer and gives the place back."""

    def __init__(self, answer: Message, events: Generator[Given]) -> None:
        self._answer, self._events = answer, events
        self._chunks = chunks(answer, events)
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
        """End the answer where it stands."""
        if self._is_open:
            self._is_open = False
            PLACES.release()
            is_begun = getgeneratorstate(self._events) != GEN_CREATED
            self._events.close()
            if not is_begun:
                answer_leave(actor=self._answer.account, answer=self._answer)


def stream_response(answer: Message, events: Generator[Given]) -> StreamingHttpResponse:
    """Return the streamed response of an answer for which a place was taken; no proxy may hold its bytes back."""
    response = StreamingHttpResponse(AnswerStream(answer, events), content_type="text/event-stream; charset=utf-8")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


def chunks(answer: Message, events: Generator[Given]) -> Generator[bytes]:
    """Yield the events as they travel, `start` first and `done` or `error` last, whatever happens."""
    started = {"MessageId": str(answer.pk), "ConversationId": str(answer.conversation_id), "Title": answer.conversation.title}
    yield framed("start", started)
    try:
        for event in events:
            yield PING if isinstance(event, Ping) else chunk(event)
    except Exception as error:
        log.exception("assistant_stream_failed", message=answer.pk)
        yield ended(_failed(events, error))


def _failed(events: Generator[Given], error: Exception) -> Ended:
    """Have the answer end on what its stream could not tell, so that it is kept."""
    with suppress(Exception):
        told = events.throw(error)
        if isinstance(told, Ended):
            return told
    return Ended(MessageStatus.FAILED, None, FAILED)


def chunk(event: Given) -> bytes:
    """Return one event as it travels; nothing for what concerns the server alone."""
    match event:
        case Delta(text):
            return framed("text", {"Text": text})
        case Working(tool, note):
            return framed("working", {"Tool": tool, "Note": note})
        case Cards(offers):
            return framed("cards", {"Items": CardSerializer.answers(offers)})
        case Links(links):
            return framed("links", {"Items": [{"Title": link.title, "Path": link.path} for link in links]})
        case Proposed(proposal, lines):
            return framed("consent", consent(proposal, {line.offer.product.code: line.offer for line in lines.lines}))
        case Notice(text):
            return framed("notice", {"Text": text})
        case Ended():
            return ended(event)
        case _:
            return b""


def ended(event: Ended) -> bytes:
    """Return `done` with what the answer took, or `error` with what to do."""
    if event.message:
        return framed("error", {"Code": "server_error", "Message": event.message})
    usage = event.usage
    spent: dict[str, Any] = {}
    if usage is not None:
        spent = {
            "Provider": usage.provider,
            "Model": usage.model,
            "PromptTokens": usage.prompt_tokens,
            "CompletionTokens": usage.completion_tokens,
            "Milliseconds": usage.total_ms,
        }
    return framed("done", {"Status": event.status.value, "Usage": spent})


def framed(name: str, data: dict[str, Any]) -> bytes:
    """Return one event: its name, and its data as one line of JSON."""
    return f"event: {name}\ndata: {json.dumps(data, cls=WireEncoder, ensure_ascii=False)}\n\n".encode(errors="replace")
