"""What the database itself keeps: the full-text index over product.search_tokens, and the triggers behind AgreementsVersion with its row."""

from typing import Any

from django.db import migrations

from apps.catalog.search.sql.agreements_version import version_create, version_drop
from apps.catalog.search.sql.full_text import full_text_create, full_text_drop


def forwards(_apps: Any, schema_editor: Any) -> None:
    full_text_create(schema_editor.connection)
    version_create(schema_editor.connection)


def backwards(_apps: Any, schema_editor: Any) -> None:
    version_drop(schema_editor.connection)
    full_text_drop(schema_editor.connection)


class Migration(migrations.Migration):
    replaces = [("catalog", "0018_picture_batches"), ("catalog", "0019_price_moves"), ("catalog", "0020_office_order")]

    dependencies = [("catalog", "0007_moves_and_stock")]

    operations = [migrations.RunPython(forwards, backwards, elidable=False)]
