"""The triggers that move AgreementsVersion when a row of 搜索词 changes."""

from typing import Any

from django.db import migrations

from apps.pricing.sql.agreements_version import version_create


def forwards(_apps: Any, schema_editor: Any) -> None:
    version_create(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("pricing", "0002_version_triggers"), ("search", "0001_tables")]

    operations = [migrations.RunPython(forwards, migrations.RunPython.noop, elidable=False)]
