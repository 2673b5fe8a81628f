"""A problem of a rule, and how bad it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """`stop`: orders would lie with nobody whom the rule names, or it never does anything; the worst first."""

    STOP = "stop"
    WARN = "warn"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Problem:
    """What would go wrong, in words; `step` is the number of the step it lies in, None for the rule as a whole."""

    level: str
    code: str
    message: str
    step: int | None = None
