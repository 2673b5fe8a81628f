"""manage.py rebuild_reports: rebuild the read models of all reports."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.common.tenancy import platform_scope
from apps.reports.services.facts import facts_rebuild


class Command(BaseCommand):
    help = "从订单、签收、退货与发票重建报表数据；可在运行中执行，内存占用不随数据量增长"

    def add_arguments(self, parser: CommandParser) -> None:
        """`--group` limits the rebuild to the group with this key."""
        parser.add_argument("--group", type=int, default=None, help="只重建该集团（编号）")

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild the facts and print the number of changed rows."""
        with platform_scope(reason="rebuild_reports"):
            changed_count = facts_rebuild(group_id=options["group"], write_line=self.stdout.write)
        self.stdout.write(f"共变动 {changed_count} 行")
