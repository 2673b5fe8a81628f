"""The mall's PostgreSQL backend: prepared statements and connection health."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.common.sql import fetch_prepared

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
PREPARED = "SELECT COUNT(*) FROM pg_prepared_statements WHERE statement LIKE %s"


def count_prepared(like: str) -> int:
    """Return the number of prepared statements of this connection."""
    with connection.cursor() as cursor:
        cursor.execute(PREPARED, [like])
        return int(cursor.fetchone()[0])


def hang_up() -> None:
    """Let the server close this process's connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid = cursor.fetchone()[0]
    with connection.copy().cursor() as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        other.db.close()


def test_a_statement_is_prepared_once() -> None:
    assert [fetch_prepared("SELECT %s::int + 1", [number]) for number in (1, 2)] == [[(2,)], [(3,)]]
    assert count_prepared("SELECT $1::int + 1") == 1


def test_jit_compilation_is_disabled() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW jit")
        assert cursor.fetchone() == ("off",)


def test_orm_statements_are_not_prepared() -> None:
    for _ in range(10):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 42")
    assert count_prepared("SELECT 42") == 0


def test_a_prepared_statement_is_counted_with_its_parameters() -> None:
    with CaptureQueriesContext(connection) as captured:
        fetch_prepared("SELECT %s::text", ["笔"])
    assert [query["sql"] for query in captured.captured_queries] == ["SELECT '笔'::text"]


def test_prepared_statement_survives_a_changed_column_type() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE hot_test AS SELECT 'a'::varchar(10) AS name")
    try:
        assert fetch_prepared("SELECT name FROM hot_test", []) == [("a",)]
        other = connection.copy()
        with other.cursor() as cursor:
            cursor.execute("ALTER TABLE hot_test ALTER name TYPE varchar(20)")
        other.close()
        assert fetch_prepared("SELECT name FROM hot_test", []) == [("a",)]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE hot_test")


def test_connection_check_takes_no_query_and_detects_a_hang_up() -> None:
    connection.ensure_connection()
    assert connection.is_usable()
    hang_up()
    assert not connection.is_usable()
    connection.close()
