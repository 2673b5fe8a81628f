"""The triggers behind AgreementsVersion with its row."""

from typing import Any

from django.db import migrations

from apps.pricing.sql.agreements_version import version_create, version_drop


def forwards(_apps: Any, schema_editor: Any) -> None:
    version_create(schema_editor.connection)


def backwards(_apps: Any, schema_editor: Any) -> None:
    version_drop(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("pricing", "0001_tables")]

    operations = [migrations.RunPython(forwards, backwards, elidable=False)]
