"""Under overload, refuse some requests with 503 instead of slowing down all of them. Clients with
the most requests are refused first. `Turns` is the fair queue of one process, so that one client
cannot use all places.

The server must have more threads than REQUESTS_AT_ONCE + REQUESTS_WAITING. The additional threads
send the refusals, so that no queue builds up in front of the process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from threading import Event, Lock
from time import monotonic

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from apps.common.api.renderers import build_plain_refusal, is_api
from apps.common.requests import Client, get_client

# A request that has run for so long mostly waits, for example for the end of an import.
SLOW_SECONDS = 2


@dataclass(eq=False, slots=True)
class Ticket:
    """One request in the process.

    `due`: the number of granted turns after which this request is due. `is_extra`: the client had
    another request in the process when this one arrived. `began_at`: when it got its turn, on the
    clock of its Turns.
    """

    client: Client
    number: int
    due: int
    is_extra: bool
    is_working: bool = False
    is_refused: bool = False
    began_at: float = 0
    decided: Event = field(default_factory=Event)


class Turns:
    """`at_once` requests run and `waiting` requests wait. If there is no room, the client with
    the most places loses its newest waiting request.

    - A client's first request is due at once. Each further one is due as many turns later as there
      are places.
    - The next turn goes to a due request: first of the group with the fewest running requests, then
      by due number.
    - Extra requests of all clients together get a quarter of the turns, so that a client's first
      request finds a free turn. They get half of them if there is only one client. An extra
      request that has run for SLOW_SECONDS gives its turn of the extra requests to the others; it
      still is one of the `at_once`.
    """

    def __init__(
        self, *, at_once: int, max_waiting: int, clock: Callable[[], float] = monotonic
    ) -> None:
        self.at_once, self.places, self._clock = at_once, at_once + max_waiting, clock
        self.tickets: list[Ticket] = []
        self._lock, self._numbers, self._given = Lock(), count(), 0

    def enter(self, client: Client, *, patience: float) -> Ticket | None:
        """Wait for a turn and return the ticket. Return None if there is no room, or after
        `patience` seconds. Call `leave` afterwards.
        """
        ticket = self.ask(client)
        ticket.decided.wait(patience)
        with self._lock:
            if not ticket.is_working and not ticket.is_refused:
                self.tickets.remove(ticket)
        return ticket if ticket.is_working else None

    def ask(self, client: Client) -> Ticket:
        """Return a new ticket, which runs, waits, or is already refused. If there is no room,
        this ticket or another waiting one is refused.
        """
        with self._lock:
            ticket = self._add_ticket(client)
            if len(self.tickets) > self.places:
                self._refuse_ticket(self._refuse_one_too_many())
            self._grant_turns()
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Remove the ticket and grant its turn to another request."""
        with self._lock:
            self.tickets.remove(ticket)
            self._grant_turns()

    def _add_ticket(self, client: Client) -> Ticket:
        """Add a ticket at the end of the queue. The next tickets of one client are due `places`
        turns later each, so that other clients come in between.
        """
        own_dues = [ticket.due for ticket in self.tickets if ticket.client.key == client.key]
        due_turn = max([self._given, *(each + self.places for each in own_dues)])
        ticket = Ticket(
            client=client, number=next(self._numbers), due=due_turn, is_extra=bool(own_dues)
        )
        self.tickets.append(ticket)
        return ticket

    def _refuse_one_too_many(self) -> Ticket:
        """Return the newest waiting request of the client with the most places. If clients are
        equal, choose the group with the most places.
        """

        def weight(ticket: Ticket) -> tuple[int, int, int]:
            own = self._count_tickets(lambda each: each.client.key == ticket.client.key)
            group = self._count_tickets(lambda each: each.client.group == ticket.client.group)
            return own, group, ticket.number

        return max((ticket for ticket in self.tickets if not ticket.is_working), key=weight)

    def _refuse_ticket(self, ticket: Ticket) -> None:
        self.tickets.remove(ticket)
        ticket.is_refused = True
        ticket.decided.set()

    def _grant_turns(self) -> None:
        """Grant every free turn to the next request."""
        while self._count_tickets(lambda each: each.is_working) < self.at_once:
            may_extras = self._count_tickets(self._is_quick_extra) < self._count_turns_of_extras()
            ready = [
                each
                for each in self.tickets
                if not each.is_working and (may_extras or not each.is_extra)
            ]
            if not ready:
                return
            ticket = min(ready, key=self._get_turn_order)
            self._given += 1
            ticket.is_working, ticket.began_at = True, self._clock()
            ticket.decided.set()

    def _is_quick_extra(self, ticket: Ticket) -> bool:
        is_running = ticket.is_working and ticket.is_extra
        return is_running and self._clock() - ticket.began_at < SLOW_SECONDS

    def _count_turns_of_extras(self) -> int:
        is_alone = len({ticket.client.key for ticket in self.tickets}) == 1
        return max(1, self.at_once // (2 if is_alone else 4))

    def _get_turn_order(self, ticket: Ticket) -> tuple[int, int, int, int]:
        """Return the sort key of a waiting ticket, the smallest first: its turn, how many requests
        of its group are at work, then due turn and number.
        """
        working_count = self._count_tickets(
            lambda each: each.is_working and each.client.group == ticket.client.group
        )
        return max(ticket.due, self._given), working_count, ticket.due, ticket.number

    def _count_tickets(self, holds: Callable[[Ticket], bool]) -> int:
        return sum(1 for ticket in self.tickets if holds(ticket))


PATIENCE_SECONDS = 5.0
RETRY_AFTER_SECONDS = "3"
# Monitoring must see a busy process as alive. Public pictures need no database query.
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
PICTURES = "/media/"
MESSAGE = "服务繁忙，请稍后重试"


class LoadMiddleware:
    """Let REQUESTS_AT_ONCE requests of a process run and REQUESTS_WAITING wait for at most 5 s.
    The rest get 503 at once.

    `Turns` decides the order and which request is refused.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.turns = Turns(at_once=settings.REQUESTS_AT_ONCE, max_waiting=settings.REQUESTS_WAITING)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Wait for a place, then pass the request on. Answer 503 if there is none within
        PATIENCE_SECONDS.
        """
        if request.path_info in PROBES or request.path_info.startswith(PICTURES):
            return self.get_response(request)
        ticket = self.turns.enter(get_client(request), patience=PATIENCE_SECONDS)
        if ticket is None:
            return build_busy_response(request)
        try:
            return self.get_response(request)
        finally:
            self.turns.leave(ticket)


def build_busy_response(request: HttpRequest) -> HttpResponse:
    """Return 503 with Retry-After: with an envelope under /api, a plain page elsewhere."""
    if is_api(request.path_info):
        answer = build_plain_refusal(request, status=503, code="server_error", message=MESSAGE)
    else:
        answer = HttpResponse(
            f"<!doctype html><meta charset=utf-8><title>{MESSAGE}</title><h1>{MESSAGE}</h1>",
            status=503,
        )
    answer["Retry-After"] = RETRY_AFTER_SECONDS
    return answer
