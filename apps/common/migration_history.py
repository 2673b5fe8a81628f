"""A database that stopped in the middle of migrations that have since become one goes no further: what is missing of them is gone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

LAST_WITH_THE_OLD = "883b6be"


def halfway(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the migrations, as app.name, of which this database has run a part of what they stand for, and not all."""
    applied = MigrationRecorder(connection).applied_migrations()
    replaced = {key: set(migration.replaces) for key, migration in MigrationLoader(None).disk_migrations.items() if migration.replaces}
    return [".".join(key) for key, old in sorted(replaced.items()) if old & applied.keys() and old - applied.keys()]


def halfway_check(*, databases: Sequence[str] | None = None, **_kwargs: Any) -> list[CheckMessage]:
    """Return an error for each such database; `migrate` asks before it touches anything."""
    errors: list[CheckMessage] = []
    for alias in databases or ():
        if names := halfway(connections[alias]):
            errors.append(
                Error(
                    f"The database stopped in the middle of the migrations that these stand for: {', '.join(names)}.",
                    hint=f"Migrate it with the release of commit {LAST_WITH_THE_OLD} first; docs/operations.md, 'A new release'.",
                    id="common.E001",
                )
            )
    return errors
