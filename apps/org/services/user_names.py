"""Checks for taken user names. Names are unique on the platform, so a refusal reveals that
another customer uses the name. This module limits how many such refusals a group gets per
day.

A refusal for such a name comes only if nothing else is wrong. After 20 refusals in a day, the group
cannot open accounts until the day is over. Free and taken names then get the same answer. Names
within the group are not counted.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass

from apps.common.limits.counters import add_hits, get_seconds_left, peek
from apps.common.tenancy import platform_scope
from apps.org.errors import NameLimitReached, NameTaken
from apps.org.models import Account

TAKEN_PER_DAY = 20
DAY = 24 * 3600
BATCH = 500
# The prefix of the counter's name. Staff see and release the block under this prefix.
LIMIT = "name-taken"


@dataclass(frozen=True, slots=True)
class TakenNames:
    """User names that exist already: in the group, and elsewhere on the platform."""

    in_group: set[str]
    elsewhere: set[str]


def find_taken_names(*, group_id: int | None, names: Iterable[str]) -> TakenNames:
    """Return which of the names are taken. Names are lower case."""
    wanted_names, taken_names = list(set(names)), TakenNames(set(), set())
    with platform_scope(reason="names are unique over the platform"):
        for at in range(0, len(wanted_names), BATCH):
            rows = Account.objects.filter(username__in=wanted_names[at : at + BATCH]).order_by()
            for name, owner in rows.values_list("username", "group_id"):
                (taken_names.in_group if owner == group_id else taken_names.elsewhere).add(name)
    return taken_names


def refuse_over_name_limit(*, actor: Account) -> None:
    """Raise if the group has used up its daily limit. There is no limit for staff, who can see
    all names.

    Raises:
        NameLimitReached: the group got 20 refusals for names of other customers in the last day.
    """
    if not actor.is_staff and peek(name=_get_counter_name(actor)) >= TAKEN_PER_DAY:
        raise _build_limit_error(actor)


@contextmanager
def taken_names_limited(*, actor: Account) -> Generator[None]:
    """Count the names that the block refuses because another customer has them. Open it outside
    any transaction, because a rollback would discard the count.

    Raises:
        NameTaken: the block raised it and the group is within the limit.
        NameLimitReached: the block raised NameTaken and the group exceeds the limit.
    """
    try:
        yield
    except NameTaken as error:
        refused_names_count(actor=actor, number=error.elsewhere)
        raise


def refused_names_count(*, actor: Account, number: int) -> None:
    """Add this number of refused names of other customers to the group's count.

    Raises:
        NameLimitReached: the group exceeds the limit. The answer must not name the refused
            names.
    """
    if actor.is_staff or number == 0:
        return
    if (
        add_hits(
            name=_get_counter_name(actor),
            limit=TAKEN_PER_DAY,
            window_seconds=DAY,
            amount=number,
            holds_from=TAKEN_PER_DAY,
        )
        > TAKEN_PER_DAY
    ):
        raise _build_limit_error(actor)


def _get_counter_name(actor: Account) -> str:
    return f"{LIMIT}:group-{actor.group_id}"


def _build_limit_error(actor: Account) -> NameLimitReached:
    return NameLimitReached(
        body={"RetryAfter": get_seconds_left(name=_get_counter_name(actor)) or DAY}
    )
