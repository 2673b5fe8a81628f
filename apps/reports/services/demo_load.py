"""报表 of the demo: its story was told under a clock, its messages are taken for delivered; the facts come from the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.reports.services.facts_rebuild import facts_rebuild

if TYPE_CHECKING:
    import random
    from datetime import datetime


def facts_load(_now: datetime, _chance: random.Random) -> str:
    """Make the facts of all that was ordered, received and invoiced."""
    return f"{facts_rebuild()} 条事实"
