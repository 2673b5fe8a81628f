"""Leave room in the pages of the products on PostgreSQL.

Every order changes `reserved` of its products, and the table has fifteen indexes. With room in the
page, PostgreSQL writes the new version of a row beside the old one and changes no index (HOT
update). Without it, ten lines cost 2.3 ms, a fifth of the database's time for an order.
"""

from typing import Any

from django.db import migrations

FILLFACTOR = 70


def forwards(_apps: Any, schema_editor: Any) -> None:
    """Set it for pages that are written from now on; VACUUM FULL rewrites the others."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"ALTER TABLE catalog_product SET (fillfactor = {FILLFACTOR})")


def backwards(_apps: Any, schema_editor: Any) -> None:
    """Fill the pages again."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE catalog_product RESET (fillfactor)")


class Migration(migrations.Migration):
    dependencies = [
        ("catalog", "0001_schema"),
    ]

    operations = [migrations.RunPython(forwards, backwards)]
