"""What a tool is to a language model: a name, what it is for, its arguments, and JSON back (the table: for_models.py).

Each runs as the signed-in person, through the selectors that his screens use, and checks his rights itself. What comes back is data:
whatever a product's name or a help page says, no text can call a tool with another's rights, and none adds to the cart.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from apps.assistant.answers import Event
from apps.assistant.tools.arguments import Arguments

if TYPE_CHECKING:
    from apps.org.models import Account

MOST_CHARACTERS = 6000


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What the model reads, and what the person sees of it at once."""

    data: dict[str, Any]
    events: tuple[Event, ...] = ()

    def text(self) -> str:
        """Return the data as the model reads it, bounded."""
        return json.dumps(self.data, ensure_ascii=False, default=str)[:MOST_CHARACTERS]


Run = Callable[["Account", Arguments], ToolResult]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool; `properties` is the JSON schema of its arguments, `note` what the person reads while it works."""

    name: str
    note: str
    description: str
    properties: dict[str, Any]
    run: Run
    required: tuple[str, ...] = field(default=())

    def schema(self) -> dict[str, Any]:
        """Return the tool as OpenAI-compatible services take it."""
        parameters = {"type": "object", "properties": self.properties, "required": list(self.required), "additionalProperties": False}
        return {"type": "function", "function": {"name": self.name, "description": self.description, "parameters": parameters}}
