"""The interface of a tool for language models: name, purpose, arguments, JSON result. The table is
in for_models.py.

A tool runs as the signed-in person, through the selectors of his screens, and checks his rights
itself. Results are data: text in a product's name or a help page cannot call a tool with other
rights, and no tool adds to the cart.
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
    """The data for the model, and events that the person sees at once."""

    data: dict[str, Any]
    events: tuple[Event, ...] = ()

    def text(self) -> str:
        """Return the data as JSON for the model, cut to MOST_CHARACTERS."""
        return json.dumps(self.data, ensure_ascii=False, default=str)[:MOST_CHARACTERS]


Run = Callable[["Account", Arguments], ToolResult]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. `properties` is the JSON schema of its arguments; `note` is shown to the person while
    it runs.
    """

    name: str
    note: str
    description: str
    properties: dict[str, Any]
    run: Run
    required: tuple[str, ...] = field(default=())

    def schema(self) -> dict[str, Any]:
        """Return the tool in the OpenAI format."""
        parameters = {
            "type": "object",
            "properties": self.properties,
            "required": list(self.required),
            "additionalProperties": False,
        }
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": parameters,
            },
        }
