from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("finders", "0001_tables")]

    operations = [
        migrations.AddIndex(
            model_name="devicename",
            index=models.Index(
                fields=["key"], name="devicename_prefix_idx", opclasses=["varchar_pattern_ops"]
            ),
        ),
        migrations.RemoveIndex(model_name="devicename", name="devicename_key_idx"),
    ]
