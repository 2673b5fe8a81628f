"""What the apps above `orders` add to the demo's story: each registers its part in AppConfig.ready(), `load_demo` plays them.

`demo_part("取消申请", load_cancellations)`; parts follow the orders in the order of INSTALLED_APPS and come before what people are told.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

# Given now and a chance of its own; returns what there is, in Chinese. Runs in the platform's scope, inside the loader's transaction.
Load = Callable[[datetime, random.Random], str]
SEED = 20240301


@dataclass(frozen=True, slots=True)
class DemoPart:
    """A part of the story under its title."""

    title: str
    load: Load

    def play(self, *, now: datetime) -> str:
        """Load it; its chance comes from its title alone, so that one part's draws never move another's."""
        return self.load(now, random.Random(SEED + zlib.crc32(self.title.encode())))


_parts: dict[str, DemoPart] = {}


def demo_part(title: str, load: Load) -> None:
    """Register a part of the demo; the same title replaces it."""
    _parts[title] = DemoPart(title, load)


def demo_parts() -> list[DemoPart]:
    """Return the parts in the order of their registration."""
    return list(_parts.values())
