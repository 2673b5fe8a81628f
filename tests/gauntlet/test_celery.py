"""A subscription with real workers and two beats on Redis, under a clock set by the test. One
worker is killed while it sends.
"""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from decimal import Decimal
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import quote

import pytest
import redis
from django.db import connection
from python_calamine import CalamineWorkbook

from apps.catalog.tests.factories import ProductFactory
from apps.common.files.kinds import XLSX_TYPE
from apps.common.models.outbox import OutboxMessage, RunnerLease
from apps.org.models import Account
from apps.reports.models import ReportLetter, ReportSend
from apps.reports.services.sends import CLAIM_TIMEOUT
from apps.reports.tests.subscribing import ADDRESS, parse_moment, set_mail_address, subscribe
from apps.reports.tests.trading import buy_at, deliver
from demo.load.clock import clock_at
from tests.clocked import clock_set
from tests.gauntlet.post import PostOffice, post_office

pytestmark = [pytest.mark.gauntlet, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
ROOT = Path(__file__).resolve().parents[2]
BROKER = os.environ.get("GAUNTLET_BROKER_URL", "redis://127.0.0.1:6379/10")
BEGIN, DUE = parse_moment("2026-11-02 07:00"), parse_moment("2026-11-02 08:30")
DAY = timedelta(days=1)
PATIENCE = 60


class House:
    """Workers and beats with their own clock, broker and mail server. Their logs are in
    `folder`.
    """

    def __init__(self, folder: Path, post: PostOffice, prefix: str) -> None:
        self._clock, self._folder = folder / "ahead", folder
        self._stepped_at = DUE
        database = connection.settings_dict
        who = (
            f"{database['USER']}:{quote(database['PASSWORD'])}@{database['HOST']}"
            f":{database['PORT'] or 5432}"
        )
        self._environment = {
            **os.environ,
            "DATABASE_URL": f"postgres://{who}/{database['NAME']}",
            "DJANGO_SETTINGS_MODULE": "mall.settings.dev",
            "CELERY_BROKER_URL": BROKER,
            "BROKER_PREFIX": prefix,
            "EMAIL_URL": post.url,
            "MEDIA_ROOT": str(folder),
        }

    @contextmanager
    def runs(self, name: str, *command: str, **more: str) -> Generator[subprocess.Popen[bytes]]:
        """Yield a `celery` process that leads its own process group. The whole group is killed
        after the block.
        """
        with self.log(name).open("wb") as log:
            celery = [
                sys.executable,
                "-m",
                "celery",
                "-A",
                "tests.gauntlet.clocked_celery",
                *command,
                "--loglevel",
                "info",
            ]
            process = subprocess.Popen(
                celery,
                cwd=ROOT,
                env={**self._environment, **more},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            try:
                yield process
            finally:
                kill_process(process)

    def worker(self, name: str) -> AbstractContextManager[subprocess.Popen[bytes]]:
        """Run a worker of all queues."""
        return self.runs(
            name,
            "worker",
            "--concurrency",
            "2",
            "--hostname",
            f"{name}@gauntlet",
            MALL_CLOCK=str(self._clock),
        )

    def beat(self, name: str) -> AbstractContextManager[subprocess.Popen[bytes]]:
        """Run a beat with the database schedule, as in production."""
        return self.runs(name, "beat", "--pidfile", "")

    def log(self, name: str) -> Path:
        """Return the log file of a process."""
        return self._folder / f"{name}.log"

    def at(self, when: datetime) -> None:
        """Set the clock of all processes to that moment."""
        clock_set(self._clock, when)
        self._stepped_at = when

    def looked_again(self) -> bool:
        """Whether the job for due subscriptions has run since the clock was set."""
        last_of = self._stepped_at + timedelta(seconds=30)
        return RunnerLease.objects.filter(
            name="job:reports.subscriptions", expires_at__gte=last_of
        ).exists()


def kill_process(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and all its children with signal 9."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)


def wait_until(there: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < end, what
        time.sleep(0.1)


@pytest.fixture
def post() -> Generator[PostOffice]:
    with post_office() as office:
        yield office


@pytest.fixture
def house(tmp_path: Path, post: PostOffice) -> Generator[House]:
    prefix = f"gauntlet-{uuid.uuid4().hex[:8]}-"
    yield House(tmp_path, post, prefix)
    with redis.Redis.from_url(BROKER) as broker:
        if left := list(broker.scan_iter(f"{prefix}*")):
            broker.delete(*left)


@pytest.fixture
def due(ga: Account, shopper: Account) -> Decimal:
    """Create a daily letter to an address, due at 8:30. Return the total of its report in 元."""
    buy_at(
        parse_moment("2026-11-01 10:00"),
        shopper,
        (ProductFactory(market_price=Decimal("12.50")), 4),
    )
    deliver()
    with clock_at(BEGIN):
        subscribe(set_mail_address(ga, "ga@yunfan.example"), addresses=(ADDRESS,))
    return Decimal("50.00")


def first_sum(letter: EmailMessage) -> tuple[list[str], float]:
    """Return the types of the letter's files, and the sum of the column 含税金额 without its total
    row.
    """
    files = {part.get_content_type(): part.get_content() for part in letter.iter_attachments()}
    sheet = next(content for kind, content in files.items() if "spreadsheet" in kind)
    book = CalamineWorkbook.from_filelike(io.BytesIO(sheet))
    header, *rows = book.get_sheet_by_name(book.sheet_names[1]).to_python()
    return sorted(files), sum(float(str(row[header.index("含税金额")])) for row in rows[:-1])


def test_two_beats_and_a_worker_killed_while_it_sends_make_one_letter_a_period(
    house: House, post: PostOffice, due: Decimal
) -> None:
    house.at(DUE)
    with house.beat("beat-1"), house.beat("beat-2"):
        with house.worker("worker-1") as worker:
            wait_until(post.begun.is_set, "nobody has begun to send")
            kill_process(worker)
        assert list(ReportLetter.objects.values_list("state", "attempts")) == [("sending", 1)]
        assert post.letters == []
        post.open.set()

        house.at(DUE + CLAIM_TIMEOUT + timedelta(minutes=1))
        with house.worker("worker-2"):
            wait_until(
                lambda: ReportLetter.objects.filter(state="sent").exists(),
                "the killed worker's letter was not sent",
            )
            house.at(DUE + CLAIM_TIMEOUT + timedelta(minutes=2))
            wait_until(house.looked_again, "nobody looked for what is due again")
            assert (len(post.letters), ReportSend.objects.count()) == (1, 1)

            house.at(DUE + DAY)
            wait_until(
                lambda: ReportLetter.objects.filter(state="sent").count() == 2,
                "the next day's letter was not sent",
            )
            house.at(DUE + DAY + timedelta(minutes=1))
            wait_until(house.looked_again, "nobody looked for what is due again")
        for name in ("beat-1", "beat-2"):
            assert b"Sending due task periodic-jobs" in house.log(name).read_bytes(), (
                f"{name} has sent nothing"
            )

    assert list(ReportLetter.objects.order_by("pk").values_list("state", "attempts")) == [
        ("sent", 2),
        ("sent", 1),
    ]
    assert list(ReportSend.objects.order_by("pk").values_list("due_at", "state")) == [
        (DUE, "sent"),
        (DUE + DAY, "sent"),
    ]
    assert (
        OutboxMessage.objects.filter(topic="report.letter", delivered_at__isnull=False).count() == 2
    )
    assert [letter["To"] for letter in post.letters] == [ADDRESS, ADDRESS]
    assert len({letter["Message-ID"] for letter in post.letters}) == 2
    assert [first_sum(letter) for letter in post.letters] == [
        (["application/pdf", XLSX_TYPE], float(due))
    ] * 2
