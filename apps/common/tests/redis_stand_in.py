"""A small Redis server with a few commands on its own port. Tests can simulate an outage
without an installed Redis.
"""

from __future__ import annotations

import socket
import socketserver
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar


class Connection(socketserver.StreamRequestHandler):
    """One connection. The counters are class attributes, so all connections share them."""

    values: ClassVar[dict[str, tuple[int, float]]] = {}
    sockets: ClassVar[list[Connection]] = []

    def handle(self) -> None:
        self.sockets.append(self)
        queued: list[list[str]] | None = None
        while (command := self._command()) is not None:
            name = command[0].upper()
            if name == "MULTI":
                queued, answer = [], b"+OK\r\n"
            elif name == "EXEC":
                answers = [self._run(one) for one in queued or []]
                queued, answer = None, b"*%d\r\n%s" % (len(answers), b"".join(answers))
            elif queued is not None:
                queued.append(command)
                answer = b"+QUEUED\r\n"
            else:
                answer = self._run(command)
            self.wfile.write(answer)

    def _command(self) -> list[str] | None:
        try:
            line = self.rfile.readline()
            if not line:
                return None
            return [
                self.rfile.read(int(self.rfile.readline()[1:]) + 2)[:-2].decode()
                for _ in range(int(line[1:]))
            ]
        except OSError:
            return None

    def _run(self, command: list[str]) -> bytes:
        name, *rest = command
        answers: dict[str, Callable[..., bytes]] = {
            "SET": self._set,
            "INCRBY": self._incrby,
            "PTTL": self._pttl,
            "GET": self._get,
            "DEL": self._del,
        }
        return answers[name.upper()](*rest) if name.upper() in answers else b"+OK\r\n"

    def _alive(self, key: str) -> tuple[int, float] | None:
        value = self.values.get(key)
        return value if value and value[1] > time.monotonic() else None

    def _set(self, key: str, value: str, *options: str) -> bytes:
        if self._alive(key):
            return b"$-1\r\n"
        self.values[key] = (int(value), time.monotonic() + int(options[options.index("EX") + 1]))
        return b"+OK\r\n"

    def _incrby(self, key: str, amount: str) -> bytes:
        count, end = self._alive(key) or (0, time.monotonic() + 60)
        self.values[key] = (count + int(amount), end)
        return b":%d\r\n" % self.values[key][0]

    def _pttl(self, key: str) -> bytes:
        return b":%d\r\n" % ((self.values[key][1] - time.monotonic()) * 1000)

    def _get(self, key: str) -> bytes:
        value = self._alive(key)
        text = str(value[0]).encode() if value else b""
        return b"$%d\r\n%s\r\n" % (len(text), text) if value else b"$-1\r\n"

    def _del(self, key: str) -> bytes:
        return b":%d\r\n" % (self.values.pop(key, None) is not None)


class RedisStandIn:
    """`stop` cuts the connections and loses the counters; `start` again uses the same port."""

    def __init__(self) -> None:
        self.port = 0
        self._server: socketserver.ThreadingTCPServer | None = None

    def start(self) -> None:
        socketserver.ThreadingTCPServer.allow_reuse_address = True
        server = socketserver.ThreadingTCPServer(("127.0.0.1", self.port), Connection)
        server.daemon_threads = True
        self.port, self._server = server.server_address[1], server
        threading.Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        ).start()

    def stop(self) -> None:
        assert self._server is not None
        self._server.shutdown()
        self._server.server_close()
        while Connection.sockets:
            with suppress(OSError):
                Connection.sockets.pop().connection.shutdown(socket.SHUT_RDWR)
        Connection.values.clear()
