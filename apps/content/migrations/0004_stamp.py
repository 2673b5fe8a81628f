"""Content that is there counts as moved now, and the rows that were numbered by hand are counted on."""

from django.core.management.color import no_style
from django.db import migrations
from django.utils import timezone


def stamp(apps, schema_editor):
    SiteSetting = apps.get_model("content", "SiteSetting")
    if SiteSetting.objects.exists():
        apps.get_model("content", "ContentStamp").objects.create(pk=1, moved_at=timezone.now())
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), [SiteSetting]):
            cursor.execute(sql)


class Migration(migrations.Migration):
    dependencies = [("content", "0003_versions_and_announcements")]

    operations = [migrations.RunPython(stamp, migrations.RunPython.noop)]
