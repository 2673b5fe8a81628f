"""The full-text index over `Product.search_tokens`, which Django's models cannot express."""

from typing import Any

from django.db import migrations

from apps.catalog.indexing.full_text import full_text_create, full_text_drop


def forwards(_apps: Any, schema_editor: Any) -> None:
    full_text_create(schema_editor.connection)


def backwards(_apps: Any, schema_editor: Any) -> None:
    full_text_drop(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_tables")]

    operations = [migrations.RunPython(forwards, backwards, elidable=False)]
