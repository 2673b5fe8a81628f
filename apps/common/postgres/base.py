"""Django's PostgreSQL backend with two additions: the socket shows whether a connection is
usable, and a cursor prepares its statements once per connection.
"""

from __future__ import annotations

import select
from typing import Any

from django.db.backends.postgresql import base, operations
from django.db.backends.utils import CursorWrapper

# psycopg would prepare ORM statements after this many runs on a connection. Only PreparedCursor
# prepares statements.
NEVER = 10**9


class PreparedCursor(base.ServerBindingCursor):
    """Prepare each statement at its first run. PostgreSQL stops planning it once a generic plan
    fits all parameters.
    """

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        """Run the statement as a prepared statement."""
        return super().execute(query, params, prepare=True, **options)  # type: ignore[misc]


class DatabaseOperations(operations.DatabaseOperations):
    """Django's operations, which can also show the last query of a prepared cursor."""

    def last_executed_query(self, cursor: Any, sql: Any, params: Any) -> str:
        """Return the statement with its parameters filled in."""
        if isinstance(cursor, PreparedCursor):
            return str(self.compose_sql(sql, params))
        return str(super().last_executed_query(cursor, sql, params))


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's connection with `prepared_cursor`. With PREPARE_STATEMENTS=false nothing is
    prepared, for connection poolers without support for it.
    """

    ops_class = DatabaseOperations

    def get_connection_params(self) -> dict[str, Any]:
        """Allow explicit prepared statements, and switch off JIT compilation.

        JIT takes a second for a statement that runs for ten milliseconds. A pooler may refuse the
        option; then the server's setting applies.
        """
        params: dict[str, Any] = super().get_connection_params()
        prepared = params.pop("prepared", False)
        params["prepare_threshold"] = NEVER if prepared else None
        if prepared:
            params["options"] = f"{params.get('options', '')} -c jit=off".strip()
        return params

    def is_usable(self) -> bool:
        """Return whether the connection is open. If an idle connection has data to read, the
        server has closed it. This saves the round trip of `SELECT 1` for each request.
        """
        if self.errors_occurred:
            return bool(super().is_usable())
        if self.connection is None or self.connection.closed:
            return False
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return not poll.poll(0)

    def prepared_cursor(self) -> CursorWrapper:
        """Return a cursor for statements that many requests run. The server infers the types of
        the parameters.
        """
        self.close_if_health_check_failed()
        self.ensure_connection()
        with self.wrap_database_errors:
            wrapped: CursorWrapper = self._prepare_cursor(PreparedCursor(self.connection))  # type: ignore[attr-defined, call-arg]
            return wrapped
