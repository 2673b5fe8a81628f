"""Exact query counts: five means five, never "at most"."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext

FRAME = ("SAVEPOINT", "RELEASE SAVEPOINT", "BEGIN", "COMMIT")


@contextmanager
def assert_queries(expected: int) -> Generator[None]:
    """Fail unless the block runs exactly so many queries; what frames a transaction is not counted, it differs between databases."""
    with CaptureQueriesContext(connection) as captured:
        yield
    queries = [query["sql"] for query in captured.captured_queries if not query["sql"].startswith(FRAME)]
    assert len(queries) == expected, "\n".join([f"{len(queries)} queries instead of {expected}:", *queries])
