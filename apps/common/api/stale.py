"""The answer to a stale edit: the current row, in the format of the screen."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from apps.common.errors import Stale


@contextmanager
def serialize_stale(show: Callable[[Any], Any]) -> Generator[None]:
    """Catch a Stale of the block, serialize its row with `show`, and raise it again. Use it
    outside the transaction, which has been rolled back.
    """
    try:
        yield
    except Stale as stale:
        raise Stale(stale.text, body=show(stale.body)) from stale
