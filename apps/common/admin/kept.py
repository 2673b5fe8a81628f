"""What a page of the back office asks for several times is made once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import models

Made = TypeVar("Made")


def kept(row: models.Model, name: str, make: Callable[[], Made]) -> Made:
    """Return what `make` gives for the row, made once while this row lives: a page draws each of its own fields five times."""
    made: dict[str, Made] = row.__dict__.setdefault("_kept", {})
    if name not in made:
        made[name] = make()
    return made[name]
