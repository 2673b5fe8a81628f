"""The stream of one reply of a model. `Reader` reads it in a separate thread, so that the request's
thread can send keep-alive events and stop early. `Round` assembles the reply from the pieces:
wrong types are refused, text is cleaned and limited.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, Full, Queue
from threading import Thread
from typing import Any

from apps.assistant.answers import TokenUsage, clean_text

HEARTBEAT_SECONDS = 10.0
# If the model is faster than the client, its thread waits for room in the queue and checks at this
# interval whether the reader was closed.
MAX_WAITING_PIECES, CHECK_SECONDS = 64, 0.5


class Broken(Exception):
    """The stream could not be opened, broke off, fell silent, or took too long."""


class _End:
    """The last item of the queue: how the stream ended."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class Reader:
    """Opens and reads the stream. `pieces` yields its pieces; `close` stops it from another
    thread.
    """

    def __init__(self, open_stream: Callable[[], Any], *, silence: float, end: float) -> None:
        self._open, self._silence, self._end = open_stream, silence, end
        self._queue: Queue[Any] = Queue(MAX_WAITING_PIECES)
        self._stream: Any = None
        self._is_closed = False
        self._thread = Thread(target=self._read_pieces, name="assistant-model", daemon=True)

    def pieces(self) -> Generator[Any]:
        """Yield the pieces as they arrive, and None after every 10 s without one.

        Raises:
            Broken: the stream failed, sent nothing for `silence` seconds, or `end` has passed.
        """
        self._thread.start()
        last = time.monotonic()
        while True:
            now = time.monotonic()
            if now - last >= self._silence or now >= self._end:
                raise Broken("silent")
            try:
                piece = self._queue.get(
                    timeout=min(HEARTBEAT_SECONDS, self._silence - (now - last), self._end - now)
                )
            except Empty:
                yield None
                continue
            if isinstance(piece, _End):
                if piece.error is not None:
                    raise Broken(type(piece.error).__name__) from piece.error
                return
            last = time.monotonic()
            yield piece

    def close(self) -> None:
        """Close the stream; its thread ends too."""
        self._is_closed = True
        if self._stream is not None:
            with suppress(Exception):
                self._stream.close()

    def _read_pieces(self) -> None:
        try:
            self._stream = self._open()
            for piece in self._stream:
                if not self._queue_piece(piece):
                    return
        except Exception as error:  # noqa: BLE001
            self._queue_piece(_End(error))
        else:
            self._queue_piece(_End(None))
        finally:
            self.close()

    def _queue_piece(self, piece: Any) -> bool:
        """Queue a piece when there is room. Return False if the reader was closed."""
        while not self._is_closed:
            with suppress(Full):
                self._queue.put(piece, timeout=CHECK_SECONDS)
                return True
        return False


MAX_CALLS = 8
MAX_ARGUMENT_CHARACTERS, MAX_NAME_CHARACTERS = 20_000, 100
MAX_TOKENS = 100_000_000


class Malformed(ValueError):
    """A piece does not follow the interface."""


def parse_token_usage(usage: Any) -> TokenUsage:
    """Return the token counts that a model reports; an invalid count is 0."""
    return TokenUsage(
        _bounded_token_count(getattr(usage, "prompt_tokens", 0)),
        _bounded_token_count(getattr(usage, "completion_tokens", 0)),
    )


@dataclass(slots=True)
class Round:
    """The text so far (at most `room` characters) and the requested tool calls."""

    room: int
    text: str = ""
    calls: dict[int, dict[str, str]] = field(default_factory=dict)
    is_finished: bool = False
    is_full: bool = False
    _half: str = ""

    def take(self, choice: Any) -> str:
        """Add a piece and return its text.

        Raises:
            Malformed, AttributeError, TypeError: the piece is invalid.
        """
        self.is_finished = self.is_finished or bool(choice.finish_reason)
        for call in choice.delta.tool_calls or ():
            self._add_call_piece(call)
        text = self._half + _checked_text(choice.delta.content)
        # Keep the first half of a surrogate pair until the next piece brings the second.
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        text = clean_text(text.removesuffix(self._half))
        room_left = self.room - len(self.text)
        self.is_full = len(text) > room_left
        self.text += text[:room_left]
        return text[:room_left]

    def tool_calls(self) -> list[dict[str, str]]:
        """Return the requested tool calls, at most MAX_CALLS, each with an id."""
        calls = [
            {key: clean_text(value) for key, value in self.calls[slot].items()}
            for slot in sorted(self.calls)
        ]
        return [call | {"id": call["id"] or f"call_{number}"} for number, call in enumerate(calls)]

    def _add_call_piece(self, call: Any) -> None:
        slot = self._call_slot(call)
        if slot not in self.calls and len(self.calls) >= MAX_CALLS:
            return
        call_parts = self.calls.setdefault(slot, {"id": "", "name": "", "arguments": ""})
        call_parts["id"] = _checked_text(call.id) or call_parts["id"]
        if call.function is not None:
            call_parts["name"] += _checked_text(call.function.name)
            call_parts["arguments"] += _checked_text(call.function.arguments)
        if (
            len(call_parts["id"]) + len(call_parts["name"]) > MAX_NAME_CHARACTERS
            or len(call_parts["arguments"]) > MAX_ARGUMENT_CHARACTERS
        ):
            raise Malformed("tool call")

    def _call_slot(self, call: Any) -> int:
        """Return the slot of a piece of a tool call. Some services send no index; then an id or a
        name starts the next call.
        """
        if isinstance(call.index, int):
            return call.index
        same = [
            slot
            for slot, call_parts in self.calls.items()
            if call.id and call_parts["id"] == call.id
        ]
        begins = bool(call.id or (call.function is not None and call.function.name))
        return same[0] if same else max(self.calls, default=-1 if begins else 0) + begins


def _checked_text(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Malformed(type(value).__name__)
    return value


def _bounded_token_count(value: Any) -> int:
    return min(max(value, 0), MAX_TOKENS) if isinstance(value, int) else 0
