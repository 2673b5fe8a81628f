"""The full-text index over `search_tokens` and the condition that queries it. All differences
between the databases are in this module.

PostgreSQL: a GIN index over an expression, without the pending list, which slows reads down.
SQLite: an FTS5 table that triggers keep up to date.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db.backends.base.base import BaseDatabaseWrapper

from apps.common.sql import Fragment

VECTOR = "array_to_tsvector(string_to_array(NULLIF({alias}search_tokens, ''), ' '))"
POSTGRES_CREATE = (
    "CREATE INDEX IF NOT EXISTS product_search_tokens_gin ON catalog_product "
    f"USING gin (({VECTOR.format(alias='')})) WITH (fastupdate = off)",
)
POSTGRES_DROP = ("DROP INDEX IF EXISTS product_search_tokens_gin",)

_DELETE_ENTRY = (
    "INSERT INTO catalog_product_fts(catalog_product_fts, rowid, search_tokens) VALUES ('delete', "
    "old.id, old.search_tokens);"
)
_INSERT_ENTRY = (
    "INSERT INTO catalog_product_fts(rowid, search_tokens) VALUES (new.id, new.search_tokens);"
)
SQLITE_TRIGGERS = (
    (
        "CREATE TRIGGER IF NOT EXISTS catalog_product_fts_insert AFTER INSERT ON catalog_product "
        f"BEGIN {_INSERT_ENTRY} END"
    ),
    (
        "CREATE TRIGGER IF NOT EXISTS catalog_product_fts_delete AFTER DELETE ON catalog_product "
        f"BEGIN {_DELETE_ENTRY} END"
    ),
    "CREATE TRIGGER IF NOT EXISTS catalog_product_fts_update AFTER UPDATE OF search_tokens ON "
    "catalog_product "
    f"WHEN old.search_tokens <> new.search_tokens BEGIN {_DELETE_ENTRY} {_INSERT_ENTRY} END",
)
SQLITE_CREATE = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS catalog_product_fts "
    "USING fts5(search_tokens, content='catalog_product', content_rowid='id', detail=none)",
    *SQLITE_TRIGGERS,
)
SQLITE_DROP = (
    *(
        f"DROP TRIGGER IF EXISTS catalog_product_fts_{event}"
        for event in ("insert", "delete", "update")
    ),
    "DROP TABLE IF EXISTS catalog_product_fts",
)


def full_text_create(connection: BaseDatabaseWrapper) -> None:
    """Create the full-text index of this database if it does not exist."""
    _execute_statements(
        connection, POSTGRES_CREATE if connection.vendor == "postgresql" else SQLITE_CREATE
    )


def full_text_drop(connection: BaseDatabaseWrapper) -> None:
    """Drop the full-text index of this database."""
    _execute_statements(
        connection, POSTGRES_DROP if connection.vendor == "postgresql" else SQLITE_DROP
    )


def full_text_repair(connection: BaseDatabaseWrapper) -> None:
    """On SQLite, restore the triggers and rebuild the index if a migration has dropped them."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            (
                "SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger' AND name LIKE "
                "'catalog_product_fts_%%'"
            ),
            [],
        )
        if cursor.fetchone()[0] == len(SQLITE_TRIGGERS):
            return
    _execute_statements(
        connection,
        (*SQLITE_CREATE, "INSERT INTO catalog_product_fts(catalog_product_fts) VALUES ('rebuild')"),
    )


def build_groups_condition(
    connection: BaseDatabaseWrapper, alias: str, groups: Sequence[Sequence[Sequence[str]]]
) -> Fragment:
    """Return the condition that a product matches every group.

    A group is a list of alternatives, and an alternative is a list of encoded tokens. A product
    matches a group if it has all tokens of one alternative.
    """
    if connection.vendor == "postgresql":
        return Fragment(
            f"{VECTOR.format(alias=f'{alias}.')} @@ %s::tsquery",
            [_match_query(groups, "'", " & ", " | ")],
        )
    match_text = _match_query(groups, '"', " AND ", " OR ")
    return Fragment(
        f"{alias}.id IN (SELECT rowid FROM catalog_product_fts WHERE catalog_product_fts MATCH %s)",
        [match_text],
    )


def _match_query(
    groups: Sequence[Sequence[Sequence[str]]], quote: str, and_word: str, or_word: str
) -> str:
    """Return the groups in the query language of the index. Tokens contain only letters and
    digits.
    """
    ways = (
        or_word.join(
            f"({and_word.join(f'{quote}{token}{quote}' for token in tokens)})" for tokens in group
        )
        for group in groups
    )
    return and_word.join(f"({group})" for group in ways)


def _execute_statements(connection: BaseDatabaseWrapper, statements: Sequence[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
