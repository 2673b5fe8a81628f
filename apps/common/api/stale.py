"""The answer to the second of two people who edit one row: the present one, as the screen knows it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from apps.common.errors import Stale


@contextmanager
def stale_shown(show: Callable[[Any], Any]) -> Generator[None]:
    """Turn the row in a Stale of the block into its answer by `show`, outside of the transaction that was rolled back."""
    try:
        yield
    except Stale as stale:
        raise Stale(stale.text, body=show(stale.body)) from stale
