"""Refuse a database that was migrated, completely or in part, by an earlier layout of the apps.

The present layout starts with new initial migrations. Their tables would collide with the tables of
the earlier layout, or miss some of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def find_half_migrated(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the first migrations (app.name) of apps whose tables come from other migrations.

    Such an app has applied migrations, but neither its first one nor all those that its first one
    replaces.
    """
    applied = MigrationRecorder(connection).applied_migrations()
    with_tables = {label for label, _ in applied}
    loader = MigrationLoader(None, load=False)
    loader.load_disk()
    return [
        ".".join(first)
        for first in sorted(_list_first_migrations(loader))
        if first[0] in with_tables
        and first not in applied
        and not _is_replaced(loader.disk_migrations[first].replaces, applied.keys())
    ]


def _list_first_migrations(loader: MigrationLoader) -> list[tuple[str, str]]:
    """Return the first migration of each of our apps as app label and name."""
    own_labels = {
        config.label for config in apps.get_app_configs() if config.name.startswith("apps.")
    }
    first_by_app: dict[str, tuple[str, str]] = {}
    for key in sorted(loader.disk_migrations):
        if key[0] in own_labels:
            first_by_app.setdefault(key[0], key)
    return list(first_by_app.values())


def _is_replaced(replaces: Sequence[tuple[str, str]], applied: Any) -> bool:
    return bool(replaces) and all(tuple(old) in applied for old in replaces)


def halfway_check(*, databases: Sequence[str] | None = None, **_kwargs: Any) -> list[CheckMessage]:
    """Return an error for each such database. `migrate` runs this check before it begins."""
    errors: list[CheckMessage] = []
    for alias in databases or ():
        if names := find_half_migrated(connections[alias]):
            errors.append(
                Error(
                    "Migrations of an earlier layout made this database; "
                    f"it has tables, but never ran: {', '.join(names)}.",
                    hint="Migrate an empty database; docs/operations.md, 'A new release'. "
                    "A database of development: delete it, and `make data` creates it again.",
                    id="common.E001",
                )
            )
    return errors
