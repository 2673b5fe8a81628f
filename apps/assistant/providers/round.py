"""One reply of a model, assembled from stream pieces. Pieces are untrusted: wrong types are
refused, text is clean_text and limited.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from apps.assistant.answers import TokenUsage
from apps.assistant.cleaning import clean_text

MOST_CALLS = 8
LONGEST_ARGUMENTS, LONGEST_NAME = 20_000, 100
MOST_TOKENS = 100_000_000


class Malformed(ValueError):
    """A piece does not follow the interface."""


def parse_token_usage(usage: Any) -> TokenUsage:
    """Return the token counts that a model reports; an invalid count is 0."""
    return TokenUsage(
        _tokens(getattr(usage, "prompt_tokens", 0)), _tokens(getattr(usage, "completion_tokens", 0))
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
            self._call(call)
        said = self._half + _text(choice.delta.content)
        # Keep the first half of a surrogate pair until the next piece brings the second.
        self._half = said[-1:] if "\ud800" <= said[-1:] <= "\udbff" else ""
        said = clean_text(said.removesuffix(self._half))
        left = self.room - len(self.text)
        self.is_full = len(said) > left
        self.text += said[:left]
        return said[:left]

    def asked(self) -> list[dict[str, str]]:
        """Return the requested tool calls, at most MOST_CALLS, each with an id."""
        calls = [
            {key: clean_text(value) for key, value in self.calls[slot].items()}
            for slot in sorted(self.calls)
        ]
        return [call | {"id": call["id"] or f"call_{number}"} for number, call in enumerate(calls)]

    def _call(self, call: Any) -> None:
        slot = self._slot(call)
        if slot not in self.calls and len(self.calls) >= MOST_CALLS:
            return
        known = self.calls.setdefault(slot, {"id": "", "name": "", "arguments": ""})
        known["id"] = _text(call.id) or known["id"]
        if call.function is not None:
            known["name"] += _text(call.function.name)
            known["arguments"] += _text(call.function.arguments)
        if (
            len(known["id"]) + len(known["name"]) > LONGEST_NAME
            or len(known["arguments"]) > LONGEST_ARGUMENTS
        ):
            raise Malformed("tool call")

    def _slot(self, call: Any) -> int:
        """Return the slot of a piece of a tool call. Some services send no index; then an id or a
        name starts the next call.
        """
        if isinstance(call.index, int):
            return call.index
        same = [slot for slot, known in self.calls.items() if call.id and known["id"] == call.id]
        begins = bool(call.id or (call.function is not None and call.function.name))
        return same[0] if same else max(self.calls, default=-1 if begins else 0) + begins


def _text(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Malformed(type(value).__name__)
    return value


def _tokens(value: Any) -> int:
    return min(max(value, 0), MOST_TOKENS) if isinstance(value, int) else 0
