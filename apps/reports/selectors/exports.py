"""The exports of a person and their files, with the access checks of a download."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from apps.common.errors import Forbidden, WrongState
from apps.common.models import StoredFile
from apps.common.numbers import parse_key
from apps.org.menus import MenuCode
from apps.org.models import Account
from apps.reports.enums import INVOICE_ARCHIVE, ExportState
from apps.reports.errors import ExportNotFound
from apps.reports.models import ExportJob
from apps.reports.selectors.question import MENU_OF

S = ExportState
EXPORT_MENU_OF: dict[str, str] = {**MENU_OF, INVOICE_ARCHIVE: MenuCode.INVOICE_LIST}
NOT_READY: dict[str, str] = {
    S.QUEUED: "文件还在排队生成，请稍候再下载",
    S.RUNNING: "文件正在生成，请稍候再下载",
    S.FAILED: "导出失败，请重新导出",
    S.CANCELLED: "导出已取消，请重新导出",
    S.EXPIRED: "文件已超过 7 天保留期，请重新导出",
}
NARROWED = "您的数据范围已变更，此前导出的文件不再提供下载，请重新导出"


def allow_export(actor: Account, kind: str) -> None:
    """Check that the actor may export this: a report or the files of invoices.

    Raises:
        Forbidden: the actor does not have its menu code.
    """
    if not actor.has_menu_code(EXPORT_MENU_OF[kind]):
        raise Forbidden


def list_exports(*, actor: Account) -> QuerySet[ExportJob]:
    """Return the actor's own exports, the latest first."""
    rows: QuerySet[ExportJob] = (
        ExportJob.objects.filter(owner=actor).select_related("file").order_by("-pk")
    )
    return rows


def get_export(*, actor: Account, pk: str) -> ExportJob:
    """Return one of the actor's own exports.

    Raises:
        ExportNotFound: the actor has no such export.
    """
    job = list_exports(actor=actor).filter(pk=parse_key(pk)).first()
    if job is None:
        raise ExportNotFound
    return job


def export_file(*, actor: Account, pk: str) -> StoredFile:
    """Return the file of an export.

    Raises:
        ExportNotFound: the actor has no such export.
        Forbidden: the actor no longer has the report's menu code.
        WrongState: the file is not ready or has expired, or the actor's data scope has changed
            since.
    """
    job = get_export(actor=actor, pk=pk)
    allow_export(actor, job.report)
    is_over = job.expires_at is not None and job.expires_at <= timezone.now()
    state = S.EXPIRED if job.state == S.DONE and (is_over or job.file is None) else S(job.state)
    if state != S.DONE or job.file is None:
        raise WrongState(NOT_READY[state])
    if job.seen_as != seen_as(actor, job.report):
        raise WrongState(NARROWED)
    return job.file


def seen_as(actor: Account, report: str) -> str:
    """Return the actor's data scope in a report as one string: scope, enterprise and
    department.
    """
    scope = actor.get_data_scope(EXPORT_MENU_OF[report])
    return f"{scope.value}:{actor.enterprise_id}:{actor.department_id}"
