"""A question that is kept to be asked later: as JSON, and back."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from typing import Any

from apps.reports.selectors.question import ReportQuestion

DAYS, LISTS = ("since", "until"), ("statuses", "payment_kinds")


def question_kept(question: ReportQuestion) -> dict[str, Any]:
    """Return the question as JSON has it, without what was not asked."""
    said = {name: value.isoformat() if isinstance(value, date) else value for name, value in asdict(question).items()}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in said.items() if value not in (None, "", ())}


def question_read(kept: dict[str, Any]) -> ReportQuestion:
    """Return the question that was kept; what a later release knows no more is left out."""
    known = {name: value for name, value in kept.items() if name in ReportQuestion.__dataclass_fields__}
    for name in DAYS:
        if name in known:
            known[name] = date.fromisoformat(known[name])
    for name in LISTS:
        known[name] = tuple(known.get(name, ()))
    return ReportQuestion(**known)
