"""Write the names of what was ordered before the search looked for them there."""

from itertools import islice

from django.db import migrations

BATCH = 2000
NAMES = ("group_id", "product_id", "product_code", "name", "customer_name", "customer_code")


def write_names(apps, schema_editor):
    names = apps.get_model("orders", "OrderedName")
    lines = apps.get_model("orders", "OrderLine").objects.order_by("group_id", "product_id").values_list(*NAMES).distinct()
    known = iter(list(lines))
    while rows := list(islice(known, BATCH)):
        names.objects.bulk_create((names(**dict(zip(NAMES, row, strict=True))) for row in rows), ignore_conflicts=True)


class Migration(migrations.Migration):
    dependencies = [("orders", "0018_order_search")]
    operations = [migrations.RunPython(write_names, migrations.RunPython.noop)]
