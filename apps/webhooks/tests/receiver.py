"""A partner's server, real, on this machine: it checks signatures as docs/api.md says and remembers what it was sent."""

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
    """`answers` are given in turn, the last one for ever: (status, body); `pause` is how long it thinks."""

    port: int = 0
    answers: list[tuple[int, bytes]] = field(default_factory=lambda: [(200, b"ok")])
    pause: float = 0.0
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        """The host as WEBHOOK_INNER_HOSTS names it."""
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}/hook?from=mall"

    @property
    def events(self) -> list[dict[str, Any]]:
        """The bodies it was sent, taken apart."""
        return [json.loads(body) for _, body in self.got]


@contextmanager
def receiving() -> Generator[Receiver]:
    """Run one for the block."""
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
            # Who has asked may have been killed meanwhile.
            with suppress(BrokenPipeError, ConnectionResetError):
                self.end_headers()
                self.wfile.write(answer)

        def log_message(self, *_args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.port = server.server_port
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
