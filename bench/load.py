"""HTTP load: a keep-alive client, latency and throughput."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OK = b'"Success":true'


@dataclass(frozen=True, slots=True)
class Ask:
    """One request; `bearer` may be empty."""

    method: str
    path: str
    bearer: str = ""
    body: Any = None
    key: str = ""
    # The address of the client, as a proxy in front writes it: for a server with TRUSTED_PROXIES=1.
    address: str = ""

    def bytes(self) -> bytes:
        """Return the request as bytes."""
        raw = b"" if self.body is None else json.dumps(self.body).encode()
        head = [
            f"{self.method} {self.path} HTTP/1.1",
            "Host: 127.0.0.1",
            "Accept: application/json",
            f"Content-Length: {len(raw)}",
        ]
        if raw:
            head.append("Content-Type: application/json")
        if self.bearer:
            head.append(f"Authorization: Bearer {self.bearer}")
        if self.key:
            head.append(f"Idempotency-Key: {self.key}")
        if self.address:
            head.append(f"X-Forwarded-For: {self.address}")
        return "\r\n".join([*head, "", ""]).encode() + raw


class Client:
    """One keep-alive connection."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, ask: Ask) -> float:
        """Return the milliseconds until the answer. Any answer but a success ends the
        measurement.
        """
        began = time.perf_counter()
        head, body = await self.answer(ask)
        taken = (time.perf_counter() - began) * 1000
        if b" 200 " not in head[:20] or (ask.bearer and OK not in body[:200]):
            raise SystemExit(f"{ask.method} {ask.path}: {head[:60]!r} {body[:300]!r}")
        return taken

    async def answer(self, ask: Ask) -> tuple[bytes, bytes]:
        """Return the head and the body of the answer, whatever its status."""
        raw = ask.bytes()
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        reader, writer = self.streams
        writer.write(raw)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        )
        return head, await reader.readexactly(length)

    def close(self) -> None:
        """Close the connection."""
        if self.streams is not None:
            self.streams[1].close()


def measure_in_turns(
    port: int, asks: dict[str, Callable[[int], Ask]], rounds: int
) -> dict[str, float]:
    """Return the median milliseconds of each request at one client. Requests alternate, so that
    other load affects all equally.
    """

    async def run() -> dict[str, list[float]]:
        client = Client(port)
        taken: dict[str, list[float]] = {name: [] for name in asks}
        for number in range(rounds + 3):
            for name, ask in asks.items():
                milliseconds = await client.ask(ask(number))
                if number >= 3:
                    taken[name].append(milliseconds)
        client.close()
        return taken

    return {name: statistics.median(taken) for name, taken in asyncio.run(run()).items()}


def count_per_second(
    port: int, ask: Callable[[int], Ask], *, clients: int, seconds: float
) -> float:
    """Return the answers per second with several clients. `ask` receives the number of the
    request.
    """

    async def run() -> float:
        number, end = 0, time.perf_counter() + seconds

        async def one() -> None:
            nonlocal number
            client = Client(port)
            while time.perf_counter() < end:
                number += 1
                await client.ask(ask(number))
            client.close()

        began = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(clients)))
        return number / (time.perf_counter() - began)

    return asyncio.run(run())


def get_cpu_seconds(server: int) -> float:
    """Return the CPU seconds so far of a process and its direct children, from /proc."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if server in (int(path.parent.name), int(fields[1])):
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
