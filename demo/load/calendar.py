"""The event queue of the demo's history: events run in chronological order, in working hours,
and never after the day of loading.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from datetime import datetime, timedelta

from apps.common.errors import DomainError
from demo.load.clock import clock_at

OPENS, CLOSES = 9, 18
Act = Callable[[], None]


def choose_working_time(moment: datetime, chance: random.Random) -> datetime:
    """Return the moment, moved to a working hour of the same or the next working day."""
    local = moment
    while local.weekday() >= 5:
        local += timedelta(days=1)
    if OPENS <= local.hour < CLOSES:
        return local
    return local.replace(
        hour=chance.randrange(OPENS, CLOSES),
        minute=chance.randrange(60),
        second=chance.randrange(60),
    )


class Calendar:
    """Runs events in chronological order, each under its own clock. Events after now are
    skipped.
    """

    def __init__(self, *, now: datetime, chance: random.Random) -> None:
        self.now = now
        self.chance = chance
        self.refused = 0
        self._waiting: list[tuple[datetime, int, Act]] = []
        self._count = 0

    def plan(self, moment: datetime, act: Act) -> None:
        """Schedule `act` at the moment. Does nothing if the moment is after now."""
        if moment <= self.now:
            self._count += 1
            heapq.heappush(self._waiting, (moment, self._count, act))

    def plan_later(
        self, moment: datetime, act: Act, *, hours: tuple[float, float], hurried: bool = False
    ) -> None:
        """Schedule `act` a random number of hours after the moment, in working hours. With
        `hurried` the delay is a fifth and any hour is allowed.
        """
        hours_later = self.chance.uniform(*hours)
        if hurried:
            self.plan(moment + timedelta(hours=hours_later / 5), act)
            return
        due = moment + timedelta(hours=hours_later)
        at_work = max(choose_working_time(due, self.chance), moment + timedelta(minutes=3))
        self.plan(at_work if at_work <= self.now else due, act)

    def run(self) -> None:
        """Run all events, including those that events schedule. Domain errors, such as an
        exhausted budget, are counted and ignored.
        """
        while self._waiting:
            moment, _, act = heapq.heappop(self._waiting)
            with clock_at(moment):
                try:
                    act()
                except DomainError:
                    self.refused += 1
