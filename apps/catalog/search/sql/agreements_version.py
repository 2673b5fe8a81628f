"""The triggers behind AgreementsVersion: whoever writes, and however, the token moves in the same transaction.

A random token, not a count: what a rolled back transaction made of it never comes back for another content.
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

# All that a customer's catalogue context, a category's path and the search's lexicon are made of.
TABLES = (
    "catalog_agreement",
    "catalog_customeragreement",
    "catalog_pricelist",
    "catalog_assortmentrule",
    "catalog_category",
    "catalog_brand",
    "catalog_searchsynonym",
)
EVENTS = ("INSERT", "UPDATE", "DELETE")
RANDOM = {"postgresql": "gen_random_uuid()::text", "sqlite": "lower(hex(randomblob(16)))"}

POSTGRES_FUNCTION = (
    "CREATE OR REPLACE FUNCTION catalog_agreements_moved() RETURNS trigger LANGUAGE plpgsql AS "
    f"$$ BEGIN UPDATE catalog_agreementsversion SET token = {RANDOM['postgresql']}; RETURN NULL; END $$"
)


def version_create(connection: BaseDatabaseWrapper) -> None:
    """Make the row and the triggers where they are missing, on the tables that there are: an early migration has not made all."""
    there = set(connection.introspection.table_names())
    with connection.cursor() as cursor:
        for statement in _statements(connection.vendor, [table for table in TABLES if table in there]):
            cursor.execute(statement)


def version_drop(connection: BaseDatabaseWrapper) -> None:
    """Drop the triggers."""
    with connection.cursor() as cursor:
        for table in [table for table in TABLES if table in connection.introspection.table_names()]:
            if connection.vendor == "postgresql":
                cursor.execute(f"DROP TRIGGER IF EXISTS {table}_moved ON {table}")
            else:
                for event in EVENTS:
                    cursor.execute(f"DROP TRIGGER IF EXISTS {table}_moved_{event.lower()}")
        if connection.vendor == "postgresql":
            cursor.execute("DROP FUNCTION IF EXISTS catalog_agreements_moved")


def _statements(vendor: str, tables: list[str]) -> list[str]:
    row = f"INSERT INTO catalog_agreementsversion (id, token) VALUES (1, {RANDOM[vendor]}) ON CONFLICT (id) DO NOTHING"
    if vendor == "postgresql":
        return [row, POSTGRES_FUNCTION, *(_postgres_trigger(table) for table in tables)]
    return [row, *(_sqlite_trigger(table, event) for table in tables for event in EVENTS)]


def _postgres_trigger(table: str) -> str:
    return (
        f"CREATE OR REPLACE TRIGGER {table}_moved AFTER {' OR '.join(EVENTS)} OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION catalog_agreements_moved()"
    )


def _sqlite_trigger(table: str, event: str) -> str:
    return (
        f"CREATE TRIGGER IF NOT EXISTS {table}_moved_{event.lower()} AFTER {event} ON {table} "
        f"BEGIN UPDATE catalog_agreementsversion SET token = {RANDOM['sqlite']}; END"
    )
