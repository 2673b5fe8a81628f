"""If a worker is killed while it writes an export, another finishes it, with one file and
correct totals. With real processes.
"""

from __future__ import annotations

import time
from datetime import timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from apps.catalog.tests.factories import ProductFactory
from apps.common.background.delivery import outbox_deliver
from apps.common.background.queues import Queue
from apps.common.models import OutboxMessage, StoredFile
from apps.notices.models import Notice
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.reports.models import ExportJob
from apps.reports.services import export_run
from apps.reports.tests.exporting import create_facts, read_rows, start_export, sum_amounts
from apps.reports.tests.trading import deliver
from tests.gauntlet.race import Victim, run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
work: Any = partial(outbox_deliver, batch=1, queues=[Queue.BULK])


@pytest.fixture
def sold(
    shopper: Account, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Decimal:
    """12,000 lines, a storage shared by the processes, and workers that renew their lease every
    fifth of a second.
    """
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": tmp_path},
        },
    }
    monkeypatch.setattr(export_run, "PROGRESS_SECONDS", 0.2)
    order = place_order(shopper, (ProductFactory(market_price=Decimal("10.00")), 2))
    deliver()
    return create_facts(order, 12_000) + order.total_amount


def run_until_killed(job: ExportJob) -> None:
    victim, end = Victim(work), time.monotonic() + 60
    while not ExportJob.objects.filter(pk=job.pk, rows_done__gt=0).exists():
        assert time.monotonic() < end, "it never began to write"
        time.sleep(0.05)
    assert victim.kill(after=0.1)


def expire_lease() -> None:
    """Let the dead worker's lease expire."""
    past = timezone.now() - timedelta(seconds=1)
    ExportJob.objects.filter(state="running").update(lease_until=past)
    OutboxMessage.objects.filter(delivered_at__isnull=True).update(available_at=past)


def test_a_worker_killed_in_the_middle_is_followed_by_another(
    shopper: Account, sold: Decimal
) -> None:
    job = start_export(shopper)
    run_until_killed(job)
    left = ExportJob.objects.get(pk=job.pk)
    assert (left.state, left.attempts, left.file_id) == ("running", 1, None)
    assert work() == 0  # nobody takes it as long as its lease holds

    expire_lease()
    run_race([work for _ in range(4)], processes=4)

    done = ExportJob.objects.get(pk=job.pk)
    assert (done.state, done.attempts, done.rows_done) == ("done", 2, 12_001)
    assert sum_amounts(read_rows(done)) == sold
    assert StoredFile.objects.count() == 1
    deliver()
    assert Notice.objects.filter(kind="export_ended").count() == 1


def test_killed_three_times_it_is_given_up_with_a_message(shopper: Account, sold: Decimal) -> None:
    job = start_export(shopper)
    for _ in range(3):
        ExportJob.objects.update(rows_done=0)
        run_until_killed(job)
        expire_lease()
    run_race([work])
    done = ExportJob.objects.get(pk=job.pk)
    assert (done.state, done.attempts, done.error) == ("failed", 3, export_run.GIVEN_UP)
    assert not StoredFile.objects.exists()
