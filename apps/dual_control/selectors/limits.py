"""The limits of a person, from the table of limits.

A superuser has the widest limits of all jobs. Of several jobs the widest limit counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal

from apps.common.money import ZERO
from apps.dual_control.controlled import JobLimit, get_act
from apps.dual_control.models import ActLimit
from apps.org.models import Account

NO_LIMIT_ROW = JobLimit(ZERO, ZERO)


def get_limits(*, person: Account) -> dict[str, JobLimit]:
    """Return {kind: limits (元)} of the person's jobs. One query.

    For a kind without a row both limits are 0: every act needs a second person, and the person
    releases nothing.
    """
    rows = ActLimit.objects.all()
    if not person.is_superuser:
        rows = rows.filter(job__in=person.groups.values("name"))
    limits: dict[str, list[JobLimit]] = defaultdict(list)
    for row in rows:
        limits[row.kind].append(JobLimit(row.alone, row.release))
    return defaultdict(
        lambda: NO_LIMIT_ROW,
        {
            kind: JobLimit(
                _find_widest(limit.alone for limit in limits_of_kind),
                _find_widest(limit.release for limit in limits_of_kind),
            )
            for kind, limits_of_kind in limits.items()
        },
    )


def may_release(*, person: Account, kind: str, amount: Decimal | None) -> bool:
    """Return whether the person may release an act of this kind and amount (元; None is without
    a bound).
    """
    if not person.has_perm(get_act(kind).permission):
        return False
    release = get_limits(person=person)[kind].release
    return is_within(amount, release) and release != ZERO


def is_within(amount: Decimal | None, limit: Decimal | None) -> bool:
    """Return whether the amount is at most the limit. None is without a bound, for both."""
    return limit is None or (amount is not None and amount <= limit)


def _find_widest(limits: Iterable[Decimal | None]) -> Decimal | None:
    """Return the largest limit in 元, 0 without any. None is no limit, so it is the largest."""
    amounts = list(limits)
    return (
        None
        if None in amounts
        else max((amount for amount in amounts if amount is not None), default=ZERO)
    )
