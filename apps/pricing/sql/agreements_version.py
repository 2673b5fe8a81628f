"""The triggers that change the token of AgreementsVersion. Every write to the tables changes
the token in the same transaction, whatever code writes.

The token is random, not a counter. A counter value from a rolled-back transaction would occur again
for different data.
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

# The tables behind the catalogue context, category paths and the search lexicon.
TABLES = (
    "pricing_agreement",
    "pricing_customeragreement",
    "pricing_pricelist",
    "pricing_assortmentrule",
    "catalog_category",
    "catalog_brand",
    "search_searchsynonym",
)
EVENTS = ("INSERT", "UPDATE", "DELETE")
RANDOM = {"postgresql": "gen_random_uuid()::text", "sqlite": "lower(hex(randomblob(16)))"}

POSTGRES_FUNCTION = (
    "CREATE OR REPLACE FUNCTION catalog_agreements_moved() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN UPDATE pricing_agreementsversion SET token = {RANDOM['postgresql']}; "
    "RETURN NULL; END $$"
)


def version_create(connection: BaseDatabaseWrapper) -> None:
    """Create the row and the triggers if they are missing. Tables that do not exist yet in an
    early migration are skipped.
    """
    existing_tables = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for statement in _build_trigger_statements(
            connection.vendor, [table for table in TABLES if table in existing_tables]
        ):
            cursor.execute(statement)


def version_drop(connection: BaseDatabaseWrapper) -> None:
    """Drop the triggers that change the version of the agreements."""
    with connection.cursor() as cursor:
        for table in [table for table in TABLES if table in connection.introspection.table_names()]:
            if connection.vendor == "postgresql":
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_moved ON {table}")
            else:
                for event in EVENTS:
                    cursor.execute(f"DROP TRIGGER IF EXISTS {table}_moved_{event.lower()}")
        if connection.vendor == "postgresql":
            cursor.execute("DROP FUNCTION IF EXISTS catalog_agreements_moved")


def _build_trigger_statements(vendor: str, tables: list[str]) -> list[str]:
    row = (
        f"INSERT INTO pricing_agreementsversion (id, token) VALUES (1, {RANDOM[vendor]}) "
        "ON CONFLICT (id) DO NOTHING"
    )
    if vendor == "postgresql":
        return [row, POSTGRES_FUNCTION, *(_build_postgres_trigger(table) for table in tables)]
    return [row, *(_build_sqlite_trigger(table, event) for table in tables for event in EVENTS)]


def _build_postgres_trigger(table: str) -> str:
    return (
        f"CREATE OR REPLACE TRIGGER {table}_moved AFTER {' OR '.join(EVENTS)} OR TRUNCATE "
        f"ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION catalog_agreements_moved()"
    )


def _build_sqlite_trigger(table: str, event: str) -> str:
    return (
        f"CREATE TRIGGER IF NOT EXISTS {table}_moved_{event.lower()} AFTER {event} ON {table} "
        f"BEGIN UPDATE pricing_agreementsversion SET token = {RANDOM['sqlite']}; END"
    )
