"""导出任务 in the back office: staff read, requeue and cancel jobs under the same rules as the
owner.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from auditlog.models import LogEntry
from django.test import Client
from django.utils import timezone

from apps.common.models import OutboxMessage
from apps.common.tenancy import platform_scope
from apps.common.testing import assert_queries
from apps.notices.models import Notice
from apps.org.models import Account
from apps.org.tests.factories import AccountFactory
from apps.org.tests.office import create_staff, open_office
from apps.reports.models import ExportJob
from apps.reports.tests.exporting import start_export
from apps.reports.tests.trading import deliver

LIST = "/admin/reports/exportjob/"


@pytest.fixture
def person(db: None) -> Account:
    return create_staff("系统")


@pytest.fixture
def office(person: Account) -> Client:
    return open_office(person)


@pytest.fixture
def failed(ga: Account) -> ExportJob:
    job = start_export(ga)
    began = timezone.now()
    ended = began + timedelta(seconds=12.34)
    more: dict[str, Any] = {
        "rows_done": 1200,
        "rows_total": 20500,
        "started_at": began,
        "ended_at": ended,
    }
    ExportJob.objects.update(state="failed", attempts=3, error="导出进程多次意外中断", **more)
    OutboxMessage.objects.all().delete()
    return job


def test_export_list_shows_owner_progress_duration_and_error(
    office: Client, failed: ExportJob
) -> None:
    page = office.get(LIST).content.decode()
    words = (
        str(failed.owner),
        str(failed.owner.group),
        failed.title,
        "失败",
        "1,200 / 20,500",
        "12.3",
        "导出进程多次意外中断",
    )
    assert [text for text in words if text not in page] == []
    assert failed.title in office.get(f"{LIST}{failed.pk}/change/").content.decode()


def test_failed_export_is_queued_again_in_its_owners_group_and_logged(
    office: Client, person: Account, failed: ExportJob
) -> None:
    page = f"{LIST}{failed.pk}/requeue/"
    assert "按原筛选条件和期间重新生成" in office.get(page).content.decode()
    assert ExportJob.objects.get().state == "failed"

    assert office.post(page, {"act": "1"}, REMOTE_ADDR="198.51.100.4").status_code == 302

    job, message = ExportJob.objects.get(), OutboxMessage.objects.get()
    assert (job.state, job.attempts, job.error) == ("queued", 0, "")
    assert (message.topic, message.payload, message.group_id) == (
        "export.run",
        {"JobId": job.pk},
        failed.group_id,
    )
    entry = LogEntry.objects.get_for_object(job).get()
    assert (entry.actor_id, entry.remote_addr, entry.changes) == (
        person.pk,
        "198.51.100.4",
        {"状态": ["失败", "排队中"]},
    )
    deliver()
    assert ExportJob.objects.get().state == "done"


def test_twice_is_refused(office: Client, failed: ExportJob) -> None:
    page = f"{LIST}{failed.pk}/requeue/"
    office.post(page, {"act": "1"})
    assert office.post(page, {"act": "1"}).status_code == 200
    assert (OutboxMessage.objects.count(), LogEntry.objects.get_for_object(failed).count()) == (
        1,
        1,
    )


def test_an_owner_with_three_open_ones_or_without_the_right_gets_no_other(
    office: Client, failed: ExportJob, ga: Account
) -> None:
    page = f"{LIST}{failed.pk}/requeue/"
    for _ in range(3):
        start_export(ga)
    assert "该用户有 3 个导出任务尚未完成" in office.post(page, {"act": "1"}).content.decode()
    ExportJob.objects.exclude(pk=failed.pk).update(state="done")
    Account.objects.filter(pk=ga.pk).update(is_active=False)
    assert "该用户已停用或没有该报表的权限" in office.post(page, {"act": "1"}).content.decode()
    assert ExportJob.objects.get(pk=failed.pk).state == "failed"


def test_queued_export_cancelled_by_staff_notifies_its_owner_with_the_reason(
    office: Client, person: Account, ga: Account
) -> None:
    job = start_export(ga)
    page = f"{LIST}{job.pk}/cancel/"
    assert "请填写原因" in office.post(page, {"reason": ""}).content.decode()

    assert office.post(page, {"reason": "请分月导出"}).status_code == 302

    job = ExportJob.objects.get()
    assert (job.state, job.error) == ("cancelled", "平台工作人员已取消：请分月导出")
    deliver()
    notice = Notice.objects.get(recipient=ga)
    assert (notice.title, notice.text) == (
        f"{job.title} 导出已取消",
        "平台工作人员取消了该导出：请分月导出",
    )
    entry = LogEntry.objects.get_for_object(job).get()
    assert (entry.actor_id, entry.changes) == (
        person.pk,
        {"状态": ["排队中", "已取消"], "原因": ["", "请分月导出"]},
    )
    assert "该导出任务已结束，不能取消" in office.post(page, {"reason": "再次"}).content.decode()
    assert LogEntry.objects.get_for_object(job).count() == 1


@pytest.mark.parametrize(
    ("job", "statuses"), [("客服", [403, 403]), ("商品", [403, 403]), ("财务", [200, 403])]
)
def test_finance_looks_on_and_no_other_job_acts(
    failed: ExportJob, job: str, statuses: list[int]
) -> None:
    office = open_office(create_staff(job))
    rows = [office.get(LIST).status_code, office.post(f"{LIST}{failed.pk}/requeue/").status_code]
    assert (rows, ExportJob.objects.get().state) == (statuses, "failed")


def test_the_list_costs_the_same_however_many_there_are(
    office: Client, failed: ExportJob, ga: Account
) -> None:
    with assert_queries(6):  # session, account, user and role permissions, count, page
        office.get(LIST)
    with platform_scope(reason="test: a second group"):
        people: list[Account] = [ga, AccountFactory()]
        ExportJob.objects.bulk_create(
            ExportJob(group_id=one.group_id, owner=one, report="Order", title="x")
            for one in people * 40
        )
    with assert_queries(6):
        office.get(LIST)
