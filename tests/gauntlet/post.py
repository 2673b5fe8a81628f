"""A mail server that can be slow. It keeps accepted letters and reports when a client starts to
send.
"""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Generator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

PATIENCE = 60


class _Talk(socketserver.StreamRequestHandler):
    """The minimum of SMTP that a client needs."""

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
        """Store the letter. Return False if the client disconnected before its end."""
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
    """Sets `begun` when a client sends; the client waits until `open` is set."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Talk)
        self.letters: list[EmailMessage] = []
        self.begun, self.open = threading.Event(), threading.Event()

    @property
    def url(self) -> str:
        """Return the address in the format of EMAIL_URL."""
        return f"smtp://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_of: object) -> None:
        """Ignore broken connections of killed clients."""


@contextmanager
def post_office() -> Generator[PostOffice]:
    """Yield a mail server that runs during the block."""
    with PostOffice() as office:
        threading.Thread(
            target=office.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True
        ).start()
        yield office
        office.open.set()
        office.shutdown()
