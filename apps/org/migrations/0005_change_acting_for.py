import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("org", "0004_group_admin_index"),
    ]

    operations = [
        migrations.AddField(
            model_name="organisationchange",
            name="acting_for",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="代客户",
            ),
        ),
    ]
