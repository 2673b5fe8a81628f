"""Detection of concurrent edits of one row (RetCode `stale`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from apps.common.errors import Stale


def refuse_stale(row: Any, *, seen_at: datetime | None) -> None:
    """Raise Stale if the locked row was updated after `seen_at`; None skips the check.

    The error's body is the row; the API serializes it with `serialize_stale`.
    """
    if seen_at is not None and row.updated_at != seen_at:
        raise Stale(body=row)
