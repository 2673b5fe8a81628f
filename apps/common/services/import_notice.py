"""Tell a customer how an import that ran in the background has ended. The message leads to the page
whose dialog lists the recent imports.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apps.common.background.outbox import outbox_publish
from apps.common.models.import_run import ImportRun, ImportState

ENDED_TOPIC = "import.ended"
# The parameter of a page that opens its dialog of imports.
DIALOG_PARAMETER = "Import"


@dataclass(frozen=True, slots=True)
class ImportPage:
    """Where a customer imports the sheets of a writer: the name of the import and the path."""

    title: str
    path: str


_pages: dict[str, ImportPage] = {}


def register_import_page(writer: str, *, title: str, path: str) -> None:
    """Name the page on which customers import the sheets of a writer. Call it in
    AppConfig.ready().
    """
    _pages[writer] = ImportPage(title, path)


def import_end_notify(
    *,
    run: ImportRun,
    state: ImportState,
    report: dict[str, Any],
    is_cancelled: bool,
    left_out: int,
) -> None:
    """Publish the end of a run to the customer who confirmed it, in the caller's transaction. The
    staff get no notices. `report` is the final one, `left_out` the number of wrong rows.
    """
    page, importer = _pages.get(run.writer), run.actor
    if page is None or importer is None or importer.is_staff:
        return
    if state == ImportState.DONE:
        ending, text = "已完成", f"已导入 {run.rows_written:,} 行"
        if left_out:
            ending = "已部分完成"
            text += f"，另有 {left_out:,} 行不正确未导入，可下载更正后再次导入"
    else:
        ending = "已取消" if is_cancelled else "未完成"
        text = f"已撤回 {report.get('rows_taken_back', 0):,} 行"
        if rows_left := report.get("rows_left", 0):
            text += f"，{rows_left:,} 行因后来已修改或被引用而保留"
        if not is_cancelled:
            text = f"{_describe_first_refusal(report)}，{text}，请核对后重新导入"
    payload = {
        "To": [importer.pk],
        "Title": f"{page.title}{ending}",
        "Text": text,
        "Link": f"{page.path}?{DIALOG_PARAMETER}=1",
        "SubjectKey": f"import:{run.pk}",
        "Once": str(run.pk),
    }
    outbox_publish(topic=ENDED_TOPIC, key=str(run.pk), payload=payload)


def _describe_first_refusal(report: dict[str, Any]) -> str:
    """Return why the run was taken back."""
    refusals = report.get("refusals") or [(0, "", "有行不能写入")]
    number, header, message = refusals[0]
    place = f"第 {number} 行" if number else ""
    column = f"「{header}」" if header else ""
    return f"{place}{column}：{message}" if place or column else str(message)
