"""Change the table of limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from apps.dual_control.controlled import JobLimit, list_acts
from apps.dual_control.errors import LimitsBySuperuserOnly
from apps.dual_control.models import ActLimit

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def act_limit_save(*, actor: Account, row: ActLimit) -> ActLimit:
    """Save and return the row. The log of the back office records the change.

    Raises:
        Forbidden: the actor is not a superuser.
    """
    if not actor.is_superuser:
        raise LimitsBySuperuserOnly
    row.save()
    return row


def act_limits_fill() -> int:
    """Create the missing rows with the defaults of the acts. Return their number."""
    present_keys = set(ActLimit.objects.values_list("kind", "job"))
    rows = [
        _make_row(act.kind, job, limit)
        for act in list_acts()
        for job, limit in act.limits.items()
        if (act.kind, job) not in present_keys
    ]
    ActLimit.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def _make_row(kind: str, job: str, limit: JobLimit) -> ActLimit:
    amounts: dict[str, Any] = {"alone": limit.alone, "release": limit.release}
    return ActLimit(kind=kind, job=job, **amounts)
