"""Two people who edit the same row: the second is told (RetCode `stale`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from apps.common.errors import Stale


def refuse_stale(row: Any, *, seen_at: datetime | None) -> None:
    """Raise Stale where the row, read under its lock, is not the one of `updated_at` = `seen_at`; None asks for no check.

    The row is in the error's body; the API layer turns it into the answer (`stale_shown`).
    """
    if seen_at is not None and row.updated_at != seen_at:
        raise Stale(body=row)
