"""manage.py run_background --beside PID: deliver the outbox and run the periodic jobs in a process
of its own, as long as the web server with this process id runs.
"""

import os
import signal
import sys
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from apps.common.background.runner import OWN_PROCESS_POLL_SECONDS, Runner, start_threads

# The web processes get the processor first.
NICENESS = 10
LOOK_SECONDS = 0.5


class Command(BaseCommand):
    help = "在独立进程中投递消息并执行定时任务，直到网站进程结束（不使用 Celery 时）"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--beside", type=int, required=True, metavar="PID", help="网站的进程号")

    def handle(self, *args: Any, **options: Any) -> None:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())
        os.nice(NICENESS)
        start_threads(Runner(OWN_PROCESS_POLL_SECONDS))
        try:
            while _is_running(options["beside"]):
                time.sleep(LOOK_SECONDS)
        except KeyboardInterrupt:
            self.stdout.write("后台任务已停止")


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
