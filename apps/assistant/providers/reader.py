"""Read a model's stream in a separate thread, so that the request's thread can send keep-alive
events and stop early.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Thread
from typing import Any

HEARTBEAT_SECONDS = 10.0
# If the model is faster than the client, its thread waits for room in the queue and checks at this
# interval whether the reader was closed.
MOST_WAITING, LOOK_SECONDS = 64, 0.5


class Broken(Exception):
    """The stream could not be opened, broke off, fell silent, or took too long."""


class _End:
    """The last item of the queue: how the stream ended."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class Reader:
    """Opens and reads the stream. `pieces` yields its pieces; `close` stops it from another
    thread.
    """

    def __init__(self, open_stream: Callable[[], Any], *, silence: float, end: float) -> None:
        self._open, self._silence, self._end = open_stream, silence, end
        self._queue: Queue[Any] = Queue(MOST_WAITING)
        self._stream: Any = None
        self._is_closed = False
        self._thread = Thread(target=self._read, name="assistant-model", daemon=True)

    def pieces(self) -> Generator[Any]:
        """Yield the pieces as they arrive, and None after every 10 s without one.

        Raises:
            Broken: the stream failed, sent nothing for `silence` seconds, or `end` has passed.
        """
        self._thread.start()
        last = time.monotonic()
        while True:
            now = time.monotonic()
            if now - last >= self._silence or now >= self._end:
                raise Broken("silent")
            try:
                piece = self._queue.get(
                    timeout=min(HEARTBEAT_SECONDS, self._silence - (now - last), self._end - now)
                )
            except Empty:
                yield None
                continue
            if isinstance(piece, _End):
                if piece.error is not None:
                    raise Broken(type(piece.error).__name__) from piece.error
                return
            last = time.monotonic()
            yield piece

    def close(self) -> None:
        """Close the stream; its thread ends too."""
        self._is_closed = True
        if self._stream is not None:
            with suppress(Exception):
                self._stream.close()

    def _read(self) -> None:
        try:
            self._stream = self._open()
            for piece in self._stream:
                if not self._put(piece):
                    return
        except Exception as error:  # noqa: BLE001
            self._put(_End(error))
        else:
            self._put(_End(None))
        finally:
            self.close()

    def _put(self, piece: Any) -> bool:
        """Queue a piece when there is room. Return False if the reader was closed."""
        while not self._is_closed:
            with suppress(Full):
                self._queue.put(piece, timeout=LOOK_SECONDS)
                return True
        return False
