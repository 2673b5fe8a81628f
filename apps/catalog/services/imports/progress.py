"""The progress of the newest import of a kind, for users who left its page or whose process
died.
"""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from apps.catalog.services.imports.writer import WRITER, report_of
from apps.common.days import moment_text
from apps.common.models import ImportRun
from apps.common.models.import_run import OPEN, ImportState

TOLD_FOR = timedelta(days=1)
MOST_ERRORS = 3


def import_progress(*, kind: str) -> str:
    """Return a Chinese text with the progress or the result of the newest import. Empty if
    there was none in the last day.
    """
    recent = Q(state__in=OPEN) | Q(ended_at__gt=timezone.now() - TOLD_FOR)
    run = (
        ImportRun.objects.filter(recent, writer=WRITER, kind=kind)
        .select_related("actor")
        .order_by("-pk")
        .first()
    )
    if run is None:
        return ""
    by = run.actor.nickname if run.actor else "系统"
    return f"{by} {moment_text(run.made_at)} 确认的导入：{_told(run)}"


def _told(run: ImportRun) -> str:
    if run.state in OPEN:
        is_stopped = not run.holder or run.held_until < timezone.now()
        stopped = "，已中断，将在一分钟内自动继续" if is_stopped else ""
        if run.state == ImportState.WRITING:
            return (
                f"正在写入，已写入 {run.rows_written:,} / {run.rows:,} 行{stopped}。"
                "刷新页面可查看进度。"
            )
        return f"有行不能写入，正在撤回，还剩 {run.rows_written:,} 行{stopped}。"
    report = report_of(run)
    if report.applied:
        return f"已完成。{report.summary}"
    errors = "；".join(str(error) for error in report.errors[:MOST_ERRORS])
    return f"未能完成，已全部撤回。{errors}"
