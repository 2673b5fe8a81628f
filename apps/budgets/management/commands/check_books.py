"""manage.py check_books: prove every budget's columns equal to its ledger."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from apps.budgets.selectors.books import budget_differences
from apps.common.tenancy import platform_scope


class Command(BaseCommand):
    help = "核对预算余额与流水，发现差异时以状态码 1 退出"

    def handle(self, *args: Any, **options: Any) -> None:
        with platform_scope(reason="check_books"):
            differences = budget_differences()
        for row in differences:
            self.stderr.write(f"预算 {row.budget_id} 的 {row.column}: 账面 {row.stored}，流水 {row.ledger}")
        if differences:
            sys.exit(1)
        self.stdout.write("账目相符")
