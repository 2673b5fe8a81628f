"""Run work in many processes that start at the same moment, each with its own database
connection.
"""

from __future__ import annotations

import multiprocessing
import os
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from django.db import connections

from apps.common.errors import DomainError

LONG = os.environ.get("GAUNTLET", "short") == "full"
# Well below PostgreSQL's default of 100 connections; every process has one. The short gauntlet has
# two workers.
PROCESSES = 40 if LONG else 20
PATIENCE = 120
_fork = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one piece of work: a value, a refusal's code and text, or a traceback."""

    value: Any = None
    code: str = ""
    text: str = ""
    fault: str = ""

    @property
    def ok(self) -> bool:
        """Whether it succeeded."""
        return not self.code and not self.fault


Work = Callable[[], Any]


def run_race(works: Sequence[Work], *, processes: int = PROCESSES) -> list[Outcome]:
    """Distribute all works over the processes and return their outcomes in the given order. An
    unexpected error fails the test.
    """
    count = min(processes, len(works))
    connections.close_all()
    barrier = _fork.Barrier(count)
    hands = [works[number::count] for number in range(count)]
    children = [_start(hand, barrier) for hand in hands]
    outcomes: list[Outcome] = [Outcome()] * len(works)
    for number, (process, receiver) in enumerate(children):
        outcomes[number::count] = (
            receiver.recv()
            if receiver.poll(PATIENCE)
            else [Outcome(fault="no answer")] * len(hands[number])
        )
        process.join(10)
    faults = [outcome.fault for outcome in outcomes if outcome.fault]
    assert not faults, faults[0]
    return outcomes


def _start(works: Sequence[Work], barrier: Any) -> tuple[Any, Connection]:
    receiver, sender = _fork.Pipe(duplex=False)
    process = _fork.Process(target=_run, args=(works, barrier, sender), daemon=True)
    process.start()
    return process, receiver


def _run(works: Sequence[Work], barrier: Any, sender: Connection) -> None:
    """In the child: connect, wait for the others, work, send the outcome, and exit without the
    parent's clean-up.
    """
    try:
        connections["default"].ensure_connection()
        barrier.wait(PATIENCE)
        sender.send([_outcome(work) for work in works])
        connections.close_all()
    finally:
        os._exit(0)


def _outcome(work: Work) -> Outcome:
    try:
        return Outcome(value=work())
    except DomainError as error:
        return Outcome(code=error.code, text=error.text)
    except Exception:  # noqa: BLE001
        return Outcome(fault=traceback.format_exc())


class Victim:
    """A process that works until it is killed with signal 9."""

    def __init__(self, work: Work) -> None:
        connections.close_all()
        self.process = _fork.Process(target=self._run, args=(work,), daemon=True)
        self.process.start()

    @staticmethod
    def _run(work: Work) -> None:
        try:
            work()
        finally:
            os._exit(0)

    def kill(self, *, after: float) -> bool:
        """Kill it after some seconds. Return whether it was still working."""
        time.sleep(after)
        was_alive = self.process.is_alive()
        self.process.kill()
        self.process.join(10)
        return was_alive
