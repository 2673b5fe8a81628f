"""The production server on a free port during a run."""

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.database import is_sqlite

ROOT = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 120
LOGS = ROOT / "var" / "e2e"
MALL = "mall.wsgi:application"


class NotReady(Exception):
    """The server has ended or does not answer. The message is the end of its log."""


def get_free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def why_not_ready(address: str) -> str:
    """Return the missing parts reported by `address`/readyz; "" if it is ready."""
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=5):
            return ""
    except urllib.error.HTTPError as answer:
        return answer.read().decode(errors="replace")
    except OSError as error:
        return str(error)


@contextmanager
def server(environment: dict[str, str], application: str = MALL) -> Iterator[str]:
    """Yield the address of a ready server. A server with another entry point than the mall's
    has its own log.

    Raises:
        NotReady: it ended, or did not become ready within two minutes.
    """
    port = get_free_port()
    address = f"http://127.0.0.1:{port}"
    command = [
        ".venv/bin/granian",
        "--interface",
        "wsgi",
        "--port",
        str(port),
        "--blocking-threads",
        "4",
        "--no-ws",
    ]
    # Two workers show what only one process of the mall knows: on PostgreSQL, as in production. On
    # SQLite one starts in half the processor time and sends its own messages at once.
    is_shared = application == MALL and not is_sqlite(environment)
    command += ["--workers", "2" if is_shared else "1"]
    entry = "server" if application == MALL else application.partition(":")[0]
    path = LOGS / f"{entry}-{environment.get('MALL_LANE', '0')}.log"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as log:
        process = subprocess.Popen(
            [*command, application],
            cwd=ROOT,
            # Behind a proxy the server does not know its own port.
            env={
                **environment,
                "ALLOWED_PORTS": str(port),
                "PASSKEY_ORIGINS": f"http://localhost:{port}",
            },
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            deadline = time.monotonic() + WAIT_SECONDS
            while missing := why_not_ready(address):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise NotReady(
                        "\n".join([*path.read_text(errors="replace").splitlines()[-20:], missing])
                    )
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                # The workers are processes of its own; they would stay and keep the database open.
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
