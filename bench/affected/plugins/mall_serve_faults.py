"""Pytest plugin that collects all tests once and then judges faults one by one, each in a fork:
-p mall_serve_faults.

It is loaded by name from PYTHONPATH, so that it works on another commit's tree too. A fault inside
a function needs no new process: the fork patches the function and runs the tests, which takes one
second of processor time instead of six. FAULT_SOCKET is the path of the socket.

A request is (path, before, after, tests, seconds): the file with its original and its faulty text
(an empty path for no fault), the names of the tests in order, and the processor time. The answer is
None if the fault is not inside a function, otherwise (failures, is_late): name and message of the
first failure, and whether the time was over.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.connection import Listener
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from _pytest.runner import runtestprotocol

WALL_SECONDS = 900
Request = tuple[str, str, str, list[str], int]


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the code object and all nested ones."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from codes_in(const)


def own_part(code: CodeType) -> tuple[object, ...]:
    """Return the code without nested functions and classes."""
    consts = tuple(
        "code" if isinstance(const, CodeType) else (type(const), repr(const))
        for const in code.co_consts
    )
    return code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def changed_codes(before: str, after: str, path: str) -> list[CodeType] | None:
    """Return the new code of each function that differs; None if code that runs at import
    differs.
    """
    old, new = (list(codes_in(compile(text, path, "exec"))) for text in (before, after))
    if len(old) != len(new):
        return None
    changed = [
        later
        for earlier, later in zip(old, new, strict=True)
        if own_part(earlier) != own_part(later)
    ]
    has_import_code = any(
        not code.co_flags & 0x1 for code in changed
    )  # 0x1, CO_OPTIMIZED: a function, no module or class
    if has_import_code or not changed:
        return None
    names = {(code.co_qualname, code.co_firstlineno) for code in changed}
    return [
        code
        for code in new
        if code.co_flags & 0x1
        and names & {(c.co_qualname, c.co_firstlineno) for c in codes_in(code)}
    ]


def functions() -> dict[tuple[str, str, int], list[FunctionType]]:
    """Return the functions of this process by file, name and line."""
    results: dict[tuple[str, str, int], list[FunctionType]] = {}
    gc.unfreeze()
    for each in gc.get_objects():
        if type(each) is FunctionType:
            code = each.__code__
            results.setdefault(
                (code.co_filename, code.co_qualname, code.co_firstlineno), []
            ).append(each)
    gc.freeze()
    return results


def swap(known: dict[tuple[str, str, int], list[FunctionType]], codes: list[CodeType]) -> bool:
    """Replace the code of the functions. Return whether at least one was found and all could be
    replaced.
    """
    swapped = 0
    for code in codes:
        for function in known.get((code.co_filename, code.co_qualname, code.co_firstlineno), []):
            try:
                function.__code__ = code
            except ValueError:  # another number of free variables
                return False
            swapped += 1
    return swapped > 0


def run_items(items: list[pytest.Item]) -> list[tuple[str, str]]:
    """Run the tests until one fails. Return its name and message."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        for report in runtestprotocol(item, log=False, nextitem=following):
            if report.failed:
                crash = getattr(report.longrepr, "reprcrash", None)
                return [
                    (report.nodeid, str(crash.message if crash else report.longrepr).strip()[:400])
                ]
    return []


def answer(
    request: Request, session: pytest.Session, known: dict[tuple[str, str, int], list[FunctionType]]
) -> object:
    """Judge one fault in a fork."""
    path, before, after, names, seconds = request
    codes: list[CodeType] = []
    if path:
        results = changed_codes(before, after, path)
        if results is None or not any(
            (code.co_filename, code.co_qualname, code.co_firstlineno) in known for code in results
        ):
            return None
        codes = results
    by_name = {item.nodeid: item for item in session.items}
    items = [by_name[name] for name in names if name in by_name]
    if not items:
        return [], False
    with tempfile.NamedTemporaryFile(prefix="fault-") as result:
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
            try:
                texts = run_items(items) if not path or swap(known, codes) else None
                Path(result.name).write_text(json.dumps({"failures": texts}), encoding="utf-8")
                session._setupstate.teardown_exact(None)
            finally:
                os._exit(0)
        status = ended(pid)
        written = Path(result.name).read_text(encoding="utf-8")
    if not written:
        return [], True
    failures = json.loads(written)["failures"]
    return None if failures is None else (failures, status != 0 and not failures)


def ended(pid: int) -> int:
    """Wait for the fork and kill it after the time limit. Return its status."""
    until = time.monotonic() + WALL_SECONDS
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        if time.monotonic() > until:
            os.killpg(pid, signal.SIGKILL)
        time.sleep(0.02)
    return status


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Serve requests until the connection is closed."""
    known = functions()
    with Listener(os.environ["FAULT_SOCKET"], "AF_UNIX") as listener, listener.accept() as peer:
        peer.send("ready")
        while True:
            try:
                request = peer.recv()
            except EOFError:
                return True
            peer.send(answer(request, session, known))
