"""manage.py run_recurring_orders: send the reminders and place the orders that are due. The
periodic job `recurring.run` does the same.
"""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand

from apps.common.tenancy import platform_scope
from apps.recurring.services.recurring_run import recurring_orders_run


class Command(BaseCommand):
    help = "定期采购：发送提醒并为到期的定期采购下单（后台任务每 10 分钟自动执行）"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--date", type=date.fromisoformat, help="按这一天执行，默认今天")

    def handle(self, *_args: Any, **options: Any) -> None:
        with platform_scope(reason="run_recurring_orders"):
            count = recurring_orders_run(today=options["date"])
        self.stdout.write(f"已处理 {count} 个到期的定期采购")
