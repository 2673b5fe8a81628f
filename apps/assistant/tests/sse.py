"""A parser for server-sent events that works as the page does, and calls to the assistant for
tests.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from apps.common.testing import Answer, ApiClient
from apps.org.models import Account

CONVERSATIONS = "/api/Assistant/Conversation"


@dataclass(frozen=True, slots=True)
class AnswerEvents:
    """The events of one answer, in order."""

    events: list[tuple[str, dict[str, Any]]]

    def all(self, name: str) -> list[dict[str, Any]]:
        """Return the data of every event with this name."""
        return [data for kind, data in self.events if kind == name]

    def one(self, name: str) -> dict[str, Any]:
        """Return the data of the only event with this name."""
        (data,) = self.all(name)
        return data

    @property
    def text(self) -> str:
        return "".join(data["Text"] for data in self.all("text"))

    @property
    def codes(self) -> list[str]:
        return [card["ProductCode"] for data in self.all("cards") for card in data["Items"]]


def parse_stream(body: bytes) -> AnswerEvents:
    """Parse a complete stream."""
    events = []
    for block in body.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if lines:
            events.append((lines["event"], json.loads(lines["data"])))
    return AnswerEvents(events)


def begin(account: Account) -> str:
    """Begin a conversation and return its Id."""
    return str(ApiClient(account).post(CONVERSATIONS).body["Id"])


def post(account: Account, conversation: str, text: str, **more: Any) -> Answer:
    """Post a message to a conversation."""
    return ApiClient(account).post(
        f"{CONVERSATIONS}/{conversation}/Message", {"Text": text, **more}
    )


def ask(account: Account, text: str, *, conversation: str = "") -> AnswerEvents:
    """Post a message and return the events of the answer. Without `conversation`, begin a new
    one.
    """
    answer = post(account, conversation or begin(account), text)
    assert answer.status == 200
    assert answer.response["Content-Type"].startswith("text/event-stream"), answer.body
    return parse_stream(answer.body)
