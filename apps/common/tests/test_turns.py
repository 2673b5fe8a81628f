"""Fair shares: each client has a share of a process. A greedy client takes neither the places
nor the turns of the others.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock

import jwt
import pytest
from django.conf import settings
from django.test import RequestFactory

from apps.common.middleware.load import Ticket, Turns
from apps.common.requests import VISITORS, Client, get_client
from apps.common.testing import ApiClient
from apps.org.models import Account

PATIENCE = 10.0


def visitor(number: int) -> Client:
    return Client(f"203.0.113.{number}", VISITORS)


def colleague(number: int, group: int = 1) -> Client:
    return Client(f"account-{group}{number:03}", f"group-{group}")


def at_work(turns: Turns) -> list[str]:
    return [ticket.client.key for ticket in turns.tickets if ticket.is_working]


def end_oldest(turns: Turns) -> None:
    turns.leave(next(ticket for ticket in turns.tickets if ticket.is_working))


def test_single_client_may_use_every_place() -> None:
    turns = Turns(at_once=4, max_waiting=8)
    tickets = [turns.ask(visitor(1)) for _ in range(13)]

    assert [ticket.is_refused for ticket in tickets] == [False] * 12 + [True]


def test_a_newcomer_takes_the_place_of_the_greediest() -> None:
    turns = Turns(at_once=4, max_waiting=8)
    greedy = [turns.ask(visitor(1)) for _ in range(12)]
    others = [turns.ask(visitor(number)) for number in range(2, 8)]

    assert not any(ticket.is_refused for ticket in others)
    assert [ticket.is_refused for ticket in greedy] == [False] * 6 + [True] * 6


def test_greedy_client_takes_no_place_of_other_clients() -> None:
    turns = Turns(at_once=4, max_waiting=8)
    others = [turns.ask(visitor(number)) for number in range(2, 12)]
    for _ in range(50):
        turns.ask(visitor(1))

    assert not any(ticket.is_refused for ticket in others)


def test_a_first_request_finds_a_turn_at_once_while_greedy_clients_wait() -> None:
    turns = Turns(at_once=4, max_waiting=8)
    for _ in range(5):
        turns.ask(visitor(1))
        turns.ask(visitor(2))
    for ticket in [ticket for ticket in turns.tickets if ticket.is_working and not ticket.is_extra]:
        turns.leave(ticket)

    assert len(at_work(turns)) == 1
    assert all(turns.ask(visitor(number)).is_working for number in (3, 4, 5))


def test_single_client_uses_its_first_turn_and_half_of_the_turns() -> None:
    turns = Turns(at_once=4, max_waiting=8)
    for _ in range(6):
        turns.ask(visitor(1))

    assert len(at_work(turns)) == 3


def test_first_requests_of_other_clients_precede_a_second_request() -> None:
    turns = Turns(at_once=1, max_waiting=8)
    for _ in range(4):
        turns.ask(visitor(1))
    turns.ask(visitor(2))
    turns.ask(visitor(3))
    served = []
    while turns.tickets:
        served += at_work(turns)
        end_oldest(turns)

    assert [key.rpartition(".")[2] for key in served] == ["1", "2", "3", "1", "1", "1"]


def test_waiting_second_request_is_served_eventually() -> None:
    turns = Turns(at_once=1, max_waiting=8)
    turns.ask(visitor(1))
    second = turns.ask(visitor(1))
    for number in range(2, 30):
        turns.ask(visitor(number))
        end_oldest(turns)
        if second.is_working:
            return
        turns.ask(visitor(number + 100))
    pytest.fail("its second request never had a turn")


def test_slow_second_request_of_a_client_leaves_others_their_turn() -> None:
    now = [0.0]
    turns = Turns(at_once=4, max_waiting=8, clock=lambda: now[0])
    turns.ask(visitor(1))
    slow = turns.ask(visitor(1))
    first, second = turns.ask(visitor(2)), turns.ask(visitor(2))
    assert (slow.is_working, second.is_working) == (True, False)
    now[0] = 2.0
    turns.leave(first)

    assert (slow.is_working, second.is_working) == (True, True)


def test_group_with_many_accounts_leaves_room_for_another_group() -> None:
    turns = Turns(at_once=2, max_waiting=4)
    crowd = [turns.ask(colleague(number)) for number in range(6)]
    others = [turns.ask(colleague(1, group=2)), turns.ask(visitor(1))]

    assert [ticket.is_refused for ticket in crowd] == [False] * 4 + [True] * 2
    assert not any(ticket.is_refused for ticket in others)


def test_the_next_turn_is_that_of_the_group_with_fewest_at_work() -> None:
    turns = Turns(at_once=2, max_waiting=4)
    for number in range(3):
        turns.ask(colleague(number))
    other = turns.ask(colleague(1, group=2))
    end_oldest(turns)

    assert other.is_working


def test_timed_out_ticket_frees_its_place() -> None:
    turns = Turns(at_once=1, max_waiting=1)
    turns.ask(visitor(1))

    assert turns.enter(visitor(2), patience=0.01) is None
    assert not turns.ask(visitor(3)).is_refused


def test_many_threads_never_have_more_than_the_turns() -> None:
    turns, seen, lock, begin = Turns(at_once=3, max_waiting=5), [], Lock(), Barrier(16)

    def ask_often(number: int) -> int:
        begin.wait(PATIENCE)
        refused = 0
        for _ in range(50):
            ticket: Ticket | None = turns.enter(visitor(number % 4), patience=PATIENCE)
            if ticket is None:
                refused += 1
                continue
            with lock:
                seen.append(len(at_work(turns)))
            turns.leave(ticket)
        return refused

    with ThreadPoolExecutor(16) as pool:
        refused = sum(pool.map(ask_often, range(16)))

    assert len(seen) + refused == 16 * 50
    assert max(seen) <= 3
    assert turns.tickets == []


@pytest.mark.django_db
def test_a_client_is_the_account_in_its_group_or_the_visitors_address(buyer: Account) -> None:
    request = RequestFactory().get(
        "/", headers={"Authorization": f"Bearer {ApiClient(buyer).bearer}"}
    )

    assert get_client(request) == Client(f"account-{buyer.pk}", f"group-{buyer.group_id}")
    assert get_client(RequestFactory().get("/")) == Client("127.0.0.1", VISITORS)


@pytest.mark.parametrize(
    ("seconds", "key"), [(60, "account-7"), (-3590, "account-7"), (-3610, "127.0.0.1")]
)
def test_an_expired_token_counts_for_its_account_for_an_hour(seconds: int, key: str) -> None:
    claims = {"uid": "7", "gid": "3", "exp": int(time.time()) + seconds}
    token = jwt.encode(claims, settings.SECRET_KEY)
    request = RequestFactory().get("/", headers={"Authorization": f"Bearer {token}"})

    assert get_client(request).key == key
