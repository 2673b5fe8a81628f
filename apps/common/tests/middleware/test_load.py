"""Load shedding: requests beyond the capacity of a process get 503 with Retry-After, and no
request waits without a limit.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any

import pytest
from django.conf import settings as configured
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from apps.common.middleware import load
from apps.common.middleware.load import LoadMiddleware, Ticket
from apps.common.requests import Client

PATIENCE = 10
THREADS = re.compile(r'--blocking-threads"?[\s,]+"?([0-9]+)')


class Busy:
    """A process with one running request, which ends when the test calls `finish`, and with
    room for one waiting request.
    """

    def __init__(self, settings: Any) -> None:
        settings.REQUESTS_AT_ONCE, settings.REQUESTS_WAITING = 1, 1
        self.begun, self.end = Barrier(2), Event()
        self.middleware = LoadMiddleware(self._work)
        self.pool = ThreadPoolExecutor(2)
        self.working = self.pool.submit(self.ask, "/slow")
        self.begun.wait(PATIENCE)

    def _work(self, request: HttpRequest) -> HttpResponse:
        if request.path == "/slow":
            self.begun.wait(PATIENCE)
            self.end.wait(PATIENCE)
        return HttpResponse("done")

    def ask(self, path: str) -> HttpResponse:
        return self.middleware(RequestFactory().get(path))

    def waiting(self) -> Ticket:
        """Take the only waiting place, as another client."""
        return self.middleware.turns.ask(Client("account-7", "group-1"))

    def finish(self) -> None:
        self.end.set()
        self.pool.shutdown()


@pytest.fixture
def process(settings: Any) -> Generator[Busy]:
    busy = Busy(settings)
    yield busy
    busy.finish()


def test_full_queue_answers_503_with_retry_after(process: Busy) -> None:
    process.waiting()
    answer = process.ask("/api/Order")

    assert (answer.status_code, answer["Retry-After"]) == (503, "3")
    assert json.loads(answer.content)["MsgHeader"]["RetCode"] == "server_error"


def test_full_queue_answers_a_page_in_chinese(process: Busy) -> None:
    process.waiting()
    answer = process.ask("/product/index")

    assert (answer.status_code, "服务繁忙" in answer.content.decode()) == (503, True)


def test_waiting_request_runs_after_the_current_one(process: Busy) -> None:
    future = process.pool.submit(process.ask, "/api/Order")
    process.end.set()

    assert future.result(PATIENCE).content == b"done"


def test_second_request_of_a_client_yields_to_a_client_without_a_place(process: Busy) -> None:
    second = process.middleware.turns.ask(Client("127.0.0.1", "visitors"))
    other = process.waiting()
    process.end.set()

    assert other.decided.wait(PATIENCE)
    assert (second.is_refused, other.is_working) == (True, True)


def test_request_that_waits_too_long_answers_503(
    process: Busy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "PATIENCE_SECONDS", 0.01)

    assert process.ask("/api/Order").status_code == 503
    process.end.set()
    process.working.result(PATIENCE)
    assert process.ask("/api/Order").status_code == 200


def test_page_with_a_probe_like_address_has_no_reserved_place(process: Busy) -> None:
    process.waiting()

    assert process.ask("/healthz-page").status_code == 503


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/media/products/1.svg"])
def test_busy_process_still_answers_its_probes(process: Busy, path: str) -> None:
    process.waiting()

    assert process.ask(path).status_code == 200


def test_a_request_that_fails_gives_its_place_back(settings: Any) -> None:
    settings.REQUESTS_AT_ONCE, settings.REQUESTS_WAITING = 1, 0
    answers = iter([RuntimeError("a fault"), HttpResponse("done")])

    def work(_request: HttpRequest) -> HttpResponse:
        answer = next(answers)
        if isinstance(answer, HttpResponse):
            return answer
        raise answer

    middleware = LoadMiddleware(work)
    with pytest.raises(RuntimeError):
        middleware(RequestFactory().get("/api/Order"))

    assert middleware(RequestFactory().get("/api/Order")).status_code == 200


@pytest.mark.parametrize("file", ["Makefile", "deploy/Containerfile", "bench/server.py"])
def test_server_has_threads_beyond_working_and_waiting_requests(file: str) -> None:
    threads = [
        int(number) for number in THREADS.findall((configured.BASE_DIR / file).read_text("utf-8"))
    ]

    assert threads
    assert (
        min(threads)
        >= configured.REQUESTS_AT_ONCE
        + configured.REQUESTS_WAITING
        + configured.ASSISTANT_STREAMS
        + 2
    )
