"""Convert a `ReportQuestion` to JSON for storage, and back."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import Any

from apps.reports.selectors.question import ReportQuestion

DAYS, LISTS = ("since", "until"), ("statuses", "payment_kinds")


def question_kept(question: ReportQuestion) -> dict[str, Any]:
    """Return the question as a JSON object without its empty fields."""
    said = {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in asdict(question).items()
    }
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in said.items()
        if value not in (None, "", ())
    }


def question_read(kept: dict[str, Any]) -> ReportQuestion:
    """Return the question of a stored JSON object. Fields that the current release does not
    know are ignored.
    """
    known = {
        name: value for name, value in kept.items() if name in ReportQuestion.__dataclass_fields__
    }
    for name in DAYS:
        if name in known:
            known[name] = date.fromisoformat(known[name])
    for name in LISTS:
        known[name] = tuple(known.get(name, ()))
    return ReportQuestion(**known)
