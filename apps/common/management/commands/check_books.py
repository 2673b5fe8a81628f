"""manage.py check_books: run the reconciliation checks and print every difference."""

import sys
import time
from typing import Any

from django.core.management.base import BaseCommand

from apps.common.books import list_book_checks, list_differences
from apps.common.tenancy import platform_scope


class Command(BaseCommand):
    help = (
        "由流水与单据重算库存、预算、数量、税额、开票与结算，列出每一处差异；"
        "有差异时以状态码 1 退出"
    )

    def handle(self, *args: Any, **options: Any) -> None:
        began, differences = time.perf_counter(), 0
        with platform_scope(reason="check_books"):
            for name, difference in list_differences():
                self.stderr.write(f"[{name}] {difference}")
                differences += 1
        if differences:
            self.stderr.write(f"共 {differences} 处差异")
            sys.exit(1)
        self.stdout.write(
            f"账目相符（{'、'.join(list_book_checks())}；{time.perf_counter() - began:.1f} 秒）"
        )
