"""What a model says in one go, put together from pieces that may be anything: what is no text is refused, the rest cleaned and bounded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from apps.assistant.answers import Spent
from apps.assistant.cleaning import cleaned

MOST_CALLS = 8
LONGEST_ARGUMENTS, LONGEST_NAME = 20_000, 100
MOST_TOKENS = 100_000_000


class Malformed(ValueError):
    """The piece is none that the interface knows."""


def spent_of(usage: Any) -> Spent:
    """Return the tokens a model says it has used; what is no figure counts as 0."""
    return Spent(_tokens(getattr(usage, "prompt_tokens", 0)), _tokens(getattr(usage, "completion_tokens", 0)))


@dataclass(slots=True)
class Round:
    """Text of at most `room` characters, and the tools that are asked for."""

    room: int
    text: str = ""
    calls: dict[int, dict[str, str]] = field(default_factory=dict)
    is_finished: bool = False
    is_full: bool = False
    _half: str = ""

    def take(self, choice: Any) -> str:
        """Add a piece and return the text in it.

        Raises:
            Malformed, AttributeError, TypeError: it is none.
        """
        self.is_finished = self.is_finished or bool(choice.finish_reason)
        for call in choice.delta.tool_calls or ():
            self._call(call)
        said = self._half + _text(choice.delta.content)
        # The first half of a character waits for the second, which comes with the next piece.
        self._half = said[-1:] if "\ud800" <= said[-1:] <= "\udbff" else ""
        said = cleaned(said.removesuffix(self._half))
        left = self.room - len(self.text)
        self.is_full = len(said) > left
        self.text += said[:left]
        return said[:left]

    def asked(self) -> list[dict[str, str]]:
        """Return the tools that are asked for, not more than are run, each with an id."""
        calls = [{key: cleaned(value) for key, value in self.calls[slot].items()} for slot in sorted(self.calls)]
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
        if len(known["id"]) + len(known["name"]) > LONGEST_NAME or len(known["arguments"]) > LONGEST_ARGUMENTS:
            raise Malformed("tool call")

    def _slot(self, call: Any) -> int:
        """Return where a piece of a call belongs. Some services number none: then an id or a name begins the next."""
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
