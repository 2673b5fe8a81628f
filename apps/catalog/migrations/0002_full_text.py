"""The full-text index of this database over product.search_tokens."""

from django.db import migrations

from apps.catalog.search.sql.full_text import full_text_create, full_text_drop


def forwards(apps, schema_editor):
    full_text_create(schema_editor.connection)


def backwards(apps, schema_editor):
    full_text_drop(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("catalog", "0001_initial")]

    operations = [migrations.RunPython(forwards, backwards, elidable=False)]
