"""Django's backend, with a connection's health told by its socket, and a cursor whose statements are planned once per connection."""

from __future__ import annotations

import select
from typing import Any

from django.db.backends.postgresql import base, operations
from django.db.backends.utils import CursorWrapper

# psycopg prepares a statement of the ORM after so many runs on one connection: never. Ours ask for it themselves.
NEVER = 10**9


class PreparedCursor(base.ServerBindingCursor):
    """Every statement is prepared at its first run and planned no more once its plan has proved to suit all parameters."""

    def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
        """Run the statement as a prepared one."""
        return super().execute(query, params, prepare=True, **options)  # type: ignore[misc]


class DatabaseOperations(operations.DatabaseOperations):
    """Django's, which also tells what a prepared cursor has run."""

    def last_executed_query(self, cursor: Any, sql: Any, params: Any) -> str:
        """Return the statement with its parameters filled in."""
        if isinstance(cursor, PreparedCursor):
            return str(self.compose_sql(sql, params))
        return str(super().last_executed_query(cursor, sql, params))


class DatabaseWrapper(base.DatabaseWrapper):
    """`prepared_cursor` beside Django's own; with PREPARE_STATEMENTS=false it prepares nothing, for a pooler that cannot hold them."""

    ops_class = DatabaseOperations

    def get_connection_params(self) -> dict[str, Any]:
        """Let prepared statements be asked for, where they are allowed, and let no statement be compiled.

        Compiling takes a second for a statement that runs for ten milliseconds. A pooler may refuse the option: there it is the server's.
        """
        params: dict[str, Any] = super().get_connection_params()
        prepared = params.pop("prepared", False)
        params["prepare_threshold"] = NEVER if prepared else None
        if prepared:
            params["options"] = f"{params.get('options', '')} -c jit=off".strip()
        return params

    def is_usable(self) -> bool:
        """Tell whether the server has hung up: an idle connection has nothing to read. `SELECT 1` would cost each request a round trip."""
        if self.errors_occurred:
            return bool(super().is_usable())
        if self.connection is None or self.connection.closed:
            return False
        waiting = select.poll()
        waiting.register(self.connection.fileno(), select.POLLIN)
        return not waiting.poll(0)

    def prepared_cursor(self) -> CursorWrapper:
        """Return a cursor for a statement that many requests run; its types are the server's to infer."""
        self.close_if_health_check_failed()
        self.ensure_connection()
        with self.wrap_database_errors:
            wrapped: CursorWrapper = self._prepare_cursor(PreparedCursor(self.connection))  # type: ignore[attr-defined, call-arg]
            return wrapped
