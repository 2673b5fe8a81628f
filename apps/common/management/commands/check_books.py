"""manage.py check_books: run the reconciliation checks and print every difference."""

import sys
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.common.books import list_book_checks, list_differences, run_book_repairs
from apps.common.tenancy import platform_scope


class Command(BaseCommand):
    help = (
        "由流水与单据重算库存、预算、数量、税额、开票与结算，列出每一处差异；"
        "有差异时以状态码 1 退出"
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--repair",
            action="store_true",
            help="先补全升级期间旧程序未填写的派生列（不改动金额和库存），再检查",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print each difference of the books. Exit with 1 if there is one. --repair first adds
        missing rows.
        """
        started, difference_count = time.perf_counter(), 0
        with platform_scope(reason="check_books"):
            for name, rows in run_book_repairs().items() if options["repair"] else ():
                self.stdout.write(f"[{name}] 补全 {rows} 行")
            for name, difference in list_differences():
                self.stderr.write(f"[{name}] {difference}")
                difference_count += 1
        if difference_count:
            self.stderr.write(f"共 {difference_count} 处差异")
            sys.exit(1)
        self.stdout.write(
            f"账目相符（{'、'.join(list_book_checks())}；{time.perf_counter() - started:.1f} 秒）"
        )
