"""The process of background work lives as long as the web server beside it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from django.conf import settings

SECONDS = 60


def run_background(beside: subprocess.Popen[bytes], folder: Path) -> subprocess.Popen[bytes]:
    # The database has no tables yet: the runner waits for them.
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{folder / 'empty.sqlite3'}"}
    return subprocess.Popen(
        [sys.executable, "manage.py", "run_background", "--beside", str(beside.pid)],
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def test_background_process_ends_with_the_web_server(tmp_path: Path) -> None:
    # `make serve` starts it again unless it ends with 0.
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as server:
        background = run_background(server, tmp_path)
        assert background.poll() is None
        server.communicate(b"\n")
    assert background.wait(SECONDS) == 0


def test_background_process_ends_on_sigterm(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as server:
        background = run_background(server, tmp_path)
        while not Path(tmp_path / "empty.sqlite3").exists():
            assert background.poll() is None
        background.send_signal(signal.SIGTERM)
        assert background.wait(SECONDS) == 0
        server.communicate(b"\n")
