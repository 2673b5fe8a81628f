"""Assert the exact number of queries."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext

FRAME = ("SAVEPOINT", "RELEASE SAVEPOINT", "BEGIN", "COMMIT")


@contextmanager
def assert_queries(expected: int) -> Generator[None]:
    """Fail unless the block runs exactly `expected` queries. Transaction statements are not
    counted, because they differ between databases.
    """
    with CaptureQueriesContext(connection) as captured:
        yield
    queries = [
        query["sql"] for query in captured.captured_queries if not query["sql"].startswith(FRAME)
    ]
    assert len(queries) == expected, "\n".join(
        [f"{len(queries)} queries instead of {expected}:", *queries]
    )
