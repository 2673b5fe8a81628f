"""Serve the mall with two web processes and one for background work, as `make serve`, during a
measurement: python -m bench.server PORT.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROCESSES = 2
START_SECONDS = 60


def command(port: int) -> list[str]:
    """Return the server's command line, with two processes as in the Makefile's `serve`."""
    granian = str(Path(sys.executable).with_name("granian"))
    options = [
        "--interface",
        "wsgi",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--workers",
        str(PROCESSES),
        "--blocking-threads",
        "52",
    ]
    # Without this limit the server waits without end for a worker that does not stop.
    options += ["--workers-kill-timeout", "10", "--no-ws", "--log-level", "warning"]
    return [granian, *options, "mall.wsgi:application"]


def background_command(server: int) -> list[str]:
    """Return the command line of the background work beside the server with this process id."""
    return [sys.executable, "manage.py", "run_background", "--beside", str(server)]


def settings(environment: dict[str, str]) -> dict[str, str]:
    """Return the environment with the settings for measuring."""
    return {
        **environment,
        "DJANGO_SETTINGS_MODULE": "bench.settings",
        "PYTHONPATH": str(ROOT),
        "EMBEDDED_RUNNER": "false",
    }


@contextmanager
def served(environment: dict[str, str]) -> Iterator[tuple[int, int]]:
    """Yield the port and the process id of a server on the database in `environment`. The
    server stops after the block.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    own = {**settings(environment), "ALLOWED_PORTS": str(port)}
    silent: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with (
        subprocess.Popen(command(port), cwd=ROOT, env=own, **silent) as server,
        subprocess.Popen(background_command(server.pid), cwd=ROOT, env=own, **silent) as background,
    ):
        try:
            _wait(port, server)
            yield port, server.pid
        finally:
            background.terminate()
            server.terminate()


def _wait(port: int, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/Bare", timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("the server did not start")


if __name__ == "__main__":
    line = command(int(sys.argv[1]))
    os.chdir(ROOT)
    own = settings(dict(os.environ))
    # It ends with this process.
    subprocess.Popen(background_command(os.getpid()), env=own)
    # In place of this process: who ends it ends the server, and no older one answers beside the
    # next on the same port.
    os.execve(line[0], line, own)  # noqa: S606
