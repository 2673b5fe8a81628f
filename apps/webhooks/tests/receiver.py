"""A real local HTTP server in the role of the partner. It checks signatures as docs/api.md
describes and stores what it receives.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """`answers` are (status, body) pairs used in turn, the last one repeatedly; `pause` delays
    each response.
    """

    port: int = 0
    answers: list[tuple[int, bytes]] = field(default_factory=lambda: [(200, b"ok")])
    pause: float = 0.0
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        """Return the host and port for WEBHOOK_INNER_HOSTS."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/hook?from=mall"

    @property
    def events(self) -> list[dict[str, Any]]:
        """Return the received bodies, parsed."""
        return [json.loads(body) for _, body in self.got]


@contextmanager
def receiving() -> Generator[Receiver]:
    """Run a receiver for the block."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.got.append((dict(self.headers.items()), body))
            status, answer = receiver.answers[min(len(receiver.got), len(receiver.answers)) - 1]
            time.sleep(receiver.pause)
            self.send_response(status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer)))
            # The client may have closed the connection in the meantime.
            with suppress(BrokenPipeError, ConnectionResetError):
                self.end_headers()
                self.wfile.write(answer)

        def log_message(self, *_args: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.port = server.server_port
    threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
    ).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
