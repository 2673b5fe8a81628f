"""Views, subscriptions and exports that several processes save, start, end and delete in
parallel.
"""

from __future__ import annotations

from datetime import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from apps.common.models import StoredFile
from apps.common.models.outbox import OutboxMessage
from apps.orders.tests.factories import place_order
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory, RoleFactory
from apps.reports.enums import ExportState
from apps.reports.models import ExportJob, ReportSend, ReportSubscription, SavedView
from apps.reports.selectors.question import ReportQuestion
from apps.reports.services.export_run import export_run_handler
from apps.reports.services.exports import export_cancel, export_start
from apps.reports.services.saved_views import view_create, view_delete
from apps.reports.services.sends import subscription_send_now
from apps.reports.services.subscriptions import subscription_create, subscription_update
from apps.reports.tests.subscribing import create_view, set_mail_address, subscribe
from apps.reports.tests.trading import deliver
from tests.gauntlet.race import run_race

pytestmark = [pytest.mark.gauntlet, pytest.mark.django_db(transaction=True)]
DAILY: dict[str, Any] = {"frequency": "daily", "at_time": time(8, 30)}


def test_a_view_saved_twenty_times_at_once_under_one_name_is_kept_once(ga: Account) -> None:
    fields = {"report": "Order", "name": "月报", "filters": {}}
    outcomes = run_race([partial(view_create, actor=ga, fields=fields) for _ in range(20)])
    assert (SavedView.objects.count(), sum(outcome.ok for outcome in outcomes)) == (1, 1)
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"validation"}


def test_twenty_concurrent_exports_open_at_most_three(ga: Account) -> None:
    ask = partial(export_start, actor=ga, report="Order", question=ReportQuestion(), sort="")
    outcomes = run_race([ask] * 20)
    assert (ExportJob.objects.count(), sum(outcome.ok for outcome in outcomes)) == (3, 3)
    assert {outcome.code for outcome in outcomes if not outcome.ok} == {"wrong_state"}


@pytest.mark.parametrize("turn", range(3))
def test_export_end_or_its_cancellation_wins_completely(
    shopper: Account, settings: Any, tmp_path: Path, turn: int
) -> None:
    store = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": tmp_path},
    }
    settings.STORAGES = {**settings.STORAGES, "default": store}
    place_order(shopper)
    deliver()
    job = export_start(actor=shopper, report="Order", question=ReportQuestion(), sort="")

    run = partial(export_run_handler, "", {"JobId": job.pk})
    _, cancelled = run_race(
        [run, partial(export_cancel, actor=shopper, pk=str(job.pk))], processes=2
    )

    ended = ExportJob.objects.get()
    assert ended.state == (ExportState.CANCELLED if cancelled.ok else ExportState.DONE)
    files = 0 if cancelled.ok else 1
    assert StoredFile.objects.count() == files
    assert len(list(tmp_path.rglob("*.xlsx"))) == files
    assert OutboxMessage.objects.filter(topic="export.ended").count() == files


def test_sent_now_twenty_times_at_once_it_is_sent_once(ga: Account) -> None:
    row = subscribe(set_mail_address(ga, "ga@yunfan.example"), ga)
    outcomes = run_race(
        [partial(subscription_send_now, actor=ga, pk=str(row.pk)) for _ in range(20)]
    )
    assert (ReportSend.objects.count(), sum(outcome.ok for outcome in outcomes)) == (1, 1)


@pytest.mark.parametrize("turn", range(3))
def test_a_view_deleted_while_others_subscribe_to_it_leaves_no_subscription_on_without_one(
    ga: Account, shopper: Account, turn: int
) -> None:
    role = RoleFactory(group=ga.group, menu_codes=["report.order"])
    others = [
        AccountFactory(
            department=shopper.department, roles=[role], email=f"p{number}@yunfan.example"
        )
        for number in range(6)
    ]
    view = create_view(ga, shared=True)
    held = [subscribe(other, other, view=view) for other in others[:3]]

    works: list[Any] = [partial(view_delete, actor=ga, pk=str(view.pk))]
    works += [
        partial(
            subscription_create,
            actor=other,
            fields={**DAILY, "view_id": view.pk},
            account_ids=[other.pk],
            addresses=[],
        )
        for other in others[3:]
    ]
    works += [
        partial(
            subscription_update,
            actor=row.owner,
            pk=str(row.pk),
            changes={"view_id": view.pk, "is_active": True},
            account_ids=None,
            addresses=None,
        )
        for row in held
    ]
    outcomes = run_race(works, processes=len(works))

    assert outcomes[0].ok
    assert {outcome.code for outcome in outcomes[1:]} <= {"", "validation"}
    rows = ReportSubscription.objects.all()
    assert not rows.filter(view=None, is_active=True).exists()
    assert (
        rows.filter(is_active=False, paused_reason="视图“月报”已被其创建人删除").count()
        == rows.count()
    )
