"""A local HTTP server with the OpenAI API. It returns the answers that the test wrote."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any


def build_text_chunks(*pieces: str) -> list[dict[str, Any]]:
    """Return the chunks of a text answer, with its token usage at the end."""
    return [build_chunk({"content": piece}) for piece in pieces] + [
        build_chunk({}, "stop"),
        build_usage_chunk(120, 30),
    ]


def build_call_chunks(*asked: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the chunks of an answer with tool calls. Each call comes in two chunks, as real
    services send it.
    """
    pieces = []
    for index, (name, arguments) in enumerate(asked):
        written = json.dumps(arguments)
        half = len(written) // 2
        pieces.append(
            build_chunk(
                {
                    "tool_calls": [
                        {
                            "index": index,
                            "id": f"c{index}",
                            "function": {"name": name, "arguments": written[:half]},
                        }
                    ]
                }
            )
        )
        pieces.append(
            build_chunk(
                {"tool_calls": [{"index": index, "function": {"arguments": written[half:]}}]}
            )
        )
    return [*pieces, build_chunk({}, "tool_calls")]


def build_chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return {
        "id": "x",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "stand-in",
        "choices": [choice],
    }


def build_usage_chunk(prompt: int, completion: int) -> dict[str, Any]:
    usage = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
    return {
        "id": "x",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "stand-in",
        "choices": [],
        "usage": usage,
    }


@dataclass
class StandIn:
    """`script` has one entry per request: a list of chunks, or an HTTP error status. A chunk
    can also be `silent` (send nothing more, but keep the connection open) or `cut` (close
    the connection).
    """

    script: list[Any] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    left: Event = field(default_factory=Event)
    let_go: Event = field(default_factory=Event)
    url: str = ""


@contextmanager
def standing_in() -> Generator[StandIn]:
    """Run the server for the block."""
    model = StandIn()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            model.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            answer = model.script.pop(0)
            if isinstance(answer, int):
                self.send_error(answer)
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for piece in answer:
                if piece == "silent":
                    model.let_go.wait(20)
                    return
                if piece == "cut":
                    return
                try:
                    self.wfile.write(f"data: {json.dumps(piece)}\n\n".encode())
                    self.wfile.flush()
                except OSError:
                    model.left.set()
                    return
            self.wfile.write(b"data: [DONE]\n\n")

        def log_message(self, *_args: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    model.url = f"http://127.0.0.1:{server.server_port}/v1"
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield model
    finally:
        model.let_go.set()
        server.shutdown()
        server.server_close()
