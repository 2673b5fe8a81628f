"""Strict parsing of arguments written by a model. A third party may have influenced them through
texts that the model read.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from apps.assistant.cleaning import clean_text

MOST_ITEMS = 20
LONGEST = 120
MOST_MONEY = Decimal(100_000_000)


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

    def text(self, name: str) -> str:
        """Return a text, or "" if it is missing."""
        value = self.values.get(name) or ""
        if (
            not isinstance(value, (str, int))
            or len(str(value)) > LONGEST
            or clean_text(str(value)) != str(value)
        ):
            raise BadArguments(name)
        return str(value).strip()

    def money(self, name: str) -> Decimal | None:
        """Return an amount in 元, or None if it is missing."""
        value = self.values.get(name)
        if value in (None, ""):
            return None
        try:
            amount = Decimal(str(value))
        except InvalidOperation as error:
            raise BadArguments(name) from error
        if not amount.is_finite() or not 0 <= amount <= MOST_MONEY:
            raise BadArguments(name)
        return amount

    def whole(self, name: str, *, default: int, most: int) -> int:
        """Return a positive integer."""
        value = self.values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise BadArguments(name)
        return value

    def flag(self, name: str) -> bool:
        """Return a boolean; False if it is missing."""
        return self.values.get(name) is True

    def texts(self, name: str) -> list[str]:
        """Return a list of texts."""
        return [Arguments({"item": item}).text("item") for item in self._items(name)]

    def rows(self, name: str) -> list[Arguments]:
        """Return a list of objects."""
        items = self._items(name)
        if not all(isinstance(item, dict) for item in items):
            raise BadArguments(name)
        return [Arguments(item) for item in items]

    def _items(self, name: str) -> list[Any]:
        value = self.values.get(name) or []
        if not isinstance(value, list) or len(value) > MOST_ITEMS:
            raise BadArguments(name)
        return value
