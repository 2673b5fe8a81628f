"""The production server on a free port, for as long as a run needs it."""

import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 60
LOG = ROOT / "var" / "e2e" / "server.log"
MALL = "mall.wsgi:application"


class NotReady(Exception):
    """The server has ended or does not answer; the message is the end of its log."""


def free_port() -> int:
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def why_not_ready(address: str) -> str:
    """Return what `address`/readyz says is missing; empty when all is there."""
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=5):
            return ""
    except urllib.error.HTTPError as answer:
        return answer.read().decode(errors="replace")
    except OSError as error:
        return str(error)


@contextmanager
def server(environment: dict[str, str], application: str = MALL) -> Iterator[str]:
    """Yield the address of a server that is ready; one of another entry than the mall's own keeps a log of its own.

    Raises:
        NotReady: it ended, or did not become ready in a minute.
    """
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [".venv/bin/granian", "--interface", "wsgi", "--port", str(port), "--workers", "2", "--blocking-threads", "4", "--no-ws"]
    path = LOG if application == MALL else LOG.with_name(f"{application.partition(':')[0]}.log")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as log:
        process = subprocess.Popen([*command, application], cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            deadline = time.monotonic() + WAIT_SECONDS
            while missing := why_not_ready(address):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise NotReady("\n".join([*path.read_text(errors="replace").splitlines()[-20:], missing]))
                time.sleep(0.2)
            yield address
        finally:
            process.terminate()
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                process.kill()
