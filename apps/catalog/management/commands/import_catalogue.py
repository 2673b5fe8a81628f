"""manage.py import_catalogue --kind products FILE [--dry-run]. Uses the same service as the
import pages of the admin.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.catalog.errors import ImportRefused, ImportUnderWay
from apps.catalog.services.imports import (
    IMPORTERS,
    ImportReport,
    SheetFile,
    import_apply,
    import_preview,
)
from apps.common.tenancy import platform_scope

MAX_ERRORS_PRINTED = 50


class Command(BaseCommand):
    help = "导入商品目录、价格、协议和库存（.xlsx 或 .csv），全部成功或全部不写入"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--kind", required=True, choices=sorted(IMPORTERS))
        parser.add_argument("--dry-run", action="store_true", help="只预览，不写入")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Import the file, or check it only with --dry-run, and print the report."""
        path: Path = options["file"]
        if not path.is_file():
            raise CommandError(f"找不到文件：{path}")
        run = import_preview if options["dry_run"] else import_apply
        with platform_scope(reason="import_catalogue"):
            try:
                report = run(actor=None, kind=options["kind"], source=SheetFile.from_path(path))
            except ImportUnderWay as under_way:
                raise CommandError(under_way.text) from under_way
            except ImportRefused as refused:
                report = refused.report
        self._print_report(report)
        if not report.is_clean:
            outcome = report.taken_back_text or "未导入任何数据"
            raise CommandError(f"{outcome}，请按提示修改后重试")

    def _print_report(self, report: ImportReport) -> None:
        self.stdout.write(report.summary)
        for error in [*report.stayed, *report.errors][:MAX_ERRORS_PRINTED]:
            self.stdout.write(f"  {error}")
        if report.error_count > MAX_ERRORS_PRINTED:
            self.stdout.write(f"  …另有 {report.error_count - MAX_ERRORS_PRINTED} 处错误")
