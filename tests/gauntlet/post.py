"""A mail server that can be slow: it keeps the letters it has accepted, and tells when somebody has begun to send one."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Generator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

PATIENCE = 60


class _Talk(socketserver.StreamRequestHandler):
    """The least of SMTP that a sender needs."""

    server: PostOffice

    def handle(self) -> None:
        self._say("220 post office")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"MAIL":
                self.server.begun.set()
                self.server.open.wait(PATIENCE)
            if verb == b"DATA":
                self._say("354 go on")
                if not self._taken():
                    return
            self._say("221 bye" if verb == b"QUIT" else "250 well")
            if verb == b"QUIT":
                return

    def _taken(self) -> bool:
        """Keep the letter; False where its sender has gone before its end."""
        lines: list[bytes] = []
        for line in iter(self.rfile.readline, b".\r\n"):
            if not line:
                return False
            lines.append(line[1:] if line.startswith(b"..") else line)
        self.server.letters.append(message_from_bytes(b"".join(lines), policy=policy.default))
        return True

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class PostOffice(socketserver.ThreadingTCPServer):
    """`begun` is set by who sends; he waits as long as it is not `open`."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Talk)
        self.letters: list[EmailMessage] = []
        self.begun, self.open = threading.Event(), threading.Event()

    @property
    def url(self) -> str:
        """Return its address as EMAIL_URL has it."""
        return f"smtp://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_of: object) -> None:
        """Whoever is killed while he sends leaves his connection broken."""


@contextmanager
def post_office() -> Generator[PostOffice]:
    """Yield a mail server that serves until the block ends."""
    with PostOffice() as office:
        threading.Thread(target=office.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
        yield office
        office.open.set()
        office.shutdown()
