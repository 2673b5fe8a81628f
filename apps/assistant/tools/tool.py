"""The interface of a tool for language models: name, purpose, arguments, JSON result. The table of
the tools is in model_tools.py.

A tool runs as the signed-in person, through the selectors of his screens, and checks his rights
itself. Results are data: text in a product's name or a help page cannot call a tool with other
rights, and no tool adds to the cart. A model writes the arguments, and texts of third parties may
influence it, so parsing is strict.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from apps.assistant.answers import Event, clean_text

if TYPE_CHECKING:
    from apps.org.models import Account


class NotAllowed(Exception):
    """The person's roles do not include the screen with this data; the message says so."""


def require_menu_code(actor: Account, code: str, subject: str) -> None:
    """Raise NotAllowed unless the actor has the menu code."""
    if not actor.has_menu_code(code):
        raise NotAllowed(f"您的账号没有查看{subject}的权限，如需开通请联系贵司的集团管理员。")


MAX_ITEMS = 20
MAX_TEXT_CHARACTERS = 120
MAX_MONEY = Decimal(100_000_000)


class BadArguments(ValueError):
    """The arguments are invalid. The model receives the message."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """A JSON object with typed access to its values. Each reader raises BadArguments for a wrong
    type.
    """

    values: dict[str, Any]

    @classmethod
    def parse(cls, text: str) -> Arguments:
        """Parse the arguments; an empty text means no arguments.

        Raises:
            BadArguments: the text is not a JSON object.
        """
        try:
            values = json.loads(text or "{}")
        except (ValueError, RecursionError) as error:
            raise BadArguments("不是有效的 JSON") from error
        if not isinstance(values, dict):
            raise BadArguments("须为一个对象")
        return cls(values)

    def get_text(self, name: str) -> str:
        """Return a text, or "" if it is missing."""
        value = self.values.get(name) or ""
        if (
            not isinstance(value, (str, int))
            or len(str(value)) > MAX_TEXT_CHARACTERS
            or clean_text(str(value)) != str(value)
        ):
            raise BadArguments(name)
        return str(value).strip()

    def get_money(self, name: str) -> Decimal | None:
        """Return an amount in 元, or None if it is missing."""
        value = self.values.get(name)
        if value in (None, ""):
            return None
        try:
            amount = Decimal(str(value))
        except InvalidOperation as error:
            raise BadArguments(name) from error
        if not amount.is_finite() or not 0 <= amount <= MAX_MONEY:
            raise BadArguments(name)
        return amount

    def get_day(self, name: str) -> date | None:
        """Return a day (2026-11-01), or None if it is missing."""
        value = self.get_text(name)
        if not value:
            return None
        try:
            return date.fromisoformat(value)
        except ValueError as error:
            raise BadArguments(name) from error

    def get_whole_number(self, name: str, *, default: int, maximum: int) -> int:
        """Return the positive integer in an argument, at most `maximum`; `default` if it is
        absent.
        """
        value = self.values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= maximum:
            raise BadArguments(name)
        return value

    def get_flag(self, name: str) -> bool:
        """Return a boolean; False if it is missing."""
        return self.values.get(name) is True

    def list_texts(self, name: str) -> list[str]:
        """Return a list of texts."""
        return [Arguments({"item": item}).get_text("item") for item in self._read_items(name)]

    def list_rows(self, name: str) -> list[Arguments]:
        """Return the objects of a list in an argument. Raises BadArguments for other contents."""
        items = self._read_items(name)
        if not all(isinstance(item, dict) for item in items):
            raise BadArguments(name)
        return [Arguments(item) for item in items]

    def _read_items(self, name: str) -> list[Any]:
        """Return the list in an argument, [] if it is absent. Raises BadArguments for other
        types.
        """
        value = self.values.get(name) or []
        if not isinstance(value, list) or len(value) > MAX_ITEMS:
            raise BadArguments(name)
        return value


MAX_RESULT_CHARACTERS = 6000


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The data for the model, and events that the person sees at once."""

    data: dict[str, Any]
    events: tuple[Event, ...] = ()

    def format_json(self) -> str:
        """Return the data as JSON for the model, cut to MAX_RESULT_CHARACTERS."""
        return json.dumps(self.data, ensure_ascii=False, default=str)[:MAX_RESULT_CHARACTERS]


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

    def build_schema(self) -> dict[str, Any]:
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
