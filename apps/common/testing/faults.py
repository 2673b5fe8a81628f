"""Simulated faults: wrong figures that `check_books` must find, and a process that dies during an
import, with the recovery.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from apps.common.background.delivery import outbox_deliver
from apps.common.background.queues import Queue
from apps.common.books import list_differences
from apps.common.models import ImportRun
from apps.common.services.import_resume import imports_resume
from apps.common.testing.database import undone

# The beginning of the statement that completes a chunk. Its rows are already written in the same
# transaction.
CHUNK_WRITTEN = 'UPDATE "common_importchunk"'


def list_missed(planted: Mapping[str, tuple[Callable[[], object], str]]) -> list[str]:
    """Return the names of the errors that no check finds.

    `planted` maps a name to a function that plants the error and to the figure that is then wrong.
    Each error is rolled back before the next one.
    """
    missed = []
    for name, (plant, figure) in planted.items():
        with undone():
            plant()
            # The checks after the first that finds it do not run.
            if not any(difference.figure == figure for _, difference in list_differences()):
                missed.append(name)
    return missed


class Killed(BaseException):
    """The simulated end of the process. It is a BaseException, so that no code of ours catches
    it.
    """


def kill() -> None:
    raise Killed


@contextmanager
def at_statement(beginning: str, nth: int, act: Callable[[], None]) -> Generator[None]:
    """Call `act` just before the n-th statement that begins with `beginning`."""
    count = 0

    def look(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal count
        if sql.startswith(beginning):
            count += 1
            if count == nth:
                act()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield


def expire_import_leases() -> None:
    """Let the leases of all imports expire."""
    ImportRun.objects.update(held_until=timezone.now() - timedelta(seconds=1))


def resume_import_now() -> None:
    """Let the leases expire, run the periodic job and deliver its messages."""
    expire_import_leases()
    imports_resume()
    outbox_deliver(queues=[Queue.BULK])
