"""Staff requeue or cancel a customer's export. The rights of the owner and the limit of three
open exports apply.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from apps.common.audit import act_log
from apps.common.errors import Forbidden, WrongState
from apps.common.tenancy import tenant_scope
from apps.reports.enums import ExportState
from apps.reports.models import ExportJob
from apps.reports.selectors.question import allow_report
from apps.reports.services.export_run import owner_tell
from apps.reports.services.export_start import export_end, export_queue_again, refuse_more


@transaction.atomic
def export_requeue_by_staff(*, staff: Any, job_id: int) -> None:
    """Queue a failed, cancelled or expired export again, with its original filters and days.
    Writes a log entry.

    Raises:
        WrongState: the export is in another state, its owner has lost the report's menu code, or
            the owner has three unfinished exports.
    """
    job = _job(job_id)
    # The outbox delivers a message in the scope in which it was published. This must be the
    # owner's group, not the whole platform.
    with tenant_scope(group_id=job.group_id):
        _refuse_without_right(job)
        refuse_more(job.owner, "该用户")
        export_queue_again(job)
    act_log(
        subject=job,
        staff=staff,
        changes={"状态": (job.get_state_display(), ExportState.QUEUED.label)},
    )


@transaction.atomic
def export_cancel_by_staff(*, staff: Any, job_id: int, reason: str) -> None:
    """Cancel a queued or running export. Notifies its owner with the reason and writes a log
    entry.

    Raises:
        WrongState: the export has already ended.
    """
    job = _job(job_id)
    with tenant_scope(group_id=job.group_id):
        export_end(job, f"平台工作人员已取消：{reason}"[:200])
        owner_tell(job, title=f"{job.title} 导出已取消", text=f"平台工作人员取消了该导出：{reason}")
    act_log(
        subject=job,
        staff=staff,
        changes={
            "状态": (job.get_state_display(), ExportState.CANCELLED.label),
            "原因": ("", reason),
        },
    )


def _job(pk: int) -> ExportJob:
    job: ExportJob = ExportJob.objects.select_related("owner").get(pk=pk)
    return job


def _refuse_without_right(job: ExportJob) -> None:
    try:
        if not job.owner.is_active:
            raise Forbidden
        allow_report(job.owner, job.report)
    except Forbidden as error:
        raise WrongState("该用户已停用或没有该报表的权限，不能重新排队") from error
